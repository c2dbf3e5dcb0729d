// Sorting of many numbers with small companions, by counting.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace firsthit {

// Sorts by the upper 32 bits and keeps the order of equals. `other` is memory to work in.
void sort_by_upper_half(std::vector<std::uint64_t>& values, std::vector<std::uint64_t>& other);

// Stable order of doubles by counting, the highest first. The vectors inside are kept for the next call.
class FallingOrder {
public:
    // Fills `order` with the indexes of `values`.
    void sort(std::span<const double> values, std::vector<std::uint32_t>& order);

private:
    std::vector<std::uint64_t> values_;
    std::vector<std::uint64_t> other_;
};

}  // namespace firsthit
