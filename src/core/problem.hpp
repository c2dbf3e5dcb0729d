// What can be wrong with an input, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace firsthit {

// In the order in which a line is checked; two problems of one line are reported in this order.
enum class ProblemKind : std::uint8_t {
    nul,
    utf8,
    quote,
    json,
    fields,
    missing,
    null,
    type,
    empty_id,
    number,
    not_finite,
    start,
    end,
    tokens,
    repeated_rank,
    duplicate,
    passage,
};

std::string_view name_of(ProblemKind kind);
ProblemKind problem_named(std::string_view name);

struct Problem {
    ProblemKind kind;
    std::int64_t line;  // physical line, or record number, from 1
    std::string value;
    std::int64_t other;  // the earlier line, or the number of fields found
};

// The first problems by line, and the number of all: a file of a million bad lines needs no memory.
class Problems {
public:
    static constexpr std::size_t shown = 20;
    static constexpr std::size_t longest_value = 80;

    void add(ProblemKind kind, std::int64_t line, std::string_view value, std::int64_t other = 0);
    // As add(); the value is kept as it is.
    void add_whole(ProblemKind kind, std::int64_t line, std::string value, std::int64_t other);
    // Adds the problems of a later or an earlier part, whose lines start at `shift`.
    void append(const Problems& part, std::int64_t shift);

    const std::vector<Problem>& first() const { return first_; }
    std::int64_t count() const { return count_; }

private:
    void insert(Problem problem);

    std::vector<Problem> first_;  // sorted
    std::int64_t count_ = 0;
};

}  // namespace firsthit
