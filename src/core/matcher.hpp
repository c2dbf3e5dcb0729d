// Joins one run with the labels: text fed in blocks, or rows from elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "file_text.hpp"
#include "labels.hpp"
#include "outcome.hpp"
#include "passage_book.hpp"
#include "ranking.hpp"
#include "rows.hpp"
#include "run_lines.hpp"
#include "scattered.hpp"
#include "totals.hpp"

namespace firsthit {

struct MatchSettings {
    Ordering ordering;
    std::size_t depth = 0;
    std::size_t threads = 1;
    bool grouped = false;  // queries may come in any order: every row is kept until the end
    PassageSettings passages = {};

    HeadSettings heads() const { return {depth, passages.kept}; }
};

enum class RankUse : std::uint8_t { used, fractional, none, constant, not_integer, ok };

// `expected`: a run without any record still has a rank column.
RankUse rank_use(const Ordering& ordering, bool has_rank, bool expected, const RankColumn& column);

// The labels must outlive a matcher.
class TextMatcher {
public:
    TextMatcher(const Labels& labels, const Layout& layout, const MatchSettings& settings);

    // Takes the next bytes, cut anywhere. All that became whole is matched when it returns.
    void feed(std::string_view block, bool last);

    // Takes the next `count` ranges of a file instead, each of `size` bytes, from `offset` on; the threads read them.
    // Returns how many of their bytes the file had: with fewer than all it has ended.
    std::int64_t feed_file(int descriptor, std::int64_t offset, std::size_t size, std::size_t count);
    const Totals& finish();

    const PassageBook& passages() const { return passages_; }
    bool scattered() const { return totals_.scattered; }
    std::int64_t lines() const { return totals_.outcome.lines; }
    std::int64_t bytes() const { return cutter_.bytes(); }
    RankUse rank_use() const;

private:
    // What a thread needs of its own.
    struct Worker {
        RunLines lines;
        ContiguousRows rows;
        ScatteredRows scattered;
        Arena arena;
    };

    // A part of the run as one of them read it.
    struct TextPart {
        std::size_t worker = 0;
        Outcome outcome;
        std::unique_ptr<ScatteredPart> rows;  // grouped
    };

    template <class TextOf>
    void read_parts(std::size_t count, TextOf text_of);
    void match_contiguous(std::string_view text, TextPart& part);
    void keep_scattered(std::string_view text, TextPart& part);
    void append(TextPart& part);
    std::unique_ptr<Borders> borders() const;
    void start_file(int descriptor, std::int64_t offset, std::size_t size);

    const Labels& labels_;
    Layout layout_;
    MatchSettings settings_;
    RunLines lines_;
    Cutter cutter_;
    std::vector<Worker> workers_;
    PassageBook passages_;
    std::vector<FilePieces> files_;  // one a worker
    std::int64_t file_start_ = 0;    // where the lines begin
    ScatteredRun scattered_;
    Totals totals_;
};

// Rows without a rank column, one by one.
class RowMatcher {
public:
    RowMatcher(const Labels& labels, const MatchSettings& settings);

    // Rows follow one another as open(query), add(row)...; their text must stay in place until finish(). A query
    // without any row is an empty ranking.
    void open(std::string_view query);
    void add(std::string_view doc, double number);
    void add_broken(ProblemKind kind, std::string_view value);
    const Totals& finish();

    const PassageBook& passages() const { return passages_; }
    bool scattered() const { return totals_.scattered; }
    RankUse rank_use() const { return firsthit::rank_use(settings_.ordering, false, true, {}); }

private:
    std::uint32_t next_record();

    MatchSettings settings_;
    ContiguousRows contiguous_;
    ScatteredRows rows_;
    PassageBook passages_;
    ScatteredRun scattered_;
    Totals totals_;
};

}  // namespace firsthit
