// Lines of JSON objects that look alike, split fast.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lines.hpp"

namespace firsthit {

// Splits lines whose text between the values is that of a line seen before. It takes only lines that need no care:
// plain strings and numbers, no escape, no control character, UTF-8. For all others it says no, and the line reader,
// which knows every rule, must read them: it is the definition, this is a shortcut.
//
// WARNING: split() looks at 32 bytes at a time. It says no near the end of the text rather than to read past it.
class JsonScanner {
public:
    // Looks at a data line that the reader has just read, with its fields.
    void learn(std::string_view line, const LineReader& reader);
    bool knows_lines() const { return values_ != 0; }

    bool split(const char* line, const char* end);

    // The text of a role's value, as the line reader gives it; one without data when the line holds none.
    std::string_view field(std::size_t role) const {
        return value_of_role_[role] == no_value ? std::string_view() : texts_[value_of_role_[role]];
    }
    const char* next() const { return next_; }

private:
    static constexpr std::size_t most_values = 16;
    static constexpr std::size_t no_value = static_cast<std::size_t>(-1);
    static constexpr std::size_t longest_gap = 32;

    // What stands before a value, and what the value is.
    struct Gap {
        std::array<char, longest_gap> text{};
        std::size_t size = 0;
        bool is_string = false;
        bool is_text = false;  // of a role that wants text: a number must be an integer
    };

    // The keys of a line: those with a value that is read, in their order, and those with a literal.
    struct Keys {
        std::vector<std::string_view> values, literals;
    };

    bool learn_gaps(std::string_view line, const LineReader& reader, Keys& keys);
    bool learn_gap(std::string_view text, bool is_string);
    bool learn_value(std::string_view line, std::size_t& at, std::size_t& gap_start);
    void learn_roles(const LineReader& reader, const Keys& keys);
    static bool take_gap(const Gap& gap, const char*& at);
    static const char* end_of_number(const char* at, bool is_id);

    std::array<Gap, most_values + 1> gaps_;  // the last one stands before the line's end
    std::array<std::string_view, most_values> texts_;
    std::vector<std::size_t> value_of_role_;
    std::size_t values_ = 0;
    const char* next_ = nullptr;
};

}  // namespace firsthit
