#include "lines.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "number.hpp"

namespace firsthit {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The size of the UTF-8 sequence that starts at text[0], or 0 when it is malformed, overlong or a surrogate.
std::size_t sequence_size(std::string_view text) {
    auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    unsigned a = byte(0), b = byte(1);
    if (a < 0x80) return 1;
    if (a < 0xC2 || a > 0xF4 || text.size() < 2 || !continues(text[1])) return 0;
    if (a < 0xE0) return 2;
    if ((a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F) || (a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F))
        return 0;
    std::size_t size = a < 0xF0 ? 3 : 4;
    if (text.size() < size || !continues(text[2]) || (size == 4 && !continues(text[3]))) return 0;
    return size;
}

}  // namespace

bool Layout::has(std::string_view role) const { return kind == LayoutKind::json ? keys.contains(role) : columns.contains(role); }

Line line_at(std::string_view text, std::size_t start) {
    std::size_t end = std::min(text.find('\n', start), text.size());
    std::size_t next = std::min(end + 1, text.size());
    if (end > start && text[end - 1] == '\r') --end;
    return {text.substr(start, end - start), next};
}

std::size_t start_of_line_before(std::string_view text, std::size_t end) {
    if (end < 2) return 0;
    std::size_t feed = text.rfind('\n', end - 2);
    return feed == std::string_view::npos ? 0 : feed + 1;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

bool is_blank_line(std::string_view line) { return std::all_of(line.begin(), line.end(), is_blank); }

bool is_utf8(std::string_view text) {
    for (std::uint64_t word; text.size() >= 8; text.remove_prefix(8)) {
        std::memcpy(&word, text.data(), 8);
        if ((word & 0x8080808080808080u) != 0) break;
    }
    while (!text.empty()) {
        std::size_t size = sequence_size(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

LineReader::LineReader(const Layout& layout, std::vector<Role> roles) : layout_(layout), roles_(std::move(roles)) {
    std::size_t needed = 0;
    for (const Role& role : roles_) {
        if (!layout_.has(role.name) && role.presence == Presence::needed)
            throw std::invalid_argument("the layout does not say where the " + role.name + " stands");
        auto column = layout_.columns.find(role.name);
        columns_.push_back(column == layout_.columns.end() ? no_column : column->second);
        if (columns_.back() != no_column) needed = std::max(needed, columns_.back() + 1);
        auto keys = layout_.keys.find(role.name);
        keys_.push_back(keys == layout_.keys.end() ? std::vector<std::string>{} : keys->second);
        for (std::size_t rank = 0; rank < keys_.back().size(); ++rank) key_uses_.add(keys_.back()[rank], {keys_.size() - 1, rank});
    }
    tokens_.resize(needed);
    fields_.resize(roles_.size());
    key_rank_.resize(roles_.size());
}

bool LineReader::takes_null(std::string_view key) const {
    return std::ranges::all_of(key_uses_.of(key), [this](KeyUses::Use use) { return roles_[use.role].presence == Presence::optional; });
}

LineState LineReader::read(std::string_view line, Arena& arena) {
    if (is_blank_line(line)) return LineState::blank;
    if (layout_.comments && line[0] == '#') return LineState::comment;
    std::fill(fields_.begin(), fields_.end(), Field{});
    LineState state = check_bytes(line);
    if (state == LineState::data) state = split(line, arena);
    return state == LineState::data ? check_roles() : state;
}

LineState LineReader::broken(ProblemKind kind, std::string_view value, std::int64_t other) {
    fault_ = {kind, value, other};
    return LineState::broken;
}

LineState LineReader::check_bytes(std::string_view line) {
    if (line.find('\0') != std::string_view::npos) return broken(ProblemKind::nul, line);
    if (!is_utf8(line)) return broken(ProblemKind::utf8, line);
    return LineState::data;
}

LineState LineReader::split(std::string_view line, Arena& arena) {
    if (layout_.kind == LayoutKind::json) return read_json(line, arena);
    if (layout_.kind == LayoutKind::blank) return assign(line, split_blank(line));
    if (layout_.kind == LayoutKind::delimited) return assign(line, split_delimited(line));
    std::size_t found = 0;
    if (!split_csv(line, arena, found)) return broken(ProblemKind::quote, line);
    return assign(line, found);
}

LineState LineReader::assign(std::string_view line, std::size_t found) {
    bool wrong = found < layout_.fewest || (layout_.most != 0 && found > layout_.most);
    for (std::size_t role = 0; role < roles_.size(); ++role) {
        if (columns_[role] < found)
            fields_[role] = {.text = tokens_[columns_[role]], .present = true};
        else if (roles_[role].presence == Presence::needed)
            wrong = true;
    }
    return wrong ? broken(ProblemKind::fields, line, static_cast<std::int64_t>(found)) : LineState::data;
}

void LineReader::push(std::size_t index, std::string_view field) {
    if (index < tokens_.size()) tokens_[index] = field;
}

std::size_t LineReader::split_blank(std::string_view line) {
    std::size_t found = 0;
    auto at = line.begin();
    while ((at = std::find_if_not(at, line.end(), is_blank)) != line.end()) {
        auto end = std::find_if(at, line.end(), is_blank);
        push(found++, {at, end});
        at = end;
    }
    return found;
}

std::size_t LineReader::split_delimited(std::string_view line) {
    std::size_t found = 0;
    for (std::size_t start = 0; start <= line.size();) {
        std::size_t end = std::min(line.find(layout_.delimiter, start), line.size());
        push(found++, line.substr(start, end - start));
        start = end + 1;
    }
    return found;
}

namespace {

// The end of the quoted field that starts at line[start] (just after its closing quote), or npos.
std::size_t end_of_quoted(std::string_view line, std::size_t start) {
    for (std::size_t at = start + 1;;) {
        at = line.find('"', at);
        if (at == std::string_view::npos) return at;
        if (at + 1 == line.size() || line[at + 1] != '"') return at + 1;
        at += 2;
    }
}

std::string_view unquoted(std::string_view quoted, Arena& arena) {
    std::string_view inner = quoted.substr(1, quoted.size() - 2);
    if (inner.find('"') == std::string_view::npos) return inner;
    char* out = arena.take(inner.size());
    std::size_t size = 0;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        out[size++] = inner[i];
        if (inner[i] == '"') ++i;
    }
    return {out, size};
}

}  // namespace

bool LineReader::split_csv(std::string_view line, Arena& arena, std::size_t& found) {
    for (std::size_t start = 0; start <= line.size();) {
        bool quoted = start < line.size() && line[start] == '"';
        std::size_t end = quoted ? end_of_quoted(line, start) : std::min(line.find(layout_.delimiter, start), line.size());
        if (end == std::string_view::npos || (end < line.size() && line[end] != layout_.delimiter)) return false;
        std::string_view field = line.substr(start, end - start);
        if (!quoted && field.find('"') != std::string_view::npos) return false;
        push(found++, quoted ? unquoted(field, arena) : field);
        start = end + 1;
    }
    return true;
}

LineState LineReader::read_json(std::string_view line, Arena& arena) {
    std::fill(key_rank_.begin(), key_rank_.end(), no_column);
    JsonObject object(line, arena);
    std::string_view key;
    JsonValue value;
    while (object.next(key, value)) take_member(key, value);
    bool repeated = std::any_of(fields_.begin(), fields_.end(), [](const Field& field) { return field.repeated; });
    return object.broken() || repeated ? broken(ProblemKind::json, line) : LineState::data;
}

// Of several accepted keys the first in the role's list wins; only its repetition matters.
void LineReader::take_member(std::string_view key, const JsonValue& value) {
    for (auto [role, rank] : key_uses_.of(key)) {
        if (rank > key_rank_[role]) continue;
        bool repeated = rank == key_rank_[role];
        fields_[role] = {.text = value.text, .present = true, .repeated = repeated, .type = value.type};
        key_rank_[role] = rank;
    }
}

LineState LineReader::check_roles() {
    for (std::size_t role = 0; role < roles_.size(); ++role) {
        LineState state = check_role(role);
        if (state != LineState::data) return state;
    }
    return LineState::data;
}

LineState LineReader::check_role(std::size_t role) {
    const std::string& name = roles_[role].name;
    if (roles_[role].presence == Presence::optional && is_absent(role)) {
        fields_[role] = {};
        fields_[role].number = std::numeric_limits<double>::quiet_NaN();
        return LineState::data;
    }
    if (!fields_[role].present)
        return roles_[role].presence == Presence::looked_at ? LineState::data : broken(ProblemKind::missing, name);
    if (roles_[role].kind == RoleKind::whole) return check_whole(role);
    return roles_[role].kind == RoleKind::number ? check_number(role) : check_text(role);
}

bool LineReader::is_absent(std::size_t role) const {
    const Field& field = fields_[role];
    return !field.present || field.type == JsonType::null || (field.type == JsonType::string && field.text.empty());
}

LineState LineReader::check_text(std::size_t role) {
    const Field& field = fields_[role];
    const std::string& name = roles_[role].name;
    if (field.type == JsonType::not_text) return broken(ProblemKind::utf8, name);
    if (field.type != JsonType::string && field.type != JsonType::integer) return broken(ProblemKind::type, name);
    if (field.text.empty() && roles_[role].kind == RoleKind::id) return broken(ProblemKind::empty_id, name);
    return LineState::data;
}

LineState LineReader::check_number(std::size_t role) {
    Field& field = fields_[role];
    const bool is_looked_at = roles_[role].presence == Presence::looked_at;
    if (field.type == JsonType::other || field.type == JsonType::null)
        return is_looked_at ? LineState::data : broken(ProblemKind::type, roles_[role].name);
    Number number = parse_number(field.text);
    field.number = number.value;
    field.readable = number.state == NumberState::ok;
    if (field.readable || is_looked_at) return LineState::data;
    bool finite = number.state == NumberState::unreadable;
    return broken(finite ? ProblemKind::number : ProblemKind::not_finite, field.text);
}

// A whole number's role gives the kind of problem its name.
LineState LineReader::check_whole(std::size_t role) {
    const Field& field = fields_[role];
    if (field.type == JsonType::other || field.type == JsonType::null) return broken(ProblemKind::type, roles_[role].name);
    if (field.type == JsonType::not_text) return broken(ProblemKind::utf8, roles_[role].name);
    if (is_whole_number(field.text)) return LineState::data;
    return broken(problem_named(roles_[role].name), field.text);
}

}  // namespace firsthit
