// The index over label rows: which query is this, and which row judges this document for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hash.hpp"
#include "texts.hpp"

namespace firsthit {

class Labels {
public:
    static constexpr std::int32_t no_query = -1;
    static constexpr std::int64_t no_row = -1;

    // Queries are numbered in order of first appearance in `query`, then in `extra` (queries without any row).
    Labels(TextsView query, TextsView doc, TextsView extra);

    std::size_t query_count() const { return queries_.size(); }
    std::int32_t find_query(std::string_view id, std::uint32_t hash) const;
    void expect_query(std::uint32_t hash) const { queries_.expect(hash); }

    // The rows of one query. Most documents of a ranking are not labelled, and a filter of one or a few words says so
    // for nearly all of them without a look into the table.
    class QueryRows {
    public:
        bool may_hold(std::uint32_t hash) const {
            std::uint32_t bit = hash >> filter_shift_;
            return (filter_[bit >> 6] >> (bit & 63) & 1) != 0;
        }
        // The first row of a document, or no_row.
        std::int64_t find(std::string_view doc, std::uint32_t hash) const { return labels_->find_in_table(query_, doc, hash); }

    private:
        friend class Labels;
        const Labels* labels_;
        std::int32_t query_;
        const std::uint64_t* filter_;
        std::uint32_t filter_shift_;
    };

    QueryRows rows_of(std::int32_t query) const;
    std::int64_t find_row(std::int32_t query, std::string_view doc, std::uint32_t hash) const {
        QueryRows rows = rows_of(query);
        return rows.may_hold(hash) ? rows.find(doc, hash) : no_row;
    }

    const std::vector<std::int32_t>& query_of_row() const { return query_of_row_; }
    const std::vector<std::int64_t>& first_row() const { return first_row_; }
    const Texts& query_ids() const { return queries_.texts(); }

private:
    // Where the filter and the table of one query lie.
    struct Index {
        std::size_t filter = 0;
        std::size_t table = 0;
        std::uint32_t filter_shift = 0;
        std::uint32_t table_mask = 0;
    };
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t row_after = 0;  // row + 1; 0: empty
    };

    void number_queries(TextsView query, TextsView extra);
    void lay_out();
    void fill();
    std::size_t slot_of(const Index& index, std::string_view doc, std::uint32_t hash) const;
    std::int64_t find_in_table(std::int32_t query, std::string_view doc, std::uint32_t hash) const;

    Interner queries_;
    Texts docs_;
    std::vector<std::int32_t> query_of_row_;
    std::vector<std::int64_t> first_row_;
    std::vector<Index> indexes_;
    std::vector<std::uint64_t> filters_;
    std::vector<Slot> slots_;
};

}  // namespace firsthit
