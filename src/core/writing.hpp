// JSON text made from columns: the lines of a saved evaluation, and the sorted lines that a label digest is over.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "texts.hpp"

namespace firsthit {

// One string a row.
struct TextColumn {
    TextsView texts;
};
// One integer a row.
struct IntegerColumn {
    std::span<const std::int64_t> values;
};
// One number a row; NaN is null.
struct NumberColumn {
    std::span<const double> values;
};
// One of a few tokens a row, written as it is.
struct ChoiceColumn {
    std::vector<std::string> tokens;
    std::span<const std::int64_t> values;
};
// A list of strings a row: group i is texts offsets[i] to offsets[i + 1].
struct TextListColumn {
    std::span<const std::int64_t> offsets;
    TextsView texts;
};
// A list of numbers a row.
struct NumberListColumn {
    std::span<const std::int64_t> offsets;
    std::span<const double> values;
};
// An object of numbers by string a row.
struct TextNumbersColumn {
    std::span<const std::int64_t> offsets;
    TextsView texts;
    std::span<const double> values;
};
// An object a row: how often each key occurs, keys that do not occur left out; one count for each key and row.
struct CountsColumn {
    std::vector<double> keys;
    std::span<const std::int64_t> counts;
};
// JSON text a row, written as it is.
struct RawColumn {
    TextsView texts;
};
// A string a row between two pieces of text; nothing at all where it is empty.
struct OptionalTextColumn {
    std::string before, after;
    TextsView texts;
};

using Column = std::variant<TextColumn, IntegerColumn, NumberColumn, ChoiceColumn, TextListColumn, NumberListColumn,
                            TextNumbersColumn, CountsColumn, RawColumn, OptionalTextColumn>;

// What stands before a column's value, and the column.
struct Field {
    std::string before;
    Column column;
};

// Rows start to end: all fields of a row one after the other, then `after`.
std::string json_lines(std::span<const Field> fields, std::string_view after, std::size_t start, std::size_t end);

// What labels point at beyond documents: a text is empty and a place below 0 where there is none.
struct LabelEvidence {
    TextsView sources;
    std::span<const std::int64_t> starts, ends;
    TextsView quotes;
};

// The rows of a label set. With evidence a document and a need may be empty, which stands for none.
struct LabelColumns {
    TextsView queries;
    std::span<const std::int32_t> query;
    TextsView docs;
    std::optional<TextsView> needs;
    std::span<const double> grades;
    std::optional<LabelEvidence> evidence;
};

// The rows of a label set as JSON arrays, one a line, sorted by bytes; and for each query the digest of its lines,
// 64-bit FNV-1a as 16 hexadecimal digits. It tells labels that changed by accident, not by intent.
class LabelLines {
public:
    explicit LabelLines(const LabelColumns& labels);

    std::size_t size() const { return order_.size(); }
    std::string text(std::size_t start, std::size_t end) const;  // the sorted lines start to end
    Texts digests(std::span<const std::int32_t> query, std::size_t queries) const;

private:
    std::string_view line(std::size_t row) const;
    void sort();

    std::string lines_;
    std::vector<std::size_t> offsets_{0};
    std::vector<std::uint32_t> order_;
};

}  // namespace firsthit
