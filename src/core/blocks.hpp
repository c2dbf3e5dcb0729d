// Blocks of bytes become pieces of text that can be read on their own, by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena.hpp"
#include "lines.hpp"

namespace firsthit {

// Whole lines, and what keeps them in memory.
struct Piece {
    std::shared_ptr<const void> owner;
    std::string_view text;
};

// Says which lines belong together: those of one query, as long as they follow one another.
class Borders {
public:
    // `query_role` is the reader's role that names the query.
    Borders(LineReader reader, std::size_t query_role) : reader_(std::move(reader)), query_role_(query_role) {}

    // The query of a line; false when the line is not a record: only records count, whatever stands between them.
    bool read_query(std::string_view line, std::string& query);

    // Start of the first line in `text` that is of another query than `query`; text.size() when there is none. An
    // empty `query` (no line read yet) is replaced by the first that is found.
    std::size_t first(std::string_view text, std::string& query);

    // Start of the last line with another query than the line before it, or `text.size()`: there is one query only.
    std::size_t last(std::string_view text);

private:
    bool surely_of(std::string_view line, std::string_view query) const;

    LineReader reader_;
    std::size_t query_role_;
    Arena arena_;
};

// What stands before the first line that counts: a byte order mark, and the header lines.
struct Beginning {
    std::size_t size = 0;
    std::int64_t header_lines = 0;
};

// The beginning of a text; none when more of it must be known first: it is not `whole`.
std::optional<Beginning> beginning_of(std::string_view text, std::size_t header, bool whole);

// Turns blocks, cut anywhere, into pieces. It drops the byte order mark and the header lines. With borders, a piece
// ends where a query's lines end, so that each piece's rankings are whole.
class Cutter {
public:
    Cutter(std::size_t header, std::unique_ptr<Borders> borders) : header_(header), borders_(std::move(borders)) {}

    // Takes a block; `owner` keeps it in memory. The pieces that became whole are added to `pieces`.
    void add(Piece block, bool last, std::vector<Piece>& pieces);

    // Cuts a piece into about `count` pieces of equal size.
    void split(const Piece& piece, std::size_t count, std::vector<Piece>& pieces);

    bool ended() const { return ended_; }
    std::int64_t bytes() const { return bytes_; }
    std::int64_t header_lines() const { return header_lines_; }

private:
    bool start(Piece& block);
    std::string_view complete_cut_line(std::string_view text);
    void add_line(std::string line, std::vector<Piece>& pieces);
    void add_lines(const Piece& block, std::string_view lines, std::vector<Piece>& pieces);
    void release_tail(std::vector<Piece>& pieces);

    std::size_t header_;
    std::unique_ptr<Borders> borders_;
    std::string tail_;        // whole lines of one query: more of it may follow
    std::string tail_query_;  // empty: no record among them
    std::string cut_;         // the start of a line
    std::int64_t bytes_ = 0;
    std::int64_t header_lines_ = 0;
    bool started_ = false;
    bool ended_ = false;
};

}  // namespace firsthit
