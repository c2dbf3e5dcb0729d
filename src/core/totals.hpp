// The outcome of a whole run, put together from its parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "labels.hpp"
#include "outcome.hpp"
#include "texts.hpp"

namespace firsthit {

class Totals {
public:
    explicit Totals(const Labels& labels) : seen_(labels.query_count()) {}

    // Adds the part of the run that follows.
    void append(const Outcome& part);

    // The same where lines are records, as in tables.
    void append_records(const Outcome& part);

    // Adds rankings whose line and record numbers are the run's.
    void append_rankings(const Outcome& part);

    void note_returning_queries();

    Outcome outcome;
    bool scattered = false;  // a query came back after its ranking was closed

private:
    std::vector<bool> seen_;
    Interner seen_unlabelled_;
    std::size_t checked_ = 0;
    std::size_t checked_unlabelled_ = 0;
};

// The outcome as arrays over the labels' queries, hits sorted by query, then rank.
struct MatchArrays {
    std::vector<std::int32_t> query;
    std::vector<std::int64_t> rank, row, tie_first, tie_last, retrieved;
    std::vector<std::int64_t> head_offsets, head_record, head_row;
    std::vector<std::uint8_t> head_tied;
    std::vector<std::uint32_t> head_passages;
    Texts head_ids;
    std::vector<std::int64_t> unlabelled_retrieved;
    std::vector<std::int32_t> tied_queries;
};

MatchArrays arrays_of(const Outcome& outcome, std::size_t query_count);

}  // namespace firsthit
