// Pieces of a file that threads read for themselves: lines whose rankings are whole, as a Cutter makes them of blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "blocks.hpp"

namespace firsthit {

// Bytes of a file, by their places in it.
struct FileRange {
    std::int64_t start;
    std::int64_t end;
};

// A part of a file in memory, which grows at its end.
class FileWindow {
public:
    explicit FileWindow(int descriptor = -1) : descriptor_(descriptor) {}

    // Begins anew, with the bytes of the range, or fewer: the file ends there.
    void read(const FileRange& range);
    void read_on(std::size_t size);

    bool at_end() const { return at_end_; }
    std::int64_t start() const { return start_; }
    std::int64_t end() const { return start_ + static_cast<std::int64_t>(size_); }
    std::string_view text(std::int64_t from, std::int64_t to) const;

private:
    int descriptor_;
    std::int64_t start_ = 0;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
    std::unique_ptr<char[]> bytes_;
    bool at_end_ = false;
};

// The grid of ranges is the same for all threads. In each range the first border is looked for on the range's own
// bytes; a piece goes from the border of one range to that of the next that has one. So each thread finds both ends of
// its piece alone, and the pieces are all of the file, each byte once.
class FilePieces {
public:
    // Without borders a piece is of whole lines only.
    FilePieces(int descriptor, std::size_t range_size, std::unique_ptr<Borders> borders)
        : range_size_(static_cast<std::int64_t>(range_size)), beyond_(range_size / 16 + 1), window_(descriptor), borders_(std::move(borders)) {}

    // The piece that starts in a range; empty when none does. `whole_start`: the range starts with a piece.
    // It is valid until the next call.
    std::string_view read(const FileRange& range, bool whole_start);

    // Where the file's bytes in the range end that was read last.
    std::int64_t end_in(const FileRange& range) const { return std::min(window_.end(), range.end); }

private:
    std::optional<std::int64_t> border_in(const FileRange& range);
    std::int64_t first_line(const FileRange& range);

    std::int64_t range_size_;
    std::size_t beyond_;  // read after the range: the rest of a query's lines mostly is there
    FileWindow window_;
    std::unique_ptr<Borders> borders_;
};

// What stands before the lines of a file from `offset` on.
Beginning beginning_of_file(int descriptor, std::int64_t offset, std::size_t header);

}  // namespace firsthit
