// Rows of a run, from whatever source, gathered by query for the ranker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hash.hpp"
#include "labels.hpp"
#include "outcome.hpp"
#include "ranking.hpp"
#include "texts.hpp"

namespace firsthit {

// What a row holds beside its query. The text of the id must stay in place until the row's ranking is made.
struct Row {
    std::string_view doc;
    double key = 0;
    double rank = no_rank;
    std::uint32_t line = 0;
    std::uint32_t record = 0;
    std::uint32_t passage = 0;
};

inline void append(Records& to, const Row& row) {
    to.add({row.doc.data(), static_cast<std::uint32_t>(row.doc.size()), row.line, row.record, row.passage}, hash_bytes(row.doc), row.key, row.rank);
}

// Ranks a query as soon as another one follows.
class ContiguousRows {
public:
    ContiguousRows(const Labels& labels, const Ordering& ordering, const HeadSettings& heads, bool has_rank)
        : labels_(labels), ranker_(labels, ordering, heads), records_(has_rank) {}

    // The rows that follow are this query's. Returns true when it is another one: then all before is ranked.
    bool open(std::string_view query, Outcome& out);
    void add(const Row& row) { append(records_, row); }
    void add(const Record& record) { records_.add(record); }
    void erase(std::size_t i) { records_.erase(i); }
    void close(Outcome& out);
    Records& records() { return records_; }
    void settle() {}

private:
    const Labels& labels_;
    Ranker ranker_;
    std::string query_;
    bool is_open_ = false;
    Records records_;
};

// Keeps the rows of a part of the run, whose queries come in any order.
class ScatteredRows {
public:
    // All of a row in one place, since rows are moved far.
    struct Stored {
        Record record;
        double key;
        double rank;
        std::uint32_t hash;
        std::uint32_t query;
    };

    // The rows of one query, in file order.
    struct Run {
        std::uint32_t query;
        std::uint32_t start;
        std::uint32_t end;
    };

    ScatteredRows(const Labels& labels, bool has_rank) : labels_(labels), has_rank_(has_rank), records_(has_rank) {}

    bool open(std::string_view query, Outcome& out);
    void add(const Row& row) {
        append(records_, row);
        query_of_.push_back(query_);
        settle();
    }
    void add(const Record& record) {
        records_.add(record);
        query_of_.push_back(query_);
    }
    void erase(std::size_t i) {
        records_.erase(i);
        query_of_.erase(query_of_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    void close(Outcome&) {}

    // The last rows, until all is set and they are settled.
    Records& records() { return records_; }
    void settle();

    // Sorts the rows by query: no row is added after that.
    void sort();

    // Queries that the labels do not know have numbers from Labels::query_count() on: those of this part, until
    // `numbers` gives each its number in the whole run.
    const Texts& unlabelled() const { return unlabelled_.texts(); }
    void renumber(const std::vector<std::uint32_t>& numbers);
    // Gives every row's passage another number.
    template <class NumberOf>
    void renumber_passages(NumberOf number_of) {
        for (Stored& row : stored_) row.record.passage = number_of(row.record.passage);
    }

    const std::vector<Run>& runs() const { return runs_; }
    const std::vector<Stored>& stored() const { return stored_; }

    std::int64_t line_shift = 0;
    std::int64_t record_shift = 0;

private:
    const Labels& labels_;
    bool has_rank_;
    Interner unlabelled_;
    std::uint32_t query_ = 0;
    Records records_;
    std::vector<std::uint32_t> query_of_;
    std::vector<Stored> stored_;
    std::vector<Run> runs_;
};

}  // namespace firsthit
