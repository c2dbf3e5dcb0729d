#include "rows.hpp"

#include <algorithm>
#include <utility>

namespace firsthit {

bool ContiguousRows::open(std::string_view query, Outcome& out) {
    if (is_open_ && query == query_) return false;
    close(out);
    query_ = query;
    is_open_ = true;
    return true;
}

void ContiguousRows::close(Outcome& out) {
    if (!std::exchange(is_open_, false)) return;
    ranker_.rank({query_, labels_.find_query(query_, hash_bytes(query_))}, records_, out);
    records_.clear();
}

bool ScatteredRows::open(std::string_view query, Outcome&) {
    std::uint32_t hash = hash_bytes(query);
    std::int32_t number = labels_.find_query(query, hash);
    auto known = static_cast<std::uint32_t>(labels_.query_count());
    query_ = number >= 0 ? static_cast<std::uint32_t>(number) : known + unlabelled_.add(query, hash);
    return false;
}

void ScatteredRows::settle() {
    std::span<const double> ranks = records_.ranks();
    for (std::size_t i = 0; i < records_.size(); ++i)
        stored_.push_back({records_.records()[i], records_.keys()[i], has_rank_ ? ranks[i] : no_rank, records_.hashes()[i], query_of_[i]});
    records_.clear();
    query_of_.clear();
}

// By counting: it keeps the order of the file inside a query.
void ScatteredRows::sort() {
    std::vector<std::uint32_t> next(labels_.query_count() + unlabelled_.size());
    for (const Stored& row : stored_) ++next[row.query];
    std::uint32_t start = 0;
    for (std::uint32_t query = 0; query < next.size(); ++query) {
        if (next[query] == 0) continue;
        runs_.push_back({query, start, start + next[query]});
        start += std::exchange(next[query], start);
    }
    std::vector<Stored> sorted(stored_.size());
    for (const Stored& row : stored_) sorted[next[row.query]++] = row;
    stored_ = std::move(sorted);
}

void ScatteredRows::renumber(const std::vector<std::uint32_t>& numbers) {
    const auto known = static_cast<std::uint32_t>(labels_.query_count());
    for (Run& run : runs_)
        if (run.query >= known) run.query = known + numbers[run.query - known];
    std::ranges::sort(runs_, {}, &Run::query);
}

}  // namespace firsthit
