#include "ranking.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "simd.hpp"

namespace firsthit {

namespace {

template <class T>
void move_to_room(std::unique_ptr<T[]>& items, std::size_t size, std::size_t room) {
    auto larger = std::make_unique_for_overwrite<T[]>(room);
    std::copy(items.get(), items.get() + size, larger.get());
    items = std::move(larger);
}

}  // namespace

void Records::grow(std::size_t least) {
    room_ = std::max({least, 2 * room_, std::size_t{256}});
    move_to_room(records_, size_, room_);
    move_to_room(hashes_, size_, room_);
    move_to_room(keys_, size_, room_);
    move_to_room(ranks_, size_, room_);
}

void Records::erase(std::size_t i) {
    std::copy(records_.get() + i + 1, records_.get() + size_, records_.get() + i);
    std::copy(hashes_.get() + i + 1, hashes_.get() + size_, hashes_.get() + i);
    std::copy(keys_.get() + i + 1, keys_.get() + size_, keys_.get() + i);
    std::copy(ranks_.get() + i + 1, ranks_.get() + size_, ranks_.get() + i);
    --size_;
}

void Ranker::rank(const QueryKey& query, const Records& input, Outcome& out) {
    records_ = input.records();
    hashes_ = input.hashes();
    keys_ = input.keys();
    removed_ = false;
    first_of_.clear();
    extra_.clear();
    compare(ordering_.key == Key::given ? std::span<const double>() : keys_, steps_);
    if (!input.ranks().empty()) look_at_ranks(query, input.ranks(), out);
    arrange();
    if (ordering_.key == Key::rank) {
        report_repeated_ranks(out);
        out.rank_column.broken |= std::ranges::any_of(keys_, [](double key) { return key != std::floor(key); });
    }
    if (may_repeat()) find_repeats();
    if (!first_of_.empty()) handle_repeats(query, out);
    if (ordering_.drop_self_hits) drop_self_hits(query, out);
    if (removed_ && ordering_.key == Key::score) compare_ranked();
    emit(query, out);
}

void Ranker::compare(std::span<const double> values, Steps& steps) {
    steps.equal.clear();
    steps.rise = simd::compare_neighbours(values.data(), values.size(), [&steps](std::size_t i) {
        steps.equal.push_back(static_cast<std::uint32_t>(i));
    });
}

void Ranker::look_at_ranks(const QueryKey& query, std::span<const double> ranks, Outcome& out) {
    compare(ranks, rank_steps_);
    const bool rises = rank_steps_.rise + 1 == ranks.size();
    const double lowest = rises ? ranks.front() : std::ranges::min(ranks);
    const double highest = rises ? ranks.back() : std::ranges::max(ranks);
    RankColumn& column = out.rank_column;
    column.several |= ranks.size() > 1;
    column.missing |= highest == no_rank;
    column.broken |= lowest == not_a_rank;
    column.present |= std::ranges::any_of(ranks, [](double rank) { return rank != no_rank && rank != not_a_rank; });
    if (highest == no_rank || lowest == not_a_rank) return;
    column.lowest = std::min(column.lowest, lowest);
    column.highest = std::max(column.highest, highest);
    auto rise = static_cast<std::int64_t>(steps_.rise), fall = static_cast<std::int64_t>(keys_.size() - 1 - steps_.rise - steps_.equal.size());
    if (!rises) std::tie(fall, rise) = pairs_along(ranks, lowest, highest);
    out.pairs_fall += fall;
    out.pairs_rise += rise;
    if (rise > fall) out.add_inverted(query.id, records_.front().record);
}

// Ranks mostly are the numbers from 1 on: then counting sorts them.
void Ranker::order_by_rank(std::span<const double> ranks, double lowest, double highest) {
    if (highest - lowest > 4.0 * static_cast<double>(ranks.size())) {
        sorted_keys_.assign(ranks.begin(), ranks.end());
        for (double& rank : sorted_keys_) rank = -rank;
        return sorter_.sort(sorted_keys_, order_);
    }
    auto place = [=](double rank) { return static_cast<std::size_t>(static_cast<std::int64_t>(rank - lowest)); };
    counts_.assign(place(highest) + 2, 0);
    for (double rank : ranks) ++counts_[place(rank) + 1];
    std::partial_sum(counts_.begin(), counts_.end(), counts_.begin());
    order_.resize(ranks.size());
    for (std::uint32_t i = 0; i < ranks.size(); ++i) order_[counts_[place(ranks[i])]++] = i;
}

// How many pairs of neighbours in rank order fall and rise in their keys; equal ranks make no pair.
std::pair<std::int64_t, std::int64_t> Ranker::pairs_along(std::span<const double> ranks, double lowest, double highest) {
    order_by_rank(ranks, lowest, highest);
    std::int64_t fall = 0, rise = 0;
    for (std::size_t i = 1; i < order_.size(); ++i) {
        if (ranks[order_[i - 1]] == ranks[order_[i]]) continue;
        fall += key_at(i) < key_at(i - 1);
        rise += key_at(i) > key_at(i - 1);
    }
    return {fall, rise};
}

void Ranker::arrange() {
    if (steps_.rise != 0) {
        sorter_.sort(keys_, order_);
        compare_ranked();
    } else {
        order_.resize(records_.size());
        std::iota(order_.begin(), order_.end(), 0u);
    }
    if (ordering_.key == Key::score && ordering_.ties != Ties::given) sort_ties();
}

// Brings the steps up to date: from here on they are those of the ranking.
void Ranker::compare_ranked() {
    sorted_keys_.resize(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) sorted_keys_[i] = key_at(i);
    const std::size_t rise = steps_.rise;
    compare(sorted_keys_, steps_);
    steps_.rise = rise;
}

void Ranker::sort_ties() {
    auto id_is_higher = [this](std::uint32_t a, std::uint32_t b) { return records_[a].id() > records_[b].id(); };
    auto id_is_lower = [this](std::uint32_t a, std::uint32_t b) { return records_[a].id() < records_[b].id(); };
    for (std::size_t k = 0, end = 0; k < steps_.equal.size(); k = end) {
        for (end = k + 1; end < steps_.equal.size() && steps_.equal[end] == steps_.equal[end - 1] + 1;) ++end;
        auto from = order_.begin() + steps_.equal[k] - 1, to = order_.begin() + steps_.equal[end - 1] + 1;
        if (ordering_.ties == Ties::docid_descending)
            std::stable_sort(from, to, id_is_higher);
        else
            std::stable_sort(from, to, id_is_lower);
    }
}

void Ranker::report_repeated_ranks(Outcome& out) {
    std::uint32_t first = 0;
    for (std::size_t k = 0; k < steps_.equal.size(); ++k) {
        std::uint32_t at = steps_.equal[k];
        if (k == 0 || steps_.equal[k - 1] + 1 != at) first = at - 1;
        const Record& again = records_[order_[at]];
        out.problems.add(ProblemKind::repeated_rank, again.line, again.id(), records_[order_[first]].line);
    }
}

// Whether two records have equal hashes, or nearly: the table holds 15 bits of each. It must be small and nearly empty,
// because one load a record, and hardly ever a second, is all that a ranking without repeats should pay.
bool Ranker::may_repeat() {
    constexpr std::size_t room_per_record = 8;
    const std::size_t mask = std::bit_ceil(room_per_record * records_.size() + 1) - 1;
    tags_.assign(mask + 1, 0);
    for (std::uint32_t hash : hashes_) {
        auto tag = static_cast<std::uint16_t>(hash >> 16 | 1);  // 0 is an empty place
        std::size_t at = hash & mask;
        for (; tags_[at] != 0; at = (at + 1) & mask)
            if (tags_[at] == tag) return true;
        tags_[at] = tag;
    }
    return false;
}

void Ranker::find_repeats() {
    constexpr auto empty = static_cast<std::uint32_t>(-1);
    std::size_t mask = std::bit_ceil(2 * records_.size() + 1) - 1;
    slots_.assign(mask + 1, empty);
    first_of_.resize(records_.size());
    bool repeats = false;
    for (std::uint32_t i = 0; i < records_.size(); ++i) {
        std::size_t at = hashes_[i] & mask;
        auto differs = [this, i](std::uint32_t j) {
            return hashes_[j] != hashes_[i] || records_[j].id() != records_[i].id();
        };
        while (slots_[at] != empty && differs(slots_[at])) at = (at + 1) & mask;
        if (slots_[at] == empty) slots_[at] = i;
        first_of_[i] = slots_[at];
        repeats |= first_of_[i] != i;
    }
    if (!repeats) first_of_.clear();
}

void Ranker::handle_repeats(const QueryKey& query, Outcome& out) {
    report_repeats(query, out);
    choose_repeats();
    if (ordering_.duplicates == Duplicates::error || ordering_.duplicates == Duplicates::keep) return;
    std::size_t erased = std::erase_if(order_, [this](auto i) { return extra_[i]; });
    out.duplicates_removed += static_cast<std::int64_t>(erased);
    removed_ = true;
}

void Ranker::report_repeats(const QueryKey& query, Outcome& out) {
    if (ordering_.duplicates == Duplicates::keep) return;
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const Record& again = records_[i];
        const Record& first = records_[first_of_[i]];
        if (first_of_[i] == i) continue;
        if (ordering_.duplicates == Duplicates::error)
            out.problems.add(ProblemKind::duplicate, again.line, again.id(), first.line);
        else
            out.duplicates.push_back({std::string(query.id), std::string(again.id()), again.line, first.line});
    }
    if (out.duplicates.size() > 2 * example_limit) keep_first(out.duplicates);
}

// Marks all but one record of each repeated document: which one counts is the rule's choice.
void Ranker::choose_repeats() {
    extra_.assign(records_.size(), false);
    std::vector<bool> taken(records_.size(), false);
    auto visit = [&](std::uint32_t i) {
        extra_[i] = taken[first_of_[i]];
        taken[first_of_[i]] = true;
    };
    auto count = static_cast<std::uint32_t>(records_.size());
    if (ordering_.duplicates == Duplicates::first)
        for (std::uint32_t i = 0; i < count; ++i) visit(i);
    else if (ordering_.duplicates == Duplicates::last)
        for (std::uint32_t i = count; i-- > 0;) visit(i);
    else
        for (std::uint32_t i : order_) visit(i);
}

void Ranker::drop_self_hits(const QueryKey& query, Outcome& out) {
    std::uint32_t hash = hash_bytes(query.id);
    auto is_self = [&](std::uint32_t i) { return hashes_[i] == hash && records_[i].id() == query.id; };
    std::size_t known = out.self_hits.size();
    for (std::uint32_t i : order_) {
        if (!is_self(i)) continue;
        ++out.self_hits_dropped;
        out.self_hits.push_back({std::string(query.id), std::string(query.id), records_[i].line, 0});
    }
    if (out.self_hits.size() == known) return;
    std::erase_if(order_, is_self);
    removed_ = true;
    if (out.self_hits.size() > 2 * example_limit) keep_first(out.self_hits);
}

void Ranker::emit(const QueryKey& query, Outcome& out) {
    RankedQuery ranked{.query = query.number, .retrieved = static_cast<std::uint32_t>(order_.size())};
    if (ordering_.key == Key::score && !steps_.equal.empty()) count_ties(ranked, out);
    if (query.number >= 0) {
        find_labelled(query.number);
        if (!found_.empty()) emit_hits(ranked, out);
        emit_head(query.number, ranked, out);
    } else {
        out.unlabelled.add(query.id);
        out.tied_unlabelled += ranked.tied;
    }
    out.deepest = std::max(out.deepest, static_cast<std::int64_t>(order_.size()));
    out.rankings.push_back(ranked);
}

void Ranker::count_ties(RankedQuery& ranked, Outcome& out) const {
    std::size_t groups = 1;
    for (std::size_t k = 1; k < steps_.equal.size(); ++k) groups += steps_.equal[k] != steps_.equal[k - 1] + 1;
    ranked.tied = true;
    out.tied_records += static_cast<std::int64_t>(steps_.equal.size() + groups);
}

void Ranker::find_labelled(std::int32_t query) {
    const Labels::QueryRows rows = labels_.rows_of(query);
    found_.clear();
    for (std::uint32_t i = 0; i < hashes_.size(); ++i) {
        if (!rows.may_hold(hashes_[i])) continue;
        std::int64_t row = rows.find(records_[i].id(), hashes_[i]);
        if (row != Labels::no_row && !is_extra(i)) found_.push_back({i, static_cast<std::uint32_t>(row)});
    }
}

void Ranker::emit_hits(RankedQuery& ranked, Outcome& out) {
    constexpr auto nowhere = static_cast<std::uint32_t>(-1);
    const bool in_place = steps_.rise == 0 && !removed_ && steps_.equal.empty();
    if (!in_place) {
        places_.assign(records_.size(), nowhere);
        for (std::uint32_t at = 0; at < order_.size(); ++at) places_[order_[at]] = at;
        for (Found& found : found_) found.index = places_[found.index];
        std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.index < b.index; });
    }
    std::size_t start = 0, end = 0;
    for (auto [at, row] : found_) {
        if (at == nowhere) break;
        if (at >= end) std::tie(start, end) = tie_around(at);
        auto number = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
        out.hits.push_back({row, at + 1, number(start + 1), number(end)});
        ++ranked.hits;
    }
}

std::pair<std::size_t, std::size_t> Ranker::tie_around(std::size_t position) const {
    std::size_t start = position, end = position + 1;
    if (ordering_.key != Key::score) return {start, end};
    while (start > 0 && key_at(start - 1) == key_at(position)) --start;
    while (end < order_.size() && key_at(end) == key_at(position)) ++end;
    return {start, end};
}

void Ranker::emit_head(std::int32_t query, RankedQuery& ranked, Outcome& out) {
    ranked.head = static_cast<std::uint32_t>(std::min(heads_.depth, order_.size()));
    for (std::uint32_t at = 0; at < ranked.head; ++at) {
        const Record& record = records_[order_[at]];
        std::uint32_t index = order_[at];
        auto row = static_cast<std::int32_t>(is_extra(index) ? Labels::no_row : labels_.find_row(query, record.id(), hashes_[index]));
        out.head_tied.push_back(at > 0 && ordering_.key == Key::score && key_at(at) == key_at(at - 1));
        if (heads_.passages) {
            out.head.push_back({record.record, row, 0});
            out.head_passages.push_back(record.passage);
            continue;
        }
        out.head.push_back({record.record, row, record.size});
        out.head_ids.insert(out.head_ids.end(), record.doc, record.doc + record.size);
        ranked.head_bytes += record.size;
    }
}

}  // namespace firsthit
