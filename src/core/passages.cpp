#include "passages.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "hash.hpp"
#include "number.hpp"

namespace firsthit {

namespace {

constexpr std::array<std::string_view, passage_field_count> names = {"source", "start", "end", "text", "tokens"};

// Most ids and numbers are short: a call for each would take longer than the comparison.
inline bool equal_bytes(const char* a, const char* b, std::size_t size) {
    if (size < 8) return detail::short_word(a, size) == detail::short_word(b, size);
    if (size > 16) return std::memcmp(a, b, size) == 0;
    return detail::load64(a) == detail::load64(b) && detail::load64(a + size - 8) == detail::load64(b + size - 8);
}

}  // namespace

std::string_view name_of(PassageField field) { return names[static_cast<std::size_t>(field)]; }

bool is_number(PassageField field) { return field != PassageField::source && field != PassageField::text; }

double number_of(std::string_view text) {
    return text.empty() ? std::numeric_limits<double>::quiet_NaN() : parse_number(text).value;
}

bool is_same(PassageField field, std::string_view a, std::string_view b) {
    return a == b || (is_number(field) && number_of(a) == number_of(b));
}

std::vector<Role> PassageSettings::roles() const {
    std::vector<Role> roles;
    for (PassageField field : fields)
        roles.push_back({std::string(name_of(field)), is_number(field) ? RoleKind::whole : RoleKind::text, Presence::optional});
    return roles;
}

void PassageTable::expect(std::span<const std::uint32_t> hashes) const {
    constexpr std::uint32_t line = 64, most = 1024;
    for (std::uint32_t hash : hashes) __builtin_prefetch(&slots_[home_of(hash)]);
    std::array<const Entry*, most_expected> entries;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        entries[i] = likely_entry(hashes[i]);
        if (entries[i]) __builtin_prefetch(entries[i]);
    }
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        const Entry* entry = entries[i];
        if (!entry) continue;
        std::uint32_t size = std::accumulate(entry->sizes.begin(), entry->sizes.end(), entry->id_size);
        for (std::uint32_t at = 0; at < std::min(size, most); at += line) __builtin_prefetch(entry->bytes + at);
    }
}

// The entry of the first document with this hash.
const PassageTable::Entry* PassageTable::likely_entry(std::uint32_t hash) const {
    std::size_t mask = slots_.size() - 1;
    for (std::size_t at = home_of(hash);; at = (at + 1) & mask) {
        const Slot& slot = slots_[at];
        if (slot.number_after == 0) return nullptr;
        if (slot.hash == hash) return &entries_[slot.number_after - 1];
    }
}

std::string_view PassageTable::value(std::uint32_t number, std::size_t field) const {
    const Entry& entry = entries_[number];
    const char* at = entry.bytes + entry.id_size;
    for (std::size_t i = 0; i < field; ++i) at += entry.sizes[i];
    return {at, entry.sizes[field]};
}

RowPlace PassageTable::place_of_value(std::uint32_t number, std::size_t field) const {
    auto found = filled_.find({number, field});
    return found == filled_.end() ? entries_[number].first : found->second;
}

std::uint32_t PassageTable::add(std::string_view doc, std::uint32_t hash, const PassageRow& row, RowPlace place, std::size_t& bad) {
    bad = none_bad;
    std::size_t at = slot_of(doc, hash);
    if (slots_[at].number_after != 0) {
        std::uint32_t number = slots_[at].number_after - 1;
        if (equals(entries_[number], row)) return number;
        bad = bad_number(row);
        if (bad == none_bad) compare(number, row, place);
        return number;
    }
    bad = bad_number(row);
    if (bad != none_bad) return 0;
    insert(doc, row, place);
    slots_[at] = {hash, static_cast<std::uint32_t>(entries_.size())};
    if (2 * entries_.size() > slots_.size()) grow();
    return static_cast<std::uint32_t>(entries_.size() - 1);
}

std::size_t PassageTable::slot_of(std::string_view doc, std::uint32_t hash) const {
    std::size_t mask = slots_.size() - 1;
    for (std::size_t at = home_of(hash);; at = (at + 1) & mask) {
        const Slot& slot = slots_[at];
        if (slot.number_after == 0 || (slot.hash == hash && is_of(entries_[slot.number_after - 1], doc))) return at;
    }
}

bool PassageTable::is_of(const Entry& entry, std::string_view doc) {
    return entry.id_size == doc.size() && equal_bytes(entry.bytes, doc.data(), doc.size());
}

void PassageTable::grow() {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    --home_shift_;
    std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.number_after == 0) continue;
        std::size_t at = home_of(slot.hash);
        while (slots_[at].number_after != 0) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

std::size_t PassageTable::bad_number(const PassageRow& row) const {
    for (std::size_t i = 0; i < fields_.size(); ++i)
        if (is_number(fields_[i]) && !row[i].empty() && !is_whole_number(row[i])) return i;
    return none_bad;
}

void PassageTable::insert(std::string_view doc, const PassageRow& row, RowPlace place) {
    Entry entry{.first = place, .id_size = static_cast<std::uint32_t>(doc.size())};
    std::size_t size = doc.size();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        entry.sizes[i] = static_cast<std::uint32_t>(row[i].size());
        size += row[i].size();
    }
    char* at = arena_.take(size);
    entry.bytes = at;
    at = std::copy(doc.begin(), doc.end(), at);
    for (std::size_t i = 0; i < fields_.size(); ++i) at = std::copy(row[i].begin(), row[i].end(), at);
    entries_.push_back(entry);
}

bool PassageTable::equals(const Entry& entry, const PassageRow& row) const {
    const char* at = entry.bytes + entry.id_size;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (entry.sizes[i] != row[i].size() || !equal_bytes(at, row[i].data(), row[i].size())) return false;
        at += entry.sizes[i];
    }
    return true;
}

// A value that is there stands for one that is absent; the first that differs is remembered.
void PassageTable::compare(std::uint32_t number, const PassageRow& row, RowPlace place) {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        std::string_view known = value(number, i);
        if (row[i].empty() || known == row[i]) continue;
        if (known.empty())
            fill(number, i, row[i], place);
        else if (!is_same(fields_[i], known, row[i]))
            others_.try_emplace({number, i}, place, std::string(row[i].substr(0, Problems::longest_value)));
    }
}

void PassageTable::fill(std::uint32_t number, std::size_t field, std::string_view value, RowPlace place) {
    Entry& entry = entries_[number];
    std::string_view before{entry.bytes, entry.id_size}, after;
    for (std::size_t i = 0; i < field; ++i) before = {entry.bytes, before.size() + entry.sizes[i]};
    std::size_t rest = 0;
    for (std::size_t i = field + 1; i < fields_.size(); ++i) rest += entry.sizes[i];
    after = {before.data() + before.size(), rest};
    char* at = arena_.take(before.size() + value.size() + after.size());
    entry.bytes = at;
    at = std::copy(before.begin(), before.end(), at);
    at = std::copy(value.begin(), value.end(), at);
    std::copy(after.begin(), after.end(), at);
    entry.sizes[field] = static_cast<std::uint32_t>(value.size());
    filled_[{number, field}] = place;
}

}  // namespace firsthit
