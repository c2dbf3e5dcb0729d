#include "matcher.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "hash.hpp"

namespace firsthit {

namespace {

std::uint32_t number32(std::int64_t number) {
    if (number > std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("more than 4,294,967,295 rows");
    return static_cast<std::uint32_t>(number);
}

}  // namespace

Matcher::Matcher(const Labels& labels, std::optional<Layout> layout, const Ordering& ordering, std::size_t depth,
                 std::size_t /*threads*/, bool grouped)
    : labels_(labels), layout_(std::move(layout)), ordering_(ordering), depth_(depth), wants_groups_(grouped) {
    seen_.resize(labels.query_count());
    if (!layout_) return;
    reader_.emplace(*layout_, ordering);
    assembler_.emplace(layout_->header);
    start_rows(reader_->has_rank());
}

void Matcher::start_rows(bool has_rank) {
    if (contiguous_ || grouped_) throw std::invalid_argument("a matcher takes one source");
    has_rank_ = has_rank;
    if (wants_groups_)
        grouped_.emplace(labels_, ordering_, depth_, has_rank);
    else
        contiguous_.emplace(labels_, ordering_, depth_, has_rank);
}

void Matcher::feed(std::string_view block, bool last) {
    if (!assembler_) throw std::invalid_argument("a matcher without a layout takes no text");
    if (assembler_->ended()) throw std::invalid_argument("the last block was fed already");
    assembler_->add(block, last);
    std::string_view text = assembler_->whole_lines();
    if (contiguous_ && !last) text = text.substr(0, last_border(text, reader_->lines(), RunReader::query_role));
    total_.lines = std::max(total_.lines, assembler_->header_lines());
    if (text.empty()) return;
    if (grouped_) {
        kept_text_.emplace_back(text.begin(), text.end());
        match_lines({kept_text_.back().data(), kept_text_.back().size()});
    } else {
        match_lines(text);
        contiguous_->close(total_);
        arena_.clear();
        note_returning_queries();
    }
    assembler_->take(text.size());
}

void Matcher::match_lines(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        Line line = line_at(text, at);
        at = line.next;
        LineState state = reader_->read(line.text, arena_);
        ++total_.lines;
        total_.blank_lines += state == LineState::blank;
        total_.comment_lines += state == LineState::comment;
        if (state == LineState::blank || state == LineState::comment) continue;
        ++total_.records;
        const Fault& fault = reader_->lines().fault();
        if (state == LineState::broken) {
            total_.problems.add(fault.kind, total_.lines, fault.value, fault.other);
        } else if (grouped_) {
            grouped_->add(reader_->row(), number32(total_.lines), number32(total_.records - 1));
        } else {
            contiguous_->add(reader_->row(), number32(total_.lines), number32(total_.records - 1), total_);
        }
    }
}

bool Matcher::add_row(const Row& row) {
    std::uint32_t line = number32(++total_.records);
    if (!grouped_) return contiguous_->add(row, line, line - 1, total_);
    grouped_->add(row, line, line - 1);
    return false;
}

void Matcher::add_broken_row(ProblemKind kind, std::string_view value) {
    total_.problems.add(kind, ++total_.records, value);
}

void Matcher::open_query(std::string_view query) {
    if (!grouped_) contiguous_->open(query, total_);
}

const Outcome& Matcher::finish() {
    if (std::exchange(finished_, true)) throw std::invalid_argument("the matcher is finished already");
    if (assembler_ && !assembler_->ended()) {
        finished_ = false;
        feed({}, true);
        finished_ = true;
    }
    if (grouped_) grouped_->finish(total_);
    if (contiguous_) contiguous_->close(total_);
    note_returning_queries();
    return total_;
}

// A query whose ranking was closed and that comes back makes the file scattered.
void Matcher::note_returning_queries() {
    for (; checked_rankings_ < total_.rankings.size(); ++checked_rankings_) {
        std::int32_t query = total_.rankings[checked_rankings_].query;
        if (query >= 0) {
            scattered_ |= seen_[static_cast<std::size_t>(query)];
            seen_[static_cast<std::size_t>(query)] = true;
            continue;
        }
        std::string_view id = total_.unlabelled[checked_unlabelled_++];
        std::size_t known = seen_unlabelled_.size();
        seen_unlabelled_.add(id, hash_bytes(id));
        scattered_ |= seen_unlabelled_.size() == known;
    }
}

RankUse Matcher::rank_use() const {
    if (ordering_.key == Key::rank) return RankUse::used;
    const RankColumn& column = total_.rank_column;
    bool seen = column.present || column.broken;
    bool expected = layout_ ? layout_->kind != LayoutKind::json : true;
    if (!has_rank_ || (!seen && (column.missing || !expected))) return RankUse::none;
    if (column.broken || column.missing) return RankUse::not_integer;
    return column.several && column.lowest == column.highest ? RankUse::constant : RankUse::ok;
}

}  // namespace firsthit
