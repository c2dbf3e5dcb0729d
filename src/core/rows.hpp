// Rows of a run, from whatever source, gathered by query for the ranker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arena.hpp"
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

// The rows of a part of a run, sorted by query.
struct SortedRows {
    // All of a row in one place, since rows are moved far.
    struct Stored {
        const char* doc;
        std::uint32_t size;
        std::uint32_t line;
        std::uint32_t record;
        std::uint32_t hash;
        double key;
        double rank;
    };

    // The rows of one query, in file order.
    struct Run {
        std::uint32_t query;
        std::uint32_t start;
        std::uint32_t end;
    };

    // Queries that the labels do not know have numbers from `known` on: those of this part, until `numbers` gives
    // each its number in the whole run.
    void renumber(std::uint32_t known, const std::vector<std::uint32_t>& numbers);

    std::size_t size = 0;
    std::unique_ptr<Stored[]> rows;
    std::vector<std::uint32_t> passages;  // of the rows, where they are kept
    std::vector<Run> runs;
    Texts unlabelled;
};

// Gathers the rows of a part of the run, whose queries come in any order; then those of another one.
class ScatteredRows {
public:
    ScatteredRows(const Labels& labels, bool has_rank, bool keeps_passages = false)
        : labels_(labels), has_rank_(has_rank), keeps_passages_(keeps_passages), records_(has_rank) {}

    // Ids are copied to `ids`, or stay where they are; then they must until their rankings are made.
    void start(Arena* ids) { ids_ = ids; }

    // The query's text must stay in place until its rows are settled.
    bool open(std::string_view query, Outcome&) {
        query_ = query;
        return false;
    }
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

    // The rows that were settled. Their memory is used again for the next part.
    SortedRows take_sorted();

private:
    void number_queries();
    std::uint32_t number_of(std::string_view query, std::uint32_t hash);

    const Labels& labels_;
    bool has_rank_;
    bool keeps_passages_;
    Arena* ids_ = nullptr;
    Interner unlabelled_;
    std::string_view query_;
    Records records_;
    std::vector<std::string_view> query_of_;
    std::vector<std::uint32_t> hashes_;  // of query_of_
    std::vector<SortedRows::Stored> stored_;
    std::vector<std::uint32_t> passages_;  // of stored_
    std::vector<std::uint32_t> numbers_;  // of the queries of stored_
};

}  // namespace firsthit
