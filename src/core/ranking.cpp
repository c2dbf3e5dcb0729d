#include "ranking.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace firsthit {

void Ranker::rank(const QueryKey& query, std::span<const Record> records, std::span<const double> ranks, Outcome& out) {
    records_ = records;
    if (!ranks.empty()) look_at_ranks(query, ranks, out);
    arrange();
    if (ordering_.key == Key::rank) report_repeated_ranks(out);
    find_repeats();
    if (!first_of_.empty()) handle_repeats(query, out);
    if (ordering_.drop_self_hits) drop_self_hits(query, out);
    emit(query, out);
}

void Ranker::look_at_ranks(const QueryKey& query, std::span<const double> ranks, Outcome& out) {
    RankColumn& column = out.rank_column;
    column.several |= ranks.size() > 1;
    for (double rank : ranks) {
        if (rank == no_rank || rank == not_a_rank) {
            (rank == no_rank ? column.missing : column.broken) = true;
            continue;
        }
        column.lowest = column.present ? std::min(column.lowest, rank) : rank;
        column.highest = column.present ? std::max(column.highest, rank) : rank;
        column.present = true;
    }
    if (!column.missing && !column.broken) count_pairs(query, ranks, out);
}

void Ranker::count_pairs(const QueryKey& query, std::span<const double> ranks, Outcome& out) {
    order_.resize(ranks.size());
    std::iota(order_.begin(), order_.end(), 0u);
    if (!std::is_sorted(ranks.begin(), ranks.end()))
        std::stable_sort(order_.begin(), order_.end(), [ranks](auto a, auto b) { return ranks[a] < ranks[b]; });
    std::int64_t fall = 0, rise = 0;
    for (std::size_t i = 1; i < order_.size(); ++i) {
        if (ranks[order_[i - 1]] == ranks[order_[i]]) continue;
        double before = records_[order_[i - 1]].key, after = records_[order_[i]].key;
        fall += after < before;
        rise += after > before;
    }
    out.pairs_fall += fall;
    out.pairs_rise += rise;
    if (rise <= fall) return;
    ++out.inverted_count;
    if (out.inverted.size() < example_limit) out.inverted.add(query.id);
}

void Ranker::arrange() {
    order_.resize(records_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    if (ordering_.key == Key::given) return;
    bool by_id = ordering_.key == Key::score && ordering_.ties != Ties::given;
    bool descending = ordering_.ties == Ties::docid_descending;
    std::stable_sort(order_.begin(), order_.end(), [=, this](std::uint32_t a, std::uint32_t b) {
        const Record& x = records_[a];
        const Record& y = records_[b];
        if (x.key != y.key) return x.key > y.key;
        if (!by_id) return false;
        return descending ? x.id() > y.id() : x.id() < y.id();
    });
}

void Ranker::report_repeated_ranks(Outcome& out) {
    for (std::size_t start = 0; start < order_.size();) {
        const Record& first = records_[order_[start]];
        std::size_t at = start + 1;
        for (; at < order_.size() && records_[order_[at]].key == first.key; ++at) {
            const Record& again = records_[order_[at]];
            out.problems.add(ProblemKind::repeated_rank, again.line, again.id(), first.line);
        }
        start = at;
    }
}

void Ranker::find_repeats() {
    first_of_.clear();
    extra_.clear();
    constexpr auto empty = static_cast<std::uint32_t>(-1);
    std::size_t mask = std::bit_ceil(2 * records_.size() + 1) - 1;
    slots_.assign(mask + 1, empty);
    std::vector<std::uint32_t> first_of(records_.size());
    bool repeats = false;
    for (std::uint32_t i = 0; i < records_.size(); ++i) {
        std::size_t at = records_[i].hash & mask;
        auto differs = [&](std::uint32_t j) { return records_[j].hash != records_[i].hash || records_[j].id() != records_[i].id(); };
        while (slots_[at] != empty && differs(slots_[at])) at = (at + 1) & mask;
        if (slots_[at] == empty) slots_[at] = i;
        first_of[i] = slots_[at];
        repeats |= first_of[i] != i;
    }
    if (repeats) first_of_ = std::move(first_of);
}

void Ranker::handle_repeats(const QueryKey& query, Outcome& out) {
    report_repeats(query, out);
    choose_repeats();
    if (ordering_.duplicates == Duplicates::error || ordering_.duplicates == Duplicates::keep) return;
    out.duplicates_removed += static_cast<std::int64_t>(std::erase_if(order_, [this](auto i) { return extra_[i]; }));
}

void Ranker::report_repeats(const QueryKey& query, Outcome& out) {
    if (ordering_.duplicates == Duplicates::keep) return;
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const Record& again = records_[i];
        const Record& first = records_[first_of_[i]];
        if (first_of_[i] == i) continue;
        if (ordering_.duplicates == Duplicates::error)
            out.problems.add(ProblemKind::duplicate, again.line, again.id(), first.line);
        else if (out.duplicates.size() < example_limit)
            out.duplicates.push_back({std::string(query.id), std::string(again.id()), again.line, first.line});
    }
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
    auto is_self = [&](std::uint32_t i) { return records_[i].id() == query.id; };
    std::size_t known = out.self_hits.size();
    for (std::uint32_t i : order_) {
        if (!is_self(i)) continue;
        ++out.self_hits_dropped;
        out.self_hits.push_back({std::string(query.id), std::string(query.id), records_[i].line, 0});
    }
    if (out.self_hits.size() == known) return;
    std::erase_if(order_, is_self);
    keep_first(out.self_hits);
}

void Ranker::emit(const QueryKey& query, Outcome& out) {
    RankedQuery ranked{.query = query.number, .retrieved = static_cast<std::uint32_t>(order_.size())};
    emit_hits(query.number, ranked, out);
    if (query.number >= 0) emit_head(query.number, ranked, out);
    if (query.number < 0) {
        out.unlabelled.add(query.id);
        out.tied_unlabelled += ranked.tied;
    }
    out.deepest = std::max(out.deepest, static_cast<std::int64_t>(order_.size()));
    out.rankings.push_back(ranked);
}

std::size_t Ranker::end_of_tie(std::size_t start) const {
    std::size_t end = start + 1;
    if (ordering_.key != Key::score) return end;
    while (end < order_.size() && records_[order_[end]].key == records_[order_[start]].key) ++end;
    return end;
}

std::int64_t Ranker::row_of(std::int32_t query, std::uint32_t index) const {
    if (!extra_.empty() && extra_[index]) return Labels::no_row;
    return labels_.find_row(query, records_[index].id(), records_[index].hash);
}

void Ranker::emit_hits(std::int32_t query, RankedQuery& ranked, Outcome& out) {
    for (std::size_t start = 0; start < order_.size();) {
        std::size_t end = end_of_tie(start);
        if (end - start > 1) {
            ranked.tied = true;
            out.tied_records += static_cast<std::int64_t>(end - start);
        }
        for (std::size_t at = start; query >= 0 && at < end; ++at) {
            std::int64_t row = row_of(query, order_[at]);
            if (row == Labels::no_row) continue;
            auto rank_at = [](std::size_t position) { return static_cast<std::uint32_t>(position + 1); };
            out.hits.push_back({static_cast<std::uint32_t>(row), rank_at(at), rank_at(start), rank_at(end - 1)});
            ++ranked.hits;
        }
        start = end;
    }
}

void Ranker::emit_head(std::int32_t query, RankedQuery& ranked, Outcome& out) {
    ranked.head = static_cast<std::uint32_t>(std::min(depth_, order_.size()));
    for (std::uint32_t at = 0; at < ranked.head; ++at) {
        const Record& record = records_[order_[at]];
        auto row = static_cast<std::int32_t>(row_of(query, order_[at]));
        out.head.push_back({record.record, row, record.doc_size});
        out.head_ids.insert(out.head_ids.end(), record.doc, record.doc + record.doc_size);
        ranked.head_bytes += record.doc_size;
    }
}

}  // namespace firsthit
