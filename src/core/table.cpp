#include "table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "number.hpp"

namespace firsthit {

namespace {

std::vector<Role> roles_of(const std::vector<std::string>& texts, const std::vector<std::string>& numbers,
                           const std::vector<std::string>& optional) {
    auto presence_of = [&optional](const std::string& name) {
        return std::ranges::find(optional, name) == optional.end() ? Presence::needed : Presence::optional;
    };
    std::vector<Role> roles;
    for (const std::string& name : texts) roles.push_back({name, is_id_role(name) ? RoleKind::id : RoleKind::text, presence_of(name)});
    for (const std::string& name : numbers) roles.push_back({name, RoleKind::number, presence_of(name)});
    return roles;
}

constexpr Number nothing{std::numeric_limits<double>::quiet_NaN(), NumberState::ok};

}  // namespace

bool is_id_role(std::string_view role) { return role == "query" || role == "doc"; }

Table::Table(const Layout& layout, const std::vector<std::string>& texts, const std::vector<std::string>& numbers,
             const std::vector<std::string>& optional)
    : cutter_(layout.header, nullptr),
      reader_(layout, roles_of(texts, numbers, optional)),
      scanner_(layout),
      columns_(texts.size(), numbers.size()),
      numbers_(numbers.size()) {
    for (std::size_t role = 0; role < texts.size() + numbers.size(); ++role)
        if (reader_.column(role) != LineReader::no_column) last_column_ = std::max(last_column_, reader_.column(role));
}

void Table::feed(std::string_view block, bool last) {
    std::vector<Piece> pieces;
    cutter_.add({nullptr, block}, last, pieces);
    lines_ = std::max(lines_, cutter_.header_lines());
    for (const Piece& piece : pieces) read(piece.text);
}

void Table::read(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        at += read_alike(text.substr(at));
        if (at == text.size()) break;
        Line line = line_at(text, at);
        std::size_t stop = at + line.text.size();
        read_line(line.text, stop < text.size() && text[stop] == '\r');
        at = line.next;
    }
}

// Reads lines as long as they look like the one before; returns their size.
std::size_t Table::read_alike(std::string_view text) {
    if (scanner_.fields() <= last_column_) return 0;
    const char* at = text.data();
    const char* end = at + text.size();
    while (at < end && !scanner_.starts_comment(at) && scanner_.split(at, end) && add_split()) {
        at = scanner_.next();
        columns_.lines.push_back(++lines_);
    }
    return static_cast<std::size_t>(at - text.data());
}

// A field of a line that was split: none of these is empty but that of a role without a column.
std::string_view Table::split_field(std::size_t role) const {
    std::size_t column = reader_.column(role);
    return column == LineReader::no_column ? std::string_view() : scanner_.field(column);
}

// Adds the row of a line that was split, unless a number of it must be refused.
bool Table::add_split() {
    std::size_t role = columns_.texts.size();
    for (double& value : numbers_) {
        std::string_view field = split_field(role++);
        Number number = field.empty() ? nothing : parse_number(field);
        if (number.state != NumberState::ok) return false;
        value = number.value;
    }
    role = 0;
    for (Texts& texts : columns_.texts) texts.add(split_field(role++));
    for (std::size_t i = 0; i < numbers_.size(); ++i) columns_.numbers[i].push_back(numbers_[i]);
    return true;
}

void Table::read_line(std::string_view line, bool ends_with_cr) {
    ++lines_;
    LineState state = reader_.read(line, arena_);
    columns_.blank_lines += state == LineState::blank;
    columns_.comment_lines += state == LineState::comment;
    const Fault& fault = reader_.fault();
    if (state == LineState::broken) columns_.problems.add(fault.kind, lines_, fault.value, fault.other);
    if (state != LineState::data) return;
    std::size_t role = 0;
    for (Texts& texts : columns_.texts) texts.add(reader_.field(role++));
    for (std::vector<double>& numbers : columns_.numbers) numbers.push_back(reader_.number(role++));
    columns_.lines.push_back(lines_);
    arena_.clear();
    scanner_.learn(line, ends_with_cr);
}

Columns Table::finish() {
    if (!cutter_.ended()) feed({}, true);
    return std::move(columns_);
}

}  // namespace firsthit
