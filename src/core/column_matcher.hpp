// Joins a run that comes as record batches with the labels, on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arena.hpp"
#include "labels.hpp"
#include "matcher.hpp"
#include "rows.hpp"
#include "run_batch.hpp"
#include "scattered.hpp"
#include "totals.hpp"

namespace firsthit {

// The labels must outlive a matcher.
class ColumnMatcher {
public:
    ColumnMatcher(const Labels& labels, const MatchSettings& settings, RunRoles roles);

    const RunRoles& roles() const { return roles_; }

    // Takes the next batch: the columns of the roles. Its last query may go on in the batch that follows, so the
    // matcher keeps it.
    void feed(ColumnStream::Batch batch, std::vector<Column> columns);
    const Totals& finish();

    const PassageBook& passages() const { return passages_; }
    bool scattered() const { return totals_.scattered; }
    RankUse rank_use() const { return firsthit::rank_use(settings_.ordering, roles_.has_rank, true, totals_.outcome.rank_column); }

private:
    // Rows of one batch, and rows that follow one another in several.
    struct Slice {
        std::shared_ptr<const RunBatch> batch;
        std::int64_t from;
        std::int64_t to;
    };
    using Part = std::vector<Slice>;

    // What a thread needs of its own.
    struct Worker {
        ContiguousRows rows;
        Arena arena;
    };

    std::vector<Part> whole_rankings(const std::shared_ptr<const RunBatch>& batch);
    void split(const Slice& slice, std::vector<Part>& parts) const;
    void match_contiguous(const std::vector<Part>& parts);
    PassageKeeper keeper_of(std::size_t part, std::size_t worker);
    void append(Outcome& part, std::size_t worker);
    std::vector<Part> equal_parts();
    void keep_scattered();

    const Labels& labels_;
    MatchSettings settings_;
    RunRoles roles_;
    std::vector<Worker> workers_;
    Part tail_;               // the last query's rows: more of it may follow. Grouped: rows that wait for more
    std::string tail_query_;  // empty: no record among them
    std::int64_t fed_ = 0;
    PassageBook passages_;
    ScatteredRun scattered_;
    std::vector<Part> kept_;  // scattered rows point into them
    Totals totals_;
};

}  // namespace firsthit
