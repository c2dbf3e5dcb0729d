#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "check.hpp"
#include "number.hpp"
#include "simd.hpp"

using firsthit::NumberState;
using firsthit::parse_number;

TEST(decimal_numbers_are_read_as_the_nearest_double) {
    for (const char* text : {"0", "1", "-1.5", ".5", "5.", "+2", "1e-3", "1E+3", "00012.50", "0.1", "20.031368", "9007199254740993",
                             "1.7976931348623157e308", "2.2250738585072014e-308", "4.9e-324", "123456789.123456789123456789"})
        CHECK_EQUAL(parse_number(text).value, std::strtod(text, nullptr));
}

TEST(too_small_is_zero_and_too_large_is_unreadable) {
    CHECK_EQUAL(parse_number("1e-400").value, 0.0);
    CHECK(parse_number("1e-400").state == NumberState::ok);
    CHECK(parse_number("-1e-400").state == NumberState::ok);
    CHECK(parse_number("1e400").state == NumberState::unreadable);
    CHECK(parse_number(std::string(400, '9')).state == NumberState::unreadable);
    CHECK(parse_number("0." + std::string(400, '0') + "1").state == NumberState::ok);
}

TEST(other_texts_are_no_numbers) {
    for (const char* text : {"", "+", "-", ".", "e5", "1e", "0x10", "1_000", "1,5", " 1", "1 ", "--1", "+-1", "nan(1)", "infinit", "abc"})
        CHECK(parse_number(text).state == NumberState::unreadable);
    for (const char* text : {"nan", "NaN", "-NAN", "inf", "+Inf", "-infinity", "INFINITY"})
        CHECK(parse_number(text).state == NumberState::not_finite);
}

namespace {

std::string random_decimal(std::mt19937& random) {
    std::string text;
    std::size_t size = 1 + random() % 17;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('0' + random() % 10);
    if (random() % 4 != 0) text.insert(random() % (text.size() + 1), ".");
    if (random() % 50 == 0) text[random() % text.size()] = "eE.+-x "[random() % 7];
    return text;
}

}  // namespace

TEST(the_fast_reader_of_decimals_agrees_or_says_no) {
    std::mt19937 random(1);
    firsthit::simd::DecimalShape shape;
    for (int i = 0; i < 200000; ++i) {
        std::string text = random_decimal(random), line = std::string(16, "0.9x"[random() % 4]) + text;
        double value = 0;
        if (!firsthit::simd::simple_decimal(line.data() + line.size(), text.size(), shape, value)) continue;
        firsthit::Number number = parse_number(text);
        CHECK(number.state == NumberState::ok);
        CHECK_EQUAL(number.value, value);
    }
}

TEST(the_fast_reader_of_integers_agrees_or_says_no) {
    for (const char* text : {"1", "12", "1234567", "12345678", "x", "1x", "", "0000009", ":", "/"}) {
        std::string size = text, line = "99999999" + size;
        double value = 0;
        bool read = firsthit::simd::simple_integer(line.data() + line.size(), size.size(), value);
        if (read) CHECK_EQUAL(parse_number(text).value, value);
        CHECK(!read || parse_number(text).state == NumberState::ok);
    }
}

TEST(digits_far_from_the_point_are_weighed_against_the_exponent) {
    std::string zeros(400, '0');
    CHECK(parse_number("1" + zeros + "e-10").state == NumberState::unreadable);
    CHECK(parse_number("1" + zeros + "e-90").state == NumberState::unreadable);
    CHECK_EQUAL(parse_number("1" + zeros + "e-400").value, 1.0);
    CHECK_EQUAL(parse_number("0." + zeros + "1e10").value, 0.0);
    CHECK(parse_number("0." + zeros + "1e10").state == NumberState::ok);
    CHECK_EQUAL(parse_number("0e99999999999999999999").value, 0.0);
    CHECK(parse_number("1e99999999999999999999").state == NumberState::unreadable);
    CHECK_EQUAL(parse_number("1e-99999999999999999999").value, 0.0);
}
