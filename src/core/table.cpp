#include "table.hpp"

#include <algorithm>
#include <utility>

namespace firsthit {

namespace {

std::vector<Role> roles_of(const std::vector<std::string>& texts, const std::vector<std::string>& numbers) {
    std::vector<Role> roles;
    for (const std::string& name : texts) roles.push_back({name, is_id_role(name) ? RoleKind::id : RoleKind::text});
    for (const std::string& name : numbers) roles.push_back({name, RoleKind::number});
    return roles;
}

}  // namespace

bool is_id_role(std::string_view role) { return role == "query" || role == "doc"; }

Table::Table(const Layout& layout, const std::vector<std::string>& texts, const std::vector<std::string>& numbers)
    : cutter_(layout.header, nullptr),
      reader_(layout, roles_of(texts, numbers)),
      scanner_(layout),
      columns_(texts.size(), numbers.size()) {}

void Table::feed(std::string_view block, bool last) {
    std::vector<Piece> pieces;
    cutter_.add({nullptr, block}, last, pieces);
    lines_ = std::max(lines_, cutter_.header_lines());
    for (const Piece& piece : pieces) read(piece.text);
}

void Table::read(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        Line line = line_at(text, at);
        read_line(line.text);
        at = line.next;
    }
}

void Table::read_line(std::string_view line) {
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
}

Columns Table::finish() {
    if (!cutter_.ended()) feed({}, true);
    return std::move(columns_);
}

}  // namespace firsthit
