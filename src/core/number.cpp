#include "number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace firsthit {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; });
}

bool names_no_number(std::string_view text) {
    return equals_ignoring_case(text, "nan") || equals_ignoring_case(text, "inf") ||
           equals_ignoring_case(text, "infinity");
}

// std::from_chars says "out of range" for both ends: true when the number is too large rather than too small. Its
// exponent may be of any length, and the digits may stand far from the point.
bool is_huge(std::string_view digits) {
    std::size_t mark = std::min(digits.find_first_of("eE"), digits.size());
    std::string_view number = digits.substr(0, mark), exponent = digits.substr(std::min(mark + 1, digits.size()));
    std::int64_t shift = 0;
    bool negative = exponent.starts_with('-');
    for (char c : exponent)
        if (is_digit(c)) shift = std::min<std::int64_t>(shift * 10 + (c - '0'), std::int64_t{1} << 48);
    auto point = static_cast<std::int64_t>(std::min(number.find('.'), number.size()));
    auto first = static_cast<std::int64_t>(std::min(number.find_first_of("123456789"), number.size()));
    return point - first + (negative ? -shift : shift) > 0;
}

Number read_digits(std::string_view digits) {
    double value = 0;
    const char* end = digits.data() + digits.size();
    auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (stop != end || error == std::errc::invalid_argument) return {0, NumberState::unreadable};
    if (error == std::errc::result_out_of_range) value = is_huge(digits) ? HUGE_VAL : 0;
    if (std::isinf(value)) return {0, NumberState::unreadable};
    return {value, NumberState::ok};
}

}  // namespace

Number parse_number(std::string_view text) {
    bool negative = text.starts_with('-');
    std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
    if (digits.empty()) return {0, NumberState::unreadable};
    if (!is_digit(digits[0]) && digits[0] != '.')
        return {0, names_no_number(digits) ? NumberState::not_finite : NumberState::unreadable};
    Number number = read_digits(digits);
    if (negative) number.value = -number.value;
    return number;
}

std::string_view name_of_not_finite(double number) {
    if (std::isnan(number)) return "nan";
    return number > 0 ? "inf" : "-inf";
}

bool is_whole_number(std::string_view text) {
    constexpr double largest = 9007199254740992.0;
    Number number = parse_number(text);
    return number.state == NumberState::ok && number.value >= 0 && number.value <= largest && number.value == std::floor(number.value);
}

}  // namespace firsthit
