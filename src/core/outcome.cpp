#include "outcome.hpp"

#include <algorithm>

namespace firsthit {

namespace {

template <class Items>
void extend(Items& to, const Items& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void extend(Texts& to, const Texts& from) {
    for (std::size_t i = 0; i < from.size(); ++i) to.add(from[i]);
}

template <class Item, class Place>
void keep_first_by(std::vector<Item>& items, Place place) {
    auto before = [place](const Item& a, const Item& b) { return place(a) < place(b); };
    if (!std::is_sorted(items.begin(), items.end(), before)) std::stable_sort(items.begin(), items.end(), before);
    if (items.size() > example_limit) items.erase(items.begin() + example_limit, items.end());
}

void extend(std::vector<Example>& to, const std::vector<Example>& from, std::int64_t shift) {
    for (Example example : from) {
        example.line += shift;
        example.earlier_line += shift;
        to.push_back(std::move(example));
    }
    if (to.size() > 2 * example_limit) keep_first(to);
}

void extend(std::vector<Inverted>& to, const std::vector<Inverted>& from, std::int64_t shift) {
    for (const Inverted& query : from) to.push_back({query.record + shift, query.query});
    if (to.size() > 2 * example_limit) keep_first(to);
}

void combine(RankColumn& to, const RankColumn& from) {
    to.lowest = std::min(to.lowest, from.lowest);
    to.highest = std::max(to.highest, from.highest);
    to.present |= from.present;
    to.missing |= from.missing;
    to.broken |= from.broken;
    to.several |= from.several;
}

}  // namespace

void keep_first(std::vector<Example>& examples) {
    keep_first_by(examples, [](const Example& example) { return example.line; });
}

void keep_first(std::vector<Inverted>& queries) {
    keep_first_by(queries, [](const Inverted& query) { return query.record; });
}

void Outcome::add_inverted(std::string_view query, std::int64_t record) {
    ++inverted_count;
    inverted.push_back({record, std::string(query)});
    if (inverted.size() > 2 * example_limit) keep_first(inverted);
}

void Outcome::sort_examples() {
    keep_first(duplicates);
    keep_first(self_hits);
    keep_first(inverted);
}

void Outcome::append(const Outcome& part, std::int64_t line_shift, std::int64_t record_shift) {
    extend(rankings, part.rankings);
    extend(hits, part.hits);
    std::size_t shifted = head.size();
    extend(head, part.head);
    for (; shifted < head.size(); ++shifted) head[shifted].record += record_shift;
    extend(head_ids, part.head_ids);
    extend(head_tied, part.head_tied);
    extend(head_passages, part.head_passages);
    extend(unlabelled, part.unlabelled);
    extend(inverted, part.inverted, record_shift);
    extend(duplicates, part.duplicates, line_shift);
    extend(self_hits, part.self_hits, line_shift);
    problems.append(part.problems, line_shift);
    combine(rank_column, part.rank_column);
    lines += part.lines;
    records += part.records;
    blank_lines += part.blank_lines;
    comment_lines += part.comment_lines;
    tied_records += part.tied_records;
    tied_unlabelled += part.tied_unlabelled;
    duplicates_removed += part.duplicates_removed;
    self_hits_dropped += part.self_hits_dropped;
    pairs_fall += part.pairs_fall;
    pairs_rise += part.pairs_rise;
    inverted_count += part.inverted_count;
    deepest = std::max(deepest, part.deepest);
}

}  // namespace firsthit
