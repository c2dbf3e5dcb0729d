// What the rows of a run say of the documents themselves: source, span, text, tokens; kept once for each document.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena.hpp"
#include "lines.hpp"
#include "problem.hpp"

namespace firsthit {

enum class PassageField : std::uint8_t { source, start, end, text, tokens };
constexpr std::size_t passage_field_count = 5;

std::string_view name_of(PassageField field);
bool is_number(PassageField field);

double number_of(std::string_view text);  // NaN where there is none
// Whether two values are one: numbers may be spelled differently.
bool is_same(PassageField field, std::string_view a, std::string_view b);

// Whether passages are kept, and which fields of them, in the order of the enumeration.
struct PassageSettings {
    bool kept = false;
    std::vector<PassageField> fields;

    std::vector<Role> roles() const;  // all optional
};

// The fields of one row, as text; empty: there is none.
using PassageRow = std::array<std::string_view, passage_field_count>;

// Where a row stands: the part of the run that it is in, and its line there, from 1. They order as the file does.
struct RowPlace {
    std::uint32_t part = 0;
    std::uint32_t line = 0;

    friend auto operator<=>(const RowPlace&, const RowPlace&) = default;
};

// Distinct documents, numbered in order of first appearance, each with the first value of every field; and for each
// field of a document the first value that differs. So much of two tables can be put together to that of both, in
// whichever order their rows stood.
class PassageTable {
public:
    // One document. Its id and the values of its fields lie one after the other at `bytes`.
    struct Entry {
        const char* bytes = nullptr;
        RowPlace first;
        std::uint32_t id_size = 0;
        std::array<std::uint32_t, passage_field_count> sizes{};

        std::string_view id() const { return {bytes, id_size}; }
    };
    struct Other {
        RowPlace place;
        std::string value;  // its start, to be shown
    };
    using Others = std::map<std::pair<std::uint32_t, std::size_t>, Other>;

    explicit PassageTable(const PassageSettings& settings) : fields_(settings.fields) {}

    // Brings what add() will look at for documents with these hashes closer: a table that does not fit the cache is
    // waited for once and not once a row.
    void expect(std::span<const std::uint32_t> hashes) const;
    static constexpr std::size_t most_expected = 32;

    // Takes a row and gives its document's number. `bad` is set when one of its numbers is none: then the row is not
    // taken. The id has at least one byte.
    std::uint32_t add(std::string_view doc, std::uint32_t hash, const PassageRow& row, RowPlace place, std::size_t& bad);
    static constexpr std::size_t none_bad = static_cast<std::size_t>(-1);

    std::size_t size() const { return entries_.size(); }
    const Entry& entry(std::uint32_t number) const { return entries_[number]; }
    std::string_view value(std::uint32_t number, std::size_t field) const;
    RowPlace place_of_value(std::uint32_t number, std::size_t field) const;
    const Others& others() const { return others_; }
    const std::vector<PassageField>& fields() const { return fields_; }

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number_after = 0;  // 0: empty
    };

    // Where a hash belongs. Its lower bits alone do not tell ids that differ in their last characters.
    std::size_t home_of(std::uint32_t hash) const { return (hash * std::uint32_t{0x9E3779B9u}) >> home_shift_; }
    std::size_t slot_of(std::string_view doc, std::uint32_t hash) const;
    static bool is_of(const Entry& entry, std::string_view doc);
    const Entry* likely_entry(std::uint32_t hash) const;
    void grow();
    std::size_t bad_number(const PassageRow& row) const;
    void insert(std::string_view doc, const PassageRow& row, RowPlace place);
    bool equals(const Entry& entry, const PassageRow& row) const;
    void compare(std::uint32_t number, const PassageRow& row, RowPlace place);
    void fill(std::uint32_t number, std::size_t field, std::string_view value, RowPlace place);

    std::vector<PassageField> fields_;
    std::vector<Entry> entries_;
    std::vector<Slot> slots_ = std::vector<Slot>(std::size_t{1} << 10);
    std::uint32_t home_shift_ = 32 - 10;
    std::map<std::pair<std::uint32_t, std::size_t>, RowPlace> filled_;  // values that did not come from the first row
    Others others_;
    Arena arena_;
};

}  // namespace firsthit
