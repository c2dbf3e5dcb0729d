#include "sorting.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

namespace firsthit {

namespace {

constexpr std::uint64_t upper_half = ~std::uint64_t{0xFFFFFFFF};

// A number that orders as the double does, the highest first. -0.0 and 0.0 are one.
std::uint64_t falling_bits(double value) {
    auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return bits >> 63 ? bits : ~bits & ~(std::uint64_t{1} << 63);
}

}  // namespace

// Three rounds of counting, 11 bits each, the lowest first.
void sort_by_upper_half(std::vector<std::uint64_t>& values, std::vector<std::uint64_t>& other) {
    constexpr std::size_t bits = 11, rounds = 3;
    std::array<std::array<std::uint32_t, 1 << bits>, rounds> counts{};
    auto digit = [](std::uint64_t value, std::size_t round) { return value >> (32 + bits * round) & ((1 << bits) - 1); };
    for (std::uint64_t value : values)
        for (std::size_t round = 0; round < rounds; ++round) ++counts[round][digit(value, round)];
    other.resize(values.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        if (std::ranges::find(counts[round], values.size()) != counts[round].end()) continue;  // all the same
        std::uint32_t next = 0;
        for (std::uint32_t& count : counts[round]) next += std::exchange(count, next);
        for (std::uint64_t value : values) other[counts[round][digit(value, round)]++] = value;
        values.swap(other);
    }
}

// By the upper half of the bits first, then what is equal there by all of them: numbers that differ nearly always
// differ in the upper half.
void FallingOrder::sort(std::span<const double> values, std::vector<std::uint32_t>& order) {
    constexpr std::size_t few = 64;
    order.resize(values.size());
    std::iota(order.begin(), order.end(), 0u);
    auto sort_range = [&](std::size_t start, std::size_t end) {
        auto from = order.begin() + static_cast<std::ptrdiff_t>(start), to = order.begin() + static_cast<std::ptrdiff_t>(end);
        std::stable_sort(from, to, [values](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
    };
    if (values.size() < few) return sort_range(0, values.size());
    values_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values_[i] = (falling_bits(values[i]) & upper_half) | i;
    sort_by_upper_half(values_, other_);
    for (std::size_t i = 0; i < values.size(); ++i) order[i] = static_cast<std::uint32_t>(values_[i]);
    for (std::size_t start = 0, end = 0; start < values.size(); start = end) {
        const std::uint64_t upper = values_[start] >> 32;
        for (end = start + 1; end < values.size() && values_[end] >> 32 == upper;) ++end;
        if (end - start > 1) sort_range(start, end);
    }
}

}  // namespace firsthit
