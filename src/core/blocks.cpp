#include "blocks.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace firsthit {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

Piece owned(std::string text) {
    auto owner = std::make_shared<const std::string>(std::move(text));
    return {owner, *owner};
}

}  // namespace

bool Borders::read_query(std::string_view line, std::string& query) {
    if (reader_.read(line, arena_) != LineState::data) return false;
    query = reader_.field(query_role_);
    arena_.clear();
    return true;
}

// Saves reading most lines: one that starts with the query and a separator is of that query, or no record at all.
bool Borders::surely_of(std::string_view line, std::string_view query) const {
    const Layout& layout = reader_.layout();
    if (layout.kind == LayoutKind::json || layout.kind == LayoutKind::csv || reader_.column(query_role_) != 0) return false;
    if (query.empty() || line.size() <= query.size() || !line.starts_with(query)) return false;
    char after = line[query.size()];
    return layout.kind == LayoutKind::blank ? is_blank(after) : after == layout.delimiter;
}

std::size_t Borders::first(std::string_view text, std::string& query) {
    std::string found;
    for (std::size_t at = 0; at < text.size();) {
        Line line = line_at(text, at);
        if (!surely_of(line.text, query) && read_query(line.text, found)) {
            if (query.empty()) query = found;
            if (found != query) return at;
        }
        at = line.next;
    }
    return text.size();
}

std::size_t Borders::last(std::string_view text) {
    std::string found, query;
    for (std::size_t end = text.size(); end > 0;) {
        std::size_t start = start_of_line_before(text, end);
        std::string_view line = line_at(text, start).text;
        if (!surely_of(line, query) && read_query(line, found)) {
            if (query.empty()) query = found;
            if (found != query) return end;
        }
        end = start;
    }
    return text.size();
}

std::optional<Beginning> beginning_of(std::string_view text, std::size_t header, bool whole) {
    if (text.size() < byte_order_mark.size() && !whole) return std::nullopt;
    Beginning beginning{text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0};
    while (beginning.header_lines < static_cast<std::int64_t>(header) && beginning.size < text.size()) {
        std::size_t feed = text.find('\n', beginning.size);
        if (feed == std::string_view::npos && !whole) return std::nullopt;
        beginning.size = std::min(feed, text.size() - 1) + 1;
        ++beginning.header_lines;
    }
    bool complete = beginning.header_lines == static_cast<std::int64_t>(header);
    return complete || whole ? std::optional(beginning) : std::nullopt;
}

void Cutter::add(Piece block, bool last, std::vector<Piece>& pieces) {
    if (std::exchange(ended_, last || ended_)) throw std::invalid_argument("the last block was fed already");
    bytes_ += static_cast<std::int64_t>(block.text.size());
    if (!started_ && !start(block)) return;
    std::string_view rest = complete_cut_line(block.text);
    if (rest.data() != block.text.data()) add_line(std::exchange(cut_, {}), pieces);
    std::size_t whole = rest.rfind('\n') + 1;
    if (whole > 0) add_lines(block, rest.substr(0, whole), pieces);
    cut_.append(rest.substr(whole));
    if (!ended_) return;
    if (!cut_.empty()) add_line(std::exchange(cut_, {}), pieces);
    release_tail(pieces);
}

// Gathers the beginning until all of it is known; then what follows is the first block.
bool Cutter::start(Piece& block) {
    cut_.append(block.text);
    std::optional<Beginning> beginning = beginning_of(cut_, header_, ended_);
    if (!beginning) return false;
    started_ = true;
    header_lines_ = beginning->header_lines;
    block = owned(cut_.substr(beginning->size));
    cut_.clear();
    return true;
}

// Gives the cut line its rest. Returns what follows; all of `text` when no line was completed.
std::string_view Cutter::complete_cut_line(std::string_view text) {
    std::size_t feed = text.find('\n');
    if (cut_.empty() || feed == std::string_view::npos) return text;
    cut_.append(text.substr(0, feed + 1));
    return text.substr(feed + 1);
}

void Cutter::add_line(std::string line, std::vector<Piece>& pieces) {
    std::string query;
    bool is_record = borders_ && borders_->read_query(line_at(line, 0).text, query);
    if (is_record && !tail_query_.empty() && query != tail_query_) release_tail(pieces);
    if (is_record) tail_query_ = query;
    tail_ += line;
    if (!borders_) release_tail(pieces);
}

void Cutter::add_lines(const Piece& block, std::string_view lines, std::vector<Piece>& pieces) {
    if (!borders_) return pieces.push_back({block.owner, lines});
    std::size_t first = borders_->first(lines, tail_query_);
    tail_.append(lines.substr(0, first));
    lines.remove_prefix(first);
    if (lines.empty()) return;
    release_tail(pieces);
    std::size_t last = borders_->last(lines);
    std::size_t whole = last == lines.size() ? 0 : last;
    if (whole > 0) pieces.push_back({block.owner, lines.substr(0, whole)});
    tail_ = lines.substr(whole);
    borders_->first(tail_, tail_query_);
}

void Cutter::release_tail(std::vector<Piece>& pieces) {
    if (!tail_.empty()) pieces.push_back(owned(std::exchange(tail_, {})));
    tail_query_.clear();
}

void Cutter::split(const Piece& piece, std::size_t count, std::vector<Piece>& pieces) {
    std::string_view rest = piece.text;
    std::size_t size = rest.size() / count + 1;
    while (rest.size() > size) {
        std::size_t at = line_at(rest, size).next;
        std::string query;
        if (borders_) at += borders_->first(rest.substr(at), query);
        pieces.push_back({piece.owner, rest.substr(0, at)});
        rest.remove_prefix(at);
    }
    if (!rest.empty()) pieces.push_back({piece.owner, rest});
}

}  // namespace firsthit
