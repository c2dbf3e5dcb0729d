// One hash of bytes for every table of the core. Equal hashes are always confirmed by the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace firsthit {

namespace detail {

constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15u;

inline std::uint64_t load64(const char* at) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    return word;
}

inline std::uint64_t load32(const char* at) {
    std::uint32_t word;
    std::memcpy(&word, at, 4);
    return word;
}

inline std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * multiplier;
    return h ^ (h >> 32);
}

// Up to 7 bytes in one word without reading past them: two overlapping halves.
inline std::uint64_t short_word(const char* at, std::size_t size) {
    if (size >= 4) return load32(at) | load32(at + size - 4) << 32;
    if (size == 0) return 0;
    auto byte = [at](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])); };
    return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
}

}  // namespace detail

inline std::uint32_t hash_bytes(const char* at, std::size_t size) {
    std::uint64_t h = size;
    if (size < 8) {
        h = detail::mix(h, detail::short_word(at, size));
    } else {
        for (std::size_t i = 0; i + 8 < size; i += 8) h = detail::mix(h, detail::load64(at + i));
        h = detail::mix(h, detail::load64(at + size - 8));
    }
    return static_cast<std::uint32_t>((h * detail::multiplier) >> 32);
}

inline std::uint32_t hash_bytes(std::string_view text) { return hash_bytes(text.data(), text.size()); }

}  // namespace firsthit
