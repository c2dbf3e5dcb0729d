// Blocks of bytes become text of whole lines, cut where one query's lines end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lines.hpp"

namespace firsthit {

// Collects fed blocks until they hold something whole. It drops the byte order mark and the header lines.
class Assembler {
public:
    explicit Assembler(std::size_t header) : header_(header) {}

    void add(std::string_view block, bool last);

    // What was fed and not yet taken; complete lines unless the input has ended.
    std::string_view text() const { return std::string_view(pending_).substr(start_); }
    std::string_view whole_lines() const;
    void take(std::size_t size) { start_ += size; }

    bool ended() const { return ended_; }
    std::int64_t bytes() const { return bytes_; }
    std::int64_t header_lines() const { return header_lines_; }

private:
    void drop_mark();
    void drop_header();

    std::string pending_;
    std::size_t start_ = 0;
    std::size_t header_;
    std::int64_t bytes_ = 0;
    std::int64_t header_lines_ = 0;
    bool marked_ = false;
    bool ended_ = false;
};

// Where the last query's lines start: the start of a line whose query is not the one of the data line before it;
// 0 when there is one query only. Only lines that can be read count, as they alone become records.
std::size_t last_border(std::string_view text, LineReader& reader, std::size_t query_role);

}  // namespace firsthit
