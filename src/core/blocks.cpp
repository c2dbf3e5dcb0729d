#include "blocks.hpp"

#include <algorithm>

namespace firsthit {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

void Assembler::add(std::string_view block, bool last) {
    pending_.erase(0, start_);
    start_ = 0;
    pending_.append(block);
    bytes_ += static_cast<std::int64_t>(block.size());
    ended_ = last;
    drop_mark();
    if (marked_) drop_header();
}

std::string_view Assembler::whole_lines() const {
    std::string_view rest = text();
    if (!marked_ || header_ > 0) return {};
    return ended_ ? rest : rest.substr(0, rest.rfind('\n') + 1);
}

void Assembler::drop_mark() {
    if (marked_ || (pending_.size() < byte_order_mark.size() && !ended_)) return;
    if (text().starts_with(byte_order_mark)) start_ += byte_order_mark.size();
    marked_ = true;
}

void Assembler::drop_header() {
    while (header_ > 0) {
        std::size_t feed = text().find('\n');
        if (feed == std::string_view::npos && (!ended_ || text().empty())) break;
        start_ += std::min(feed, text().size() - 1) + 1;
        --header_;
        ++header_lines_;
    }
    if (ended_) header_ = 0;
}

std::size_t last_border(std::string_view text, LineReader& reader, std::size_t query_role) {
    Arena arena;
    std::string query;
    bool known = false;
    for (std::size_t end = text.size(); end > 0;) {
        std::size_t start = start_of_line_before(text, end);
        if (reader.read(line_at(text, start).text, arena) == LineState::data) {
            if (known && reader.field(query_role) != query) return end;
            query = reader.field(query_role);
            known = true;
        }
        end = start;
    }
    return 0;
}

}  // namespace firsthit
