#include "writing.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "sorting.hpp"

namespace firsthit {
namespace {

void put_escaped(std::string& out, unsigned char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    switch (c) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\b': out += "\\b"; return;
        case '\f': out += "\\f"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default: break;
    }
    out += "\\u00";
    out += digits[c >> 4];
    out += digits[c & 15];
}

bool stands_for_itself(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

// Without a way out of the loop, so that many bytes are looked at together.
bool is_plain(std::string_view text) {
    bool plain = true;
    for (char c : text) plain &= stands_for_itself(c);
    return plain;
}

void put(std::string& out, std::string_view text) {
    out += '"';
    if (is_plain(text)) {
        out += text;
        out += '"';
        return;
    }
    std::size_t written = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (stands_for_itself(text[i])) continue;
        out.append(text, written, i - written);
        put_escaped(out, static_cast<unsigned char>(text[i]));
        written = i + 1;
    }
    out.append(text, written);
    out += '"';
}

template <class Number>
void put_number(std::string& out, Number value) {
    char digits[32];
    auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, end);
}

// The shortest decimal that reads back as the same number.
void put(std::string& out, double value) {
    if (std::isnan(value)) {
        out += "null";
        return;
    }
    put_number(out, value);
}

constexpr std::uint64_t fnv_start = 14695981039346656037u;

std::uint64_t fnv1a(std::uint64_t hash, std::string_view text) {
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
}

// The first eight bytes as a number that orders as they do; a line is longer than that.
std::uint64_t first_eight(std::string_view text) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 8; ++i) number = number << 8 | static_cast<unsigned char>(text[i]);
    return number;
}

Texts hexadecimal(const std::vector<std::uint64_t>& hashes) {
    constexpr std::string_view digits = "0123456789abcdef";
    Texts texts;
    for (std::uint64_t hash : hashes) {
        char text[16];
        for (std::size_t i = 0; i < 16; ++i) text[i] = digits[(hash >> (60 - 4 * i)) & 15];
        texts.add({text, 16});
    }
    return texts;
}

struct Bounds {
    std::size_t start, end;
};

Bounds group(std::span<const std::int64_t> offsets, std::size_t row) {
    return {static_cast<std::size_t>(offsets[row]), static_cast<std::size_t>(offsets[row + 1])};
}

// Writes the value of one row of a column.
struct Writer {
    std::string& out;
    std::size_t row;

    void operator()(const TextColumn& column) const { put(out, column.texts[row]); }
    void operator()(const IntegerColumn& column) const { put_number(out, column.values[row]); }
    void operator()(const NumberColumn& column) const { put(out, column.values[row]); }
    void operator()(const ChoiceColumn& column) const { out += column.tokens[static_cast<std::size_t>(column.values[row])]; }
    void operator()(const RawColumn& column) const { out += column.texts[row]; }
    void operator()(const OptionalTextColumn& column) const {
        if (column.texts[row].empty()) return;
        out += column.before;
        put(out, column.texts[row]);
        out += column.after;
    }

    void operator()(const TextListColumn& column) const {
        list(group(column.offsets, row), '[', ']', [&](std::size_t i) { put(out, column.texts[i]); });
    }
    void operator()(const NumberListColumn& column) const {
        list(group(column.offsets, row), '[', ']', [&](std::size_t i) { put(out, column.values[i]); });
    }
    void operator()(const TextNumbersColumn& column) const {
        list(group(column.offsets, row), '{', '}', [&](std::size_t i) {
            put(out, column.texts[i]);
            out += ':';
            put(out, column.values[i]);
        });
    }
    void operator()(const CountsColumn& column) const {
        const std::size_t width = column.keys.size();
        bool first = true;
        out += '{';
        for (std::size_t i = 0; i < width; ++i) {
            const std::int64_t count = column.counts[row * width + i];
            if (count == 0) continue;
            out += first ? "\"" : ",\"";
            first = false;
            put(out, column.keys[i]);
            out += "\":";
            put_number(out, count);
        }
        out += '}';
    }

    template <class Put>
    void list(Bounds bounds, char open, char close, Put item) const {
        out += open;
        for (std::size_t i = bounds.start; i < bounds.end; ++i) {
            if (i > bounds.start) out += ',';
            item(i);
        }
        out += close;
    }
};

}  // namespace

std::string json_lines(std::span<const Field> fields, std::string_view after, std::size_t start, std::size_t end) {
    std::string out;
    for (std::size_t row = start; row < end; ++row) {
        for (const Field& field : fields) {
            out += field.before;
            std::visit(Writer{out, row}, field.column);
        }
        out += after;
    }
    return out;
}

namespace {

void put_or_null(std::string& out, std::string_view text) {
    if (text.empty()) out += "null";
    else put(out, text);
}

void put_or_null(std::string& out, std::int64_t place) {
    if (place < 0) out += "null";
    else put_number(out, place);
}

// What the label of a row is about: document, source, start, end, quote.
void put_item(std::string& out, const LabelColumns& labels, std::size_t row) {
    if (!labels.evidence) {
        put(out, labels.docs[row]);
        out += ",null,null,null,null";
        return;
    }
    const LabelEvidence& evidence = *labels.evidence;
    put_or_null(out, labels.docs[row]);
    out += ',';
    put_or_null(out, evidence.sources[row]);
    out += ',';
    put_or_null(out, evidence.starts[row]);
    out += ',';
    put_or_null(out, evidence.ends[row]);
    out += ',';
    put_or_null(out, evidence.quotes[row]);
}

}  // namespace

LabelLines::LabelLines(const LabelColumns& labels) {
    constexpr std::size_t around = 48;  // brackets, commas, nulls and a grade; room that is not used costs nothing
    const std::size_t count = labels.query.size();
    lines_.reserve(labels.docs.bytes.size() + count * around + 2 * labels.queries.bytes.size());
    offsets_.reserve(count + 1);
    for (std::size_t row = 0; row < count; ++row) {
        lines_ += '[';
        put(lines_, labels.queries[static_cast<std::size_t>(labels.query[row])]);
        lines_ += ',';
        put_item(lines_, labels, row);
        lines_ += ',';
        if (!labels.needs) lines_ += "null";
        else if (labels.evidence) put_or_null(lines_, (*labels.needs)[row]);
        else put(lines_, (*labels.needs)[row]);
        lines_ += ',';
        put(lines_, labels.grades[row]);
        lines_ += "]\n";
        offsets_.push_back(lines_.size());
    }
    sort();
}

std::string_view LabelLines::line(std::size_t row) const {
    return std::string_view(lines_).substr(offsets_[row], offsets_[row + 1] - offsets_[row]);
}

// Most lines differ in the first eight bytes of their query: those are sorted by counting, the lower half first, and
// lines are compared only where they are equal.
void LabelLines::sort() {
    const std::size_t count = offsets_.size() - 1;
    std::vector<std::uint64_t> first(count), values(count), other;
    for (std::uint32_t row = 0; row < count; ++row) {
        first[row] = first_eight(line(row).substr(2));
        values[row] = first[row] << 32 | row;
    }
    sort_by_upper_half(values, other);
    for (std::uint64_t& value : values) value = (first[value & 0xFFFFFFFF] & ~std::uint64_t{0xFFFFFFFF}) | (value & 0xFFFFFFFF);
    sort_by_upper_half(values, other);
    for (std::uint64_t value : values) order_.push_back(static_cast<std::uint32_t>(value));
    for (std::size_t start = 0, end = 0; start < count; start = end) {
        for (end = start + 1; end < count && first[order_[end]] == first[order_[start]];) ++end;
        auto from = order_.begin() + static_cast<std::ptrdiff_t>(start), to = order_.begin() + static_cast<std::ptrdiff_t>(end);
        if (end - start > 1) std::sort(from, to, [this](auto a, auto b) { return line(a) < line(b); });
    }
}

std::string LabelLines::text(std::size_t start, std::size_t end) const {
    std::string text;
    for (std::size_t i = start; i < end; ++i) text += line(order_[i]);
    return text;
}

Texts LabelLines::digests(std::span<const std::int32_t> query, std::size_t queries) const {
    std::vector<std::uint64_t> hashes(queries, fnv_start);
    for (std::uint32_t row : order_) {
        std::uint64_t& hash = hashes[static_cast<std::size_t>(query[row])];
        hash = fnv1a(hash, line(row));
    }
    return hexadecimal(hashes);
}

}  // namespace firsthit
