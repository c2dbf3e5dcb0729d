// Decimal numbers as users write them, whatever the locale.
#pragma once

#include <cstdint>
#include <string_view>

namespace firsthit {

enum class NumberState : std::uint8_t { ok, unreadable, not_finite };

struct Number {
    double value;
    NumberState state;
};

// Reads all of `text`: optional sign, digits with an optional point, optional exponent. The value is the nearest
// double; what is too small becomes 0 or denormal, what is too large is unreadable; nan and inf in any case are
// not_finite.
Number parse_number(std::string_view text);

// How problems call a number that is not finite.
std::string_view name_of_not_finite(double number);
// Whether a text is a whole number from 0 to 2^53: up to there 64-bit floats hold every one.
bool is_whole_number(std::string_view text);

}  // namespace firsthit
