#include "rows.hpp"

#include <utility>

#include "sorting.hpp"

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

void ScatteredRows::sort(const std::vector<std::uint32_t>& renumber) {
    const auto known = static_cast<std::uint32_t>(labels_.query_count());
    std::vector<std::uint64_t> order(query_of_.size()), other;
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::uint32_t query = query_of_[i] < known ? query_of_[i] : known + renumber[query_of_[i] - known];
        order[i] = std::uint64_t{query} << 32 | i;
    }
    query_of_ = {};
    sort_by_upper_half(order, other);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        auto query = static_cast<std::uint32_t>(order[i] >> 32);
        if (runs_.empty() || runs_.back().query != query) runs_.push_back({query, i, i});
        ++runs_.back().end;
    }
    Records sorted(has_rank_);
    sorted.gather(records_, order);
    records_ = std::move(sorted);
}

}  // namespace firsthit
