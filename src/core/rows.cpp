#include "rows.hpp"

#include <algorithm>
#include <numeric>
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

// A counting sort when the part has more rows than there are queries, else a comparison sort: both keep file order.
void ScatteredRows::sort(const std::vector<std::uint32_t>& renumber) {
    auto known = static_cast<std::uint32_t>(labels_.query_count());
    for (std::uint32_t& query : query_of_)
        if (query >= known) query = known + renumber[query - known];
    std::vector<std::uint32_t> order(query_of_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [this](auto a, auto b) { return query_of_[a] < query_of_[b]; });
    Records sorted(has_rank_);
    for (std::uint32_t i : order) {
        auto start = static_cast<std::uint32_t>(sorted.size());
        if (runs_.empty() || runs_.back().query != query_of_[i]) runs_.push_back({query_of_[i], start, start});
        sorted.add(records_, i, i + 1, 0, 0);
        ++runs_.back().end;
    }
    records_ = std::move(sorted);
    query_of_ = {};
}

}  // namespace firsthit
