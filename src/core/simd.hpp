// The few things done for many bytes at once. Each is a plain function; without SSE2 a plain loop does the same.
//
// WARNING: these functions read a fixed number of bytes, whatever the text's size. A caller says that the bytes are
// readable; nothing here can check it. Keep every use behind a test of the distance to the end of the text.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace firsthit::simd {

constexpr std::size_t window = 64;  // bytes that marks_at() reads

// A bit for each of 64 bytes: it is a blank or a control character (at most 0x20), or not ASCII.
#if defined(__SSE2__)

inline std::uint64_t marks_at(const char* at) {
    const __m128i blank = _mm_set1_epi8(' ');
    auto others16 = [=](int i) {
        __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
        // Signed: what is not ASCII is not above.
        return std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpgt_epi8(bytes, blank)))};
    };
    return ~(others16(0) | others16(1) << 16 | others16(2) << 32 | others16(3) << 48);
}

// How many of the first 32 bytes are equal.
inline std::size_t equal_bytes32(const char* a, const char* b) {
    auto equal16 = [=](int at) {
        __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + at));
        __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + at));
        return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)));
    };
    return static_cast<std::size_t>(std::countr_one(equal16(0) | equal16(16) << 16));
}

// The place of the quote that closes a string without escapes or control characters, or null: there is none such
// before `end`. Says when the string is not ASCII. Reads up to 16 bytes past `end`.
inline const char* end_of_plain_string(const char* at, const char* end, bool& ascii) {
    for (; at < end; at += 16) {
        __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
        __m128i escapes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        // Signed: what is not ASCII is below, too.
        __m128i others = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
        auto marks = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, escapes), others)));
        for (; marks != 0; marks &= marks - 1) {
            const char* mark = at + std::countr_zero(marks);
            if (*mark == '"') return mark;
            if (static_cast<signed char>(*mark) >= 0) return nullptr;
            ascii = false;
        }
    }
    return nullptr;
}

namespace detail {

// 16 bytes from `start` are 0xFF where start + i >= 16.
inline constexpr std::array<unsigned char, 32> tail_mask = [] {
    std::array<unsigned char, 32> mask{};
    for (std::size_t i = 16; i < 32; ++i) mask[i] = 0xFF;
    return mask;
}();

inline __m128i last_bytes(std::size_t count) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(tail_mask.data() + count));
}

// The number that 16 bytes of digit values spell: pairs, fours and eights of digits at a time.
inline std::uint64_t spelled(__m128i digits) {
    __m128i tens = _mm_and_si128(digits, _mm_set1_epi16(0xFF));
    __m128i pairs = _mm_add_epi16(_mm_mullo_epi16(tens, _mm_set1_epi16(10)), _mm_srli_epi16(digits, 8));
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(100 | 1 << 16));
    __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(10000 | 1 << 16));
    auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
    return (both & 0xFFFFFFFF) * 100000000 + (both >> 32);
}

inline constexpr std::array<double, 16> powers_of_ten = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

}  // namespace detail

// Numbers of one column mostly have equally many decimals: looked for at the same place first.
struct DecimalShape {
    std::size_t decimals = 0;  // 0: no point
};

// The value of a decimal of at most 15 digits with at most one point, or false: then it is something else. Exact: both
// the digits and the power of ten are doubles without rounding, so that their quotient is rounded once.
// Reads 16 bytes before `end`.
inline bool simple_decimal(const char* end, std::size_t size, DecimalShape& shape, double& value) {
    if (size - 1 > 15) return false;
    const __m128i zero = _mm_set1_epi8('0');
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - 16));
    __m128i kept = detail::last_bytes(size);
    if (shape.decimals >= size || *(end - 1 - shape.decimals) != '.') {
        auto points = static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.')), kept)));
        shape.decimals = points == 0 ? 0 : static_cast<std::size_t>(15 - std::countr_zero(points));
    }
    __m128i digits = _mm_and_si128(_mm_sub_epi8(bytes, zero), kept);
    const bool has_point = *(end - 1 - shape.decimals) == '.';
    if (has_point) {  // the digits before the point move over it
        __m128i after = detail::last_bytes(shape.decimals);
        digits = _mm_or_si128(_mm_and_si128(after, digits), _mm_andnot_si128(after, _mm_slli_si128(digits, 1)));
    }
    __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
    if (_mm_movemask_epi8(is_digit) != 0xFFFF || size - has_point - 1 > 14) return false;
    value = static_cast<double>(static_cast<std::int64_t>(detail::spelled(digits))) / detail::powers_of_ten[shape.decimals];
    return true;
}

// Calls found(i) for each i with values[i] equal to values[i - 1], and returns how many values rise above the one before.
template <class Found>
std::size_t compare_neighbours(const double* values, std::size_t size, Found found) {
    __m128i rises = _mm_setzero_si128();
    std::size_t i = 1;
    for (; i + 1 < size; i += 2) {
        __m128d now = _mm_loadu_pd(values + i), before = _mm_loadu_pd(values + i - 1);
        rises = _mm_sub_epi64(rises, _mm_castpd_si128(_mm_cmpgt_pd(now, before)));
        int equal = _mm_movemask_pd(_mm_cmpeq_pd(now, before));
        if ((equal & 1) != 0) found(i);
        if ((equal & 2) != 0) found(i + 1);
    }
    std::array<std::uint64_t, 2> counts;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(counts.data()), rises);
    std::size_t rise = counts[0] + counts[1];
    for (; i < size; ++i) {
        rise += values[i] > values[i - 1];
        if (values[i] == values[i - 1]) found(i);
    }
    return rise;
}

#else

template <class Found>
std::size_t compare_neighbours(const double* values, std::size_t size, Found found) {
    std::size_t rise = 0;
    for (std::size_t i = 1; i < size; ++i) {
        rise += values[i] > values[i - 1];
        if (values[i] == values[i - 1]) found(i);
    }
    return rise;
}

inline std::uint64_t marks_at(const char* at) {
    std::uint64_t marks = 0;
    for (std::size_t i = 0; i < window; ++i) marks |= std::uint64_t{static_cast<signed char>(at[i]) <= ' '} << i;
    return marks;
}

inline std::size_t equal_bytes32(const char* a, const char* b) {
    std::size_t count = 0;
    while (count < 32 && a[count] == b[count]) ++count;
    return count;
}

inline const char* end_of_plain_string(const char* at, const char* end, bool& ascii) {
    for (; at < end + 16; ++at) {
        if (*at == '"') return at;
        if (*at == '\\' || (static_cast<signed char>(*at) >= 0 && *at < ' ')) return nullptr;
        ascii &= static_cast<signed char>(*at) >= 0;
    }
    return nullptr;
}

struct DecimalShape {};

inline bool simple_decimal(const char*, std::size_t, DecimalShape&, double&) { return false; }

#endif

// 1 to 7 characters as one word, the first in the lowest byte, or 0. Reads 8 bytes before `end`.
inline std::uint64_t short_text(const char* end, std::size_t size) {
    if (std::endian::native != std::endian::little || size - 1 > 6) return 0;
    std::uint64_t word;
    std::memcpy(&word, end - 8, 8);
    return word >> (64 - 8 * size);
}

// The value of 1 to 7 digits, or false. Reads 8 bytes before `end`.
inline bool simple_integer(const char* end, std::size_t size, double& value) {
    if constexpr (std::endian::native != std::endian::little) return false;
    if (size == 0 || size > 7) return false;
    std::uint64_t word;
    std::memcpy(&word, end - 8, 8);
    std::uint64_t kept = ~std::uint64_t{0} << (64 - 8 * size);
    word = (word & kept) | (0x3030303030303030u & ~kept);
    if ((word & (word + 0x0606060606060606u) & 0xF0F0F0F0F0F0F0F0u) != 0x3030303030303030u) return false;
    word -= 0x3030303030303030u;
    word = word * 10 + (word >> 8);
    constexpr std::uint64_t mask = 0x000000FF000000FFu;
    word = ((word & mask) * 0x000F424000000064u + ((word >> 16) & mask) * 0x0000271000000001u) >> 32;
    value = static_cast<double>(word & 0xFFFFFFFF);
    return true;
}

}  // namespace firsthit::simd
