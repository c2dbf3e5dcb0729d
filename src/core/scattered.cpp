#include "scattered.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "hash.hpp"
#include "parallel.hpp"
#include "prefetch.hpp"

namespace firsthit {

namespace {

// The rows of one part from some query on.
struct Cursor {
    const SortedRows::Run* next;
    const SortedRows::Run* end;
    const SortedRows::Stored* rows;
    const std::uint32_t* passages;  // null: they are not kept
    std::uint32_t line_shift;
    std::uint32_t record_shift;

    bool at(std::uint32_t query) const { return next != end && next->query == query; }
};

std::vector<Cursor> cursors_at(const std::vector<std::unique_ptr<ScatteredPart>>& parts, std::uint32_t query) {
    std::vector<Cursor> cursors;
    for (const auto& part : parts) {
        const std::vector<SortedRows::Run>& runs = part->sorted.runs;
        auto from = std::lower_bound(runs.data(), runs.data() + runs.size(), query, [](const auto& run, auto q) { return run.query < q; });
        cursors.push_back({from, runs.data() + runs.size(), part->sorted.rows.get(),
                           part->sorted.passages.empty() ? nullptr : part->sorted.passages.data(), static_cast<std::uint32_t>(part->line_shift),
                           static_cast<std::uint32_t>(part->record_shift)});
    }
    return cursors;
}

// The rows of hundreds of parts are more streams than a processor foresees: the next query's are asked for here.
void take(Cursor& cursor, Records& to) {
    constexpr std::uint32_t ahead = 3;
    const SortedRows::Run& run = *cursor.next++;
    prefetch(cursor.next + 4);
    for (std::uint32_t line = 0; line < ahead; ++line) prefetch(reinterpret_cast<const char*>(cursor.rows + run.end) + 64 * line);
    for (std::uint32_t i = run.start; i < run.end; ++i) {
        const SortedRows::Stored& row = cursor.rows[i];
        to.add({row.doc, row.size, row.line + cursor.line_shift, row.record + cursor.record_shift,
                cursor.passages ? cursor.passages[i] : 0}, row.hash, row.key, row.rank);
    }
}

}  // namespace

void ScatteredRun::add(std::unique_ptr<ScatteredPart> part) {
    SortedRows& sorted = part->sorted;
    if (part->line_shift + static_cast<std::int64_t>(sorted.size) > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("more than 4,294,967,295 lines whose queries are scattered");
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < sorted.unlabelled.size(); ++i)
        numbers.push_back(unlabelled_.add(sorted.unlabelled[i], hash_bytes(sorted.unlabelled[i])));
    if (!numbers.empty()) sorted.renumber(static_cast<std::uint32_t>(labels_.query_count()), numbers);
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
