// Rankings from parts whose queries came in any order.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "arena.hpp"
#include "labels.hpp"
#include "ranking.hpp"
#include "rows.hpp"
#include "texts.hpp"
#include "totals.hpp"

namespace firsthit {

// The rows of a part of the run, and the text of their ids.
struct ScatteredPart {
    SortedRows sorted;
    Arena ids;
    std::int64_t line_shift = 0;
    std::int64_t record_shift = 0;
};

class ScatteredRun {
public:
    ScatteredRun(const Labels& labels, const Ordering& ordering, const HeadSettings& heads, std::size_t threads, bool has_rank)
        : labels_(labels), ordering_(ordering), heads_(heads), threads_(threads), has_rank_(has_rank) {}

    // Takes the part that follows.
    void add(std::unique_ptr<ScatteredPart> part);

    // Ranks every query.
    void finish(Totals& totals);

private:
    Outcome rank_queries(std::uint32_t first, std::uint32_t end) const;

    const Labels& labels_;
    Ordering ordering_;
    HeadSettings heads_;
    std::size_t threads_;
    bool has_rank_;
    Interner unlabelled_;
    std::vector<std::unique_ptr<ScatteredPart>> parts_;
};

}  // namespace firsthit
