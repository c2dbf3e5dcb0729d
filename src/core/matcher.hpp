// Joins one run with the labels: text fed in blocks, or rows of columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "labels.hpp"
#include "outcome.hpp"
#include "ranking.hpp"
#include "records.hpp"

namespace firsthit {

enum class RankUse : std::uint8_t { used, none, constant, not_integer, ok };

// The outcome as arrays over the labels' queries, hits sorted by query, then rank.
struct MatchArrays {
    std::vector<std::int32_t> query;
    std::vector<std::int64_t> rank, row, tie_first, tie_last, retrieved;
    std::vector<std::int64_t> head_offsets, head_record, head_row;
    Texts head_ids;
    std::vector<std::int64_t> unlabelled_retrieved;
    std::vector<std::int32_t> tied_queries;
};

MatchArrays arrays_of(const Outcome& outcome, std::size_t query_count);

class Matcher {
public:
    // `labels` must outlive the matcher.
    Matcher(const Labels& labels, std::optional<Layout> layout, const Ordering& ordering, std::size_t depth,
            std::size_t threads, bool grouped);

    // Takes the next bytes of the text, cut anywhere.
    void feed(std::string_view block, bool last);

    // Takes rows from elsewhere. Their text must stay in place: until the next row that returns true, or, grouped,
    // until finish(). `has_rank` says whether rows hold a rank to be looked at.
    void start_rows(bool has_rank);
    bool add_row(const Row& row);
    void add_broken_row(ProblemKind kind, std::string_view value);
    void open_query(std::string_view query);  // also a query without any row

    // Ends the input; problems, counts and rankings are complete.
    const Outcome& finish();

    const Outcome& outcome() const { return total_; }
    bool scattered() const { return scattered_; }
    bool grouped() const { return grouped_.has_value(); }
    bool looks_at_rank(bool column) const { return column && ordering_.check_rank && ordering_.key == Key::score; }
    const Ordering& ordering() const { return ordering_; }
    std::int64_t lines() const { return total_.lines; }
    std::int64_t bytes() const { return assembler_ ? assembler_->bytes() : 0; }
    std::size_t query_count() const { return labels_.query_count(); }
    RankUse rank_use() const;

private:
    void match_lines(std::string_view text);
    void note_returning_queries();

    const Labels& labels_;
    std::optional<Layout> layout_;
    Ordering ordering_;
    std::size_t depth_;
    bool has_rank_ = false;
    bool finished_ = false;
    bool scattered_ = false;

    std::optional<RunReader> reader_;
    std::optional<Assembler> assembler_;
    std::optional<Contiguous> contiguous_;
    std::optional<Grouped> grouped_;
    bool wants_groups_;
    Arena arena_;
    std::deque<std::vector<char>> kept_text_;

    Outcome total_;
    std::vector<bool> seen_;
    Interner seen_unlabelled_;
    std::size_t checked_rankings_ = 0;
    std::size_t checked_unlabelled_ = 0;
};

}  // namespace firsthit
