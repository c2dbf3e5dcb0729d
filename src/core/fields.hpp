// Many lines that look alike, split fast.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "lines.hpp"
#include "simd.hpp"

namespace firsthit {

// Splits lines that have as many fields as a line seen before, with the same separator and the same end. It takes
// only lines that need no care: no empty field, no control character, UTF-8. For all others it says no, and the line
// reader, which knows every rule, must read them: it is the definition, this is a shortcut.
//
// WARNING: it looks at 64 bytes at a time. A caller keeps split_near() and starts_alike() away from the end of the
// text; split() says no near it.
class FieldScanner {
public:
    static constexpr std::size_t most_fields = 8;

    explicit FieldScanner(const Layout& layout)
        : suits_(layout.kind == LayoutKind::blank || (layout.kind == LayoutKind::delimited && (layout.delimiter == '\t' || layout.delimiter == ' '))),
          comments_(layout.comments),
          delimiter_(layout.kind == LayoutKind::delimited ? layout.delimiter : '\0') {}

    // Looks at a data line that the line reader has read. `line` ends before its line feed, or its CR.
    void learn(std::string_view line, bool ends_with_cr);

    // The number of fields of the lines that it takes; 0: none.
    std::size_t fields() const { return fields_; }
    bool starts_comment(const char* line) const { return comments_ && *line == '#'; }

    // Splits a line. False: read it otherwise.
    bool split(const char* line, const char* end);

    // Remembers the start of the line that was split last, up to field `field`.
    void learn_start(std::size_t field);
    void forget_start() { start_size_ = 0; }
    std::size_t start_size() const { return start_size_; }  // 0: none
    bool starts_alike(const char* line) const { return simd::equal_bytes32(line, start_.data()) >= start_size_; }

    // As split(), for what follows the remembered start: `count` fields that end within 64 bytes and are all ASCII.
    // This is the hot path of most runs: the fields' ends go where the compiler can keep them in registers.
    template <std::size_t count>
    bool split_near(const char* at, std::array<const char*, count>& stops, const char*& next) const;

    std::string_view field(std::size_t i) const { return {begin_[i], stop_[i]}; }
    const char* next() const { return next_; }

private:
    bool ends_line(const char* stop) const { return *stop == line_end_ && (line_end_ == '\n' || stop[1] == '\n'); }

    bool suits_;
    bool comments_;
    char delimiter_;  // NUL: blanks
    char separator_ = ' ';
    char line_end_ = '\n';
    std::size_t fields_ = 0;
    std::size_t start_size_ = 0;
    std::array<char, 32> start_{};
    std::array<const char*, most_fields + 1> begin_{};
    std::array<const char*, most_fields> stop_{};
    const char* next_ = nullptr;
};

template <std::size_t count>
inline bool FieldScanner::split_near(const char* at, std::array<const char*, count>& stops, const char*& next) const {
    const std::uint64_t marks = simd::marks_at(at);
    std::uint64_t left = marks;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        stops[i] = at + std::countr_zero(left);
        if (*stops[i] != separator_) return false;
        left &= left - 1;
    }
    if (left == 0) return false;
    stops[count - 1] = at + std::countr_zero(left);
    const std::uint64_t line = left ^ (left - 1);  // the bits of this line
    next = stops[count - 1] + (line_end_ == '\n' ? 1 : 2);
    return (marks & (marks << 1 | 1) & line) == 0 && ends_line(stops[count - 1]);
}

}  // namespace firsthit
