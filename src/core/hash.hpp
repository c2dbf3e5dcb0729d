// One hash of bytes for every table of the core. Equal hashes are always confirmed by the bytes.
#pragma once

#include <bit>
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

// Fewer than 8 bytes at the upper end of a word, without reading past them: two halves that overlap.
inline std::uint64_t short_word(const char* at, std::size_t size) {
    if (size == 0) return 0;
    if (size < 4) {
        auto byte = [=](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])); };
        return byte(size - 1) << 56 | (size > 1 ? byte(size - 2) << 48 : 0) | (size > 2 ? byte(0) << 40 : 0);
    }
    return load32(at) << (64 - 8 * size) | load32(at + size - 4) << 32;
}

inline std::uint32_t last_mix(std::uint64_t h, std::uint64_t word) {
    return static_cast<std::uint32_t>(((h ^ word) * multiplier) >> 32);
}

inline std::uint32_t long_hash(const char* at, std::size_t size) {
    std::uint64_t h = size;
    for (std::size_t i = 0; i + 8 < size; i += 8) {
        h = (h ^ load64(at + i)) * multiplier;
        h ^= h >> 32;
    }
    return last_mix(h, load64(at + size - 8));
}

}  // namespace detail

inline std::uint32_t hash_bytes(const char* at, std::size_t size) {
    return size < 8 ? detail::last_mix(size, detail::short_word(at, size)) : detail::long_hash(at, size);
}

// The same for a text of at least 1 byte that has 8 readable bytes from its start on.
inline std::uint32_t hash_readable(const char* at, std::size_t size) {
    if constexpr (std::endian::native != std::endian::little) return hash_bytes(at, size);
    return size < 8 ? detail::last_mix(size, detail::load64(at) << (64 - 8 * size)) : detail::long_hash(at, size);
}

inline std::uint32_t hash_bytes(std::string_view text) { return hash_bytes(text.data(), text.size()); }

}  // namespace firsthit
