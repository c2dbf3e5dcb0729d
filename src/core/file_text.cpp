#include "file_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace firsthit {

namespace {

constexpr std::size_t beginning_size = 4096;

std::size_t read_at(int descriptor, char* to, std::size_t size, std::int64_t offset) {
    ssize_t count;
    do count = ::pread(descriptor, to, size, static_cast<off_t>(offset));
    while (count < 0 && errno == EINTR);
    if (count < 0) throw std::system_error(errno, std::generic_category());
    return static_cast<std::size_t>(count);
}

}  // namespace

void FileWindow::read(const FileRange& range) {
    start_ = range.start;
    size_ = 0;
    at_end_ = false;
    read_on(static_cast<std::size_t>(range.end - range.start));
}

void FileWindow::read_on(std::size_t size) {
    if (size_ + size > room_) {
        room_ = std::max(size_ + size, size_ + size_ / 2);
        auto larger = std::make_unique_for_overwrite<char[]>(room_);
        if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
        bytes_ = std::move(larger);
    }
    const std::size_t wanted = size_ + size;
    while (size_ < wanted && !at_end_) {
        std::size_t count = read_at(descriptor_, bytes_.get() + size_, wanted - size_, end());
        at_end_ = count == 0;
        size_ += count;
    }
}

std::string_view FileWindow::text(std::int64_t from, std::int64_t to) const {
    return {bytes_.get() + (from - start_), static_cast<std::size_t>(to - from)};
}

std::string_view FilePieces::read(const FileRange& range, bool whole_start) {
    window_.read({range.start, range.end + static_cast<std::int64_t>(beyond_)});
    std::optional<std::int64_t> start = whole_start ? range.start : border_in(range), end;
    if (!start) return {};
    for (FileRange next = range; !end && !(window_.at_end() && next.end >= window_.end());) {
        next = {next.end, next.end + range_size_};
        end = border_in(next);
    }
    return window_.text(*start, end.value_or(window_.end()));
}

// Where the first line starts that starts in the range, but not with it; range.end or more when there is none.
std::int64_t FilePieces::first_line(const FileRange& range) {
    for (std::int64_t at = range.start; at < range.end;) {
        if (at >= window_.end()) {
            if (window_.at_end()) break;
            window_.read_on(beyond_);
            continue;
        }
        std::size_t feed = window_.text(at, window_.end()).find('\n');
        if (feed != std::string_view::npos) return at + static_cast<std::int64_t>(feed) + 1;
        at = window_.end();
    }
    return range.end;
}

// Where a piece may start: at a line of another query than the first in the range.
std::optional<std::int64_t> FilePieces::border_in(const FileRange& range) {
    std::int64_t at = first_line(range);
    std::string query;
    while (borders_ && at < range.end) {
        std::string_view rest = window_.text(at, window_.end());
        std::string_view lines = window_.at_end() ? rest : rest.substr(0, rest.rfind('\n') + 1);
        std::size_t border = borders_->first(lines, query);
        at += static_cast<std::int64_t>(border);
        if (border < lines.size()) break;
        if (window_.at_end()) return std::nullopt;
        if (at < range.end) window_.read_on(beyond_);
    }
    return at < range.end ? std::optional(at) : std::nullopt;
}

Beginning beginning_of_file(int descriptor, std::int64_t offset, std::size_t header) {
    FileWindow window(descriptor);
    window.read({offset, offset + static_cast<std::int64_t>(beginning_size)});
    for (;;) {
        auto beginning = beginning_of(window.text(offset, window.end()), header, window.at_end());
        if (beginning) return *beginning;
        window.read_on(beginning_size);
    }
}

}  // namespace firsthit
