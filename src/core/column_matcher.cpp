#include "column_matcher.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "parallel.hpp"

namespace firsthit {

namespace {

// Rows for which a thread is worth its start, and rows of queries in any order that are sorted at a time.
constexpr std::int64_t smallest_piece = std::int64_t{1} << 13;
constexpr std::int64_t scattered_piece = std::int64_t{1} << 18;
constexpr std::int64_t pieces_per_thread = 4;

}  // namespace

ColumnMatcher::ColumnMatcher(const Labels& labels, const MatchSettings& settings, RunRoles roles)
    : labels_(labels),
      settings_(settings),
      roles_(std::move(roles)),
      passages_(settings.passages, settings.threads),
      scattered_(labels, settings.ordering, settings.heads(), settings.threads, roles_.has_rank),
      totals_(labels) {
    if (settings.threads == 0) throw std::invalid_argument("a matcher needs at least one thread");
    for (std::size_t i = 0; i < settings.threads; ++i)
        workers_.push_back({ContiguousRows(labels, settings.ordering, settings.heads(), roles_.has_rank), Arena()});
}

void ColumnMatcher::feed(ColumnStream::Batch batch, std::vector<Column> columns) {
    auto rows = std::make_shared<const RunBatch>(std::move(batch), std::move(columns), roles_, settings_.ordering);
    fed_ += rows->rows();
    if (fed_ > std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("more than 4,294,967,295 rows");
    if (!settings_.grouped) return match_contiguous(whole_rankings(rows));
    tail_.push_back({rows, 0, rows->rows()});
    if (fed_ - totals_.outcome.records >= scattered_piece * static_cast<std::int64_t>(settings_.threads)) keep_scattered();
}

// The parts that became whole: what was kept of the batches before, and what this one adds.
std::vector<ColumnMatcher::Part> ColumnMatcher::whole_rankings(const std::shared_ptr<const RunBatch>& batch) {
    std::vector<Part> parts;
    const std::int64_t first = batch->first_of_another(0, batch->rows(), tail_query_);
    if (first > 0) tail_.push_back({batch, 0, first});
    if (first == batch->rows()) return parts;
    if (!tail_.empty()) parts.push_back(std::exchange(tail_, {}));
    const std::int64_t last = batch->end_of_others(first, batch->rows(), tail_query_);
    split({batch, first, last}, parts);
    tail_.push_back({batch, last, batch->rows()});
    return parts;
}

void ColumnMatcher::split(const Slice& slice, std::vector<Part>& parts) const {
    const std::int64_t rows = slice.to - slice.from, most = pieces_per_thread * static_cast<std::int64_t>(settings_.threads);
    const std::int64_t size = rows / std::clamp(rows / smallest_piece, std::int64_t{1}, most) + 1;
    for (std::int64_t from = slice.from, to = from; from < slice.to; from = to) {
        std::string query;
        to = slice.batch->first_of_another(std::min(from + size, slice.to), slice.to, query);
        parts.push_back({{slice.batch, from, to}});
    }
}

void ColumnMatcher::match_contiguous(const std::vector<Part>& parts) {
    std::vector<Outcome> outcomes(parts.size());
    std::vector<std::size_t> reader(parts.size());
    const std::uint32_t first_part = passages_.next_part();
    std::int64_t rows = 0;
    for (const Part& part : parts)
        for (const Slice& slice : part) rows += slice.to - slice.from;
    run_parallel(parts.size(), rows < 2 * smallest_piece ? 1 : settings_.threads, [&](std::size_t i, std::size_t worker) {
        auto& [ranked, arena] = workers_[worker];
        const PassageKeeper keeper = keeper_of(first_part + i, worker);
        for (const Slice& slice : parts[i]) slice.batch->read(slice.from, slice.to, ranked, keeper, arena, outcomes[i]);
        ranked.close(outcomes[i]);
        arena.clear();
        reader[i] = worker;
    });
    passages_.number_new();
    for (std::size_t i = 0; i < parts.size(); ++i) append(outcomes[i], reader[i]);
}

PassageKeeper ColumnMatcher::keeper_of(std::size_t part, std::size_t worker) {
    return {settings_.passages.kept ? &passages_.table(worker) : nullptr, static_cast<std::uint32_t>(part)};
}

// Adds the part that follows, as `worker` read it.
void ColumnMatcher::append(Outcome& part, std::size_t worker) {
    for (std::uint32_t& passage : part.head_passages) passage = passages_.number(worker, passage);
    passages_.add_part(totals_.outcome.records);
    totals_.append_records(part);
}

// The rows that wait, as one part for each thread.
std::vector<ColumnMatcher::Part> ColumnMatcher::equal_parts() {
    std::vector<Part> parts(1);
    const std::int64_t size = (fed_ - totals_.outcome.records) / static_cast<std::int64_t>(settings_.threads) + 1;
    std::int64_t room = size;
    for (Slice slice : std::exchange(tail_, {})) {
        while (slice.from < slice.to) {
            if (room == 0) parts.emplace_back(), room = size;
            const std::int64_t to = std::min(slice.to, slice.from + room);
            room -= to - slice.from;
            parts.back().push_back({slice.batch, std::exchange(slice.from, to), to});
        }
    }
    return parts;
}

void ColumnMatcher::keep_scattered() {
    std::vector<Part> parts = equal_parts();
    std::vector<Outcome> outcomes(parts.size());
    std::vector<std::unique_ptr<ScatteredPart>> kept(parts.size());
    std::vector<std::size_t> reader(parts.size());
    const std::uint32_t first_part = passages_.next_part();
    run_parallel(parts.size(), settings_.threads, [&](std::size_t i, std::size_t worker) {
        kept[i] = std::make_unique<ScatteredPart>();
        ScatteredRows rows(labels_, roles_.has_rank, settings_.passages.kept);
        const PassageKeeper keeper = keeper_of(first_part + i, worker);
        for (const Slice& slice : parts[i]) slice.batch->read(slice.from, slice.to, rows, keeper, kept[i]->ids, outcomes[i]);
        kept[i]->sorted = rows.take_sorted();
        reader[i] = worker;
    });
    passages_.number_new();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        kept[i]->line_shift = kept[i]->record_shift = totals_.outcome.records;
        for (std::uint32_t& passage : kept[i]->sorted.passages) passage = passages_.number(reader[i], passage);
        scattered_.add(std::move(kept[i]));
        append(outcomes[i], reader[i]);
        kept_.push_back(std::move(parts[i]));
    }
}

const Totals& ColumnMatcher::finish() {
    if (settings_.grouped) {
        keep_scattered();
        scattered_.finish(totals_);
    } else if (!tail_.empty()) {
        match_contiguous({std::exchange(tail_, {})});
    }
    passages_.report(totals_.outcome.problems);
    totals_.outcome.sort_examples();
    return totals_;
}

}  // namespace firsthit
