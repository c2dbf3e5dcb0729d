// Lines of a run become records; records of one query after the other become rankings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena.hpp"
#include "lines.hpp"
#include "outcome.hpp"
#include "ranking.hpp"
#include "texts.hpp"

namespace firsthit {

// One data row of a run, from whatever source.
struct Row {
    std::string_view query;
    std::string_view doc;
    double number = 0;  // score or rank, as the ordering's key says
    double rank = no_rank;
};

// The key by which a number ranks: a higher key is better.
double key_of(double number, const Ordering& ordering);

// Reads the lines of a run as the ordering needs them: a column that it does not use is not parsed.
class RunReader {
public:
    RunReader(const Layout& layout, const Ordering& ordering);

    LineState read(std::string_view line, Arena& arena);
    Row row() const;
    LineReader& lines() { return lines_; }
    bool has_rank() const { return has_rank_; }
    static constexpr std::size_t query_role = 0;

private:
    Ordering ordering_;
    bool has_rank_;
    LineReader lines_;
};

// Takes rows and gives each query's to the ranker as soon as another query follows. The text of a row must stay
// in place until then.
class Contiguous {
public:
    Contiguous(const Labels& labels, const Ordering& ordering, std::size_t depth, bool has_rank);

    // True when the row opened another ranking: text of earlier rows is needed no more.
    bool add(const Row& row, std::uint32_t line, std::uint32_t record, Outcome& out);
    void open(std::string_view query, Outcome& out);
    void close(Outcome& out);

private:
    const Labels& labels_;
    Ordering ordering_;
    bool has_rank_;
    Ranker ranker_;
    std::string query_;
    bool is_open_ = false;
    std::vector<Record> records_;
    std::vector<double> ranks_;
};

// Takes rows of queries in any order and ranks them at the end, in order of first appearance. The text of all rows
// must stay in place.
class Grouped {
public:
    Grouped(const Labels& labels, const Ordering& ordering, std::size_t depth, bool has_rank);

    void add(const Row& row, std::uint32_t line, std::uint32_t record);
    void finish(Outcome& out);

private:
    void sort_by_query();

    const Labels& labels_;
    Ordering ordering_;
    bool has_rank_;
    Ranker ranker_;
    Interner queries_;
    std::vector<std::uint32_t> query_of_;
    std::vector<Record> records_;
    std::vector<double> ranks_;
    std::vector<std::size_t> starts_;
};

}  // namespace firsthit
