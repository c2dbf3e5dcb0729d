#include "passages.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "number.hpp"

namespace firsthit {

namespace {

constexpr std::array<std::string_view, passage_field_count> names = {"source", "start", "end", "text", "tokens"};

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

void PassageTable::prefetch(std::uint32_t hash) const {
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
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
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
        const Slot& slot = slots_[at];
        if (slot.number_after == 0 || (slot.hash == hash && entries_[slot.number_after - 1].id() == doc)) return at;
    }
}

void PassageTable::grow() {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.number_after == 0) continue;
        std::size_t at = slot.hash & mask;
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
        if (std::string_view(at, entry.sizes[i]) != row[i]) return false;
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
