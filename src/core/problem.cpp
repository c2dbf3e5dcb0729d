#include "problem.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace firsthit {

namespace {

constexpr std::array<std::string_view, 17> names = {
    "nul",      "utf8",   "quote",      "json",  "fields", "missing", "null",          "type",
    "empty-id", "number", "not-finite", "start", "end",    "tokens",  "repeated-rank", "duplicate", "passage",
};

bool before(const Problem& a, const Problem& b) {
    return std::tie(a.line, a.kind, a.other) < std::tie(b.line, b.kind, b.other);
}

}  // namespace

std::string_view name_of(ProblemKind kind) { return names[static_cast<std::size_t>(kind)]; }

ProblemKind problem_named(std::string_view name) {
    return static_cast<ProblemKind>(std::ranges::find(names, name) - names.begin());
}

void Problems::add(ProblemKind kind, std::int64_t line, std::string_view value, std::int64_t other) {
    add_whole(kind, line, std::string(value.substr(0, longest_value)), other);
}

void Problems::add_whole(ProblemKind kind, std::int64_t line, std::string value, std::int64_t other) {
    ++count_;
    if (first_.size() == shown && first_.back().line < line) return;
    insert({kind, line, std::move(value), other});
}

void Problems::append(const Problems& part, std::int64_t shift) {
    count_ += part.count_;
    for (Problem problem : part.first_) {
        problem.line += shift;
        if (problem.kind == ProblemKind::duplicate || problem.kind == ProblemKind::repeated_rank)
            problem.other += shift;
        insert(std::move(problem));
    }
}

void Problems::insert(Problem problem) {
    first_.insert(std::upper_bound(first_.begin(), first_.end(), problem, before), std::move(problem));
    if (first_.size() > shown) first_.pop_back();
}

}  // namespace firsthit
