#include "texts.hpp"

#include <utility>

#include "hash.hpp"

namespace firsthit {

Interner::Slot Interner::slot_for(std::string_view text) {
    std::uint64_t last = text.size() < 8 ? detail::short_word(text.data(), text.size()) : detail::load64(text.data() + text.size() - 8);
    return {last, static_cast<std::uint32_t>(text.size()), none};
}

bool Interner::holds(const Slot& slot, const Slot& wanted, std::string_view text) const {
    if (slot.last_bytes != wanted.last_bytes || slot.size != wanted.size) return false;
    return slot.size <= 8 || texts_[slot.number] == text;
}

std::uint32_t Interner::find(std::string_view text, std::uint32_t hash) const {
    return slots_[place_of(slot_for(text), text, hash)].number;
}

std::uint32_t Interner::add(std::string_view text, std::uint32_t hash) {
    Slot slot = slot_for(text);
    std::size_t at = place_of(slot, text, hash);
    if (slots_[at].number != none) return slots_[at].number;
    slot.number = static_cast<std::uint32_t>(size());
    slots_[at] = slot;
    texts_.add(text);
    if (2 * size() > slots_.size()) grow();
    return slot.number;
}

std::size_t Interner::place_of(const Slot& wanted, std::string_view text, std::uint32_t hash) const {
    std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].number != none && !holds(slots_[at], wanted, text)) at = (at + 1) & mask;
    return at;
}

void Interner::grow() {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.number == none) continue;
        std::size_t at = hash_bytes(texts_[slot.number]) & mask;
        while (slots_[at].number != none) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

}  // namespace firsthit
