#include "texts.hpp"

#include <utility>

namespace firsthit {

std::uint32_t Interner::find(std::string_view text, std::uint32_t hash) const {
    return slots_[slot_of(text, hash)].number;
}

std::uint32_t Interner::add(std::string_view text, std::uint32_t hash) {
    std::size_t at = slot_of(text, hash);
    if (slots_[at].number != none) return slots_[at].number;
    auto number = static_cast<std::uint32_t>(size());
    slots_[at] = {hash, number};
    texts_.add(text);
    if (2 * size() > slots_.size()) grow();
    return number;
}

std::size_t Interner::slot_of(std::string_view text, std::uint32_t hash) const {
    std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].number != none && !(slots_[at].hash == hash && texts_[slots_[at].number] == text))
        at = (at + 1) & mask;
    return at;
}

void Interner::grow() {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.number == none) continue;
        std::size_t at = slot.hash & mask;
        while (slots_[at].number != none) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

}  // namespace firsthit
