#include "scattered.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "hash.hpp"
#include "parallel.hpp"

namespace firsthit {

namespace {

// The rows of one part from some query on.
struct Cursor {
    const ScatteredRows* rows;
    std::size_t next;

    bool at(std::uint32_t query) const { return next < rows->runs().size() && rows->runs()[next].query == query; }
};

std::vector<Cursor> cursors_at(const std::vector<std::unique_ptr<ScatteredPart>>& parts, std::uint32_t query) {
    std::vector<Cursor> cursors;
    for (const auto& part : parts) {
        const auto& runs = part->rows.runs();
        auto from = std::lower_bound(runs.begin(), runs.end(), query, [](const auto& run, auto q) { return run.query < q; });
        cursors.push_back({&part->rows, static_cast<std::size_t>(from - runs.begin())});
    }
    return cursors;
}

void take(Cursor& cursor, Records& to) {
    const ScatteredRows::Run& run = cursor.rows->runs()[cursor.next++];
    for (std::uint32_t i = run.start; i < run.end; ++i) {
        ScatteredRows::Stored row = cursor.rows->stored()[i];
        row.record.line += static_cast<std::uint32_t>(cursor.rows->line_shift);
        row.record.record += static_cast<std::uint32_t>(cursor.rows->record_shift);
        to.add(row.record, row.hash, row.key, row.rank);
    }
}

}  // namespace

void ScatteredRun::add(std::unique_ptr<ScatteredPart> part) {
    if (part->rows.line_shift + static_cast<std::int64_t>(part->rows.stored().size()) > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("more than 4,294,967,295 lines whose queries are scattered");
    const Texts& unlabelled = part->rows.unlabelled();
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < unlabelled.size(); ++i)
        numbers.push_back(unlabelled_.add(unlabelled[i], hash_bytes(unlabelled[i])));
    if (!numbers.empty()) part->rows.renumber(numbers);
    parts_.push_back(std::move(part));
}

void ScatteredRun::finish(Totals& totals) {
    constexpr std::size_t ranges_per_thread = 16;
    std::size_t queries = labels_.query_count() + unlabelled_.size();
    std::size_t ranges = std::min(queries, ranges_per_thread * threads_);
    std::vector<Outcome> outcomes(ranges);
    auto bound = [=](std::size_t range) { return static_cast<std::uint32_t>(queries * range / ranges); };
    run_parallel(ranges, threads_, [&](std::size_t range, std::size_t) {
        outcomes[range] = rank_queries(bound(range), bound(range + 1));
    });
    for (const Outcome& outcome : outcomes) totals.append_rankings(outcome);
}

Outcome ScatteredRun::rank_queries(std::uint32_t first, std::uint32_t end) const {
    Outcome out;
    Ranker ranker(labels_, ordering_, heads_);
    Records records(has_rank_);
    std::vector<Cursor> cursors = cursors_at(parts_, first);
    auto known = static_cast<std::uint32_t>(labels_.query_count());
    for (std::uint32_t query = first; query < end; ++query) {
        records.clear();
        for (Cursor& cursor : cursors)
            if (cursor.at(query)) take(cursor, records);
        if (records.size() == 0) continue;
        bool labelled = query < known;
        std::string_view id = labelled ? labels_.query_ids()[query] : unlabelled_.texts()[query - known];
        ranker.rank({id, labelled ? static_cast<std::int32_t>(query) : -1}, records, out);
    }
    return out;
}

}  // namespace firsthit
