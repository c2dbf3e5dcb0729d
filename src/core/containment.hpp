// Which texts hold which words: plain search, byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace firsthit {

// Text i is bytes[start[i], end[i]); texts may lie anywhere and overlap.
struct Slices {
    std::string_view bytes;
    std::span<const std::int64_t> start;
    std::span<const std::int64_t> end;

    std::size_t size() const { return start.size(); }
    std::string_view operator[](std::size_t i) const {
        auto from = static_cast<std::size_t>(start[i]);
        return bytes.substr(from, static_cast<std::size_t>(end[i]) - from);
    }
};

// For each pair i whether texts[text[i]] contains words[word[i]]; empty words are contained in nothing. Pairs of one
// word are best side by side: it is prepared once for each run of them.
std::vector<std::uint8_t> contained(const Slices& texts, const Slices& words, std::span<const std::int32_t> text,
                                    std::span<const std::int32_t> word, std::size_t threads);

}  // namespace firsthit
