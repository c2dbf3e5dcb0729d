#include "outcome.hpp"

#include <algorithm>

namespace firsthit {

namespace {

template <class Items>
void extend(Items& to, const Items& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void extend(Texts& to, const Texts& from, std::size_t most = static_cast<std::size_t>(-1)) {
    for (std::size_t i = 0; i < from.size() && to.size() < most; ++i) to.add(from[i]);
}

void extend(std::vector<Example>& to, const std::vector<Example>& from, std::int64_t shift) {
    for (Example example : from) {
        example.line += shift;
        example.earlier_line += shift;
        to.push_back(std::move(example));
    }
    keep_first(to);
}

void combine(RankColumn& to, const RankColumn& from) {
    if (from.present) {
        to.lowest = to.present ? std::min(to.lowest, from.lowest) : from.lowest;
        to.highest = to.present ? std::max(to.highest, from.highest) : from.highest;
    }
    to.present |= from.present;
    to.missing |= from.missing;
    to.broken |= from.broken;
    to.several |= from.several;
}

}  // namespace

void keep_first(std::vector<Example>& examples) {
    auto by_line = [](const Example& a, const Example& b) { return a.line < b.line; };
    if (!std::is_sorted(examples.begin(), examples.end(), by_line))
        std::stable_sort(examples.begin(), examples.end(), by_line);
    if (examples.size() > example_limit) examples.erase(examples.begin() + example_limit, examples.end());
}

void Outcome::append(const Outcome& part, std::int64_t line_shift, std::int64_t record_shift) {
    extend(rankings, part.rankings);
    extend(hits, part.hits);
    std::size_t shifted = head.size();
    extend(head, part.head);
    for (; shifted < head.size(); ++shifted) head[shifted].record += record_shift;
    extend(head_ids, part.head_ids);
    extend(unlabelled, part.unlabelled);
    extend(inverted, part.inverted, example_limit);
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
