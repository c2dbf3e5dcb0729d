// Many strings as one block of bytes and offsets: string i is bytes[offsets[i], offsets[i + 1]).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "prefetch.hpp"

namespace firsthit {

struct TextsView {
    std::span<const char> bytes;
    std::span<const std::int64_t> offsets;

    std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
    std::string_view operator[](std::size_t i) const {
        auto start = static_cast<std::size_t>(offsets[i]);
        return {bytes.data() + start, static_cast<std::size_t>(offsets[i + 1]) - start};
    }
};

struct Texts {
    std::vector<char> bytes;
    std::vector<std::int64_t> offsets{0};

    void add(std::string_view text) {
        bytes.insert(bytes.end(), text.begin(), text.end());
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    std::size_t size() const { return offsets.size() - 1; }
    std::string_view operator[](std::size_t i) const { return TextsView{bytes, offsets}[i]; }
};

// Numbers distinct strings in order of first appearance.
class Interner {
public:
    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

    std::uint32_t find(std::string_view text, std::uint32_t hash) const;
    // Says that a text with this hash is looked for soon.
    void expect(std::uint32_t hash) const { prefetch(&slots_[hash & (slots_.size() - 1)]); }
    std::uint32_t add(std::string_view text, std::uint32_t hash);  // its number, new or not
    const Texts& texts() const { return texts_; }
    std::size_t size() const { return texts_.size(); }

private:
    // The last bytes stand in the slot: a short text is told from all others without a look at its bytes.
    struct Slot {
        std::uint64_t last_bytes = 0;
        std::uint32_t size = 0;
        std::uint32_t number = none;
    };

    static Slot slot_for(std::string_view text);
    bool holds(const Slot& slot, const Slot& wanted, std::string_view text) const;
    std::size_t place_of(const Slot& wanted, std::string_view text, std::uint32_t hash) const;
    void grow();

    Texts texts_;
    std::vector<Slot> slots_ = std::vector<Slot>(64);
};

}  // namespace firsthit
