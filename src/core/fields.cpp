#include "fields.hpp"

#include <algorithm>
#include <string>

namespace firsthit {

// WARNING: what is learnt must be what the line reader found, as its number of fields was judged: a line with other
// low characters, or with separators side by side, teaches nothing.
void FieldScanner::learn(std::string_view line, bool ends_with_cr) {
    fields_ = 0;
    forget_start();
    if (!suits_ || line.empty()) return;
    auto is_low = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    auto first = std::find_if(line.begin(), line.end(), is_low);
    char separator = first == line.end() ? ' ' : *first;
    bool separates = delimiter_ == '\0' ? separator == ' ' || separator == '\t' : separator == delimiter_;
    bool others = std::any_of(line.begin(), line.end(), [=](char c) { return is_low(c) && c != separator; });
    bool empties = line.front() == separator || line.back() == separator ||
                   line.find(std::string{separator, separator}) != std::string_view::npos;
    auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), separator)) + 1;
    if (!separates || others || empties || count > most_fields) return;
    separator_ = separator;
    line_end_ = ends_with_cr ? '\r' : '\n';
    fields_ = count;
}

bool FieldScanner::split(const char* line, const char* end) {
    constexpr std::ptrdiff_t margin = simd::window + 1;
    if (end - line < margin) return false;
    const char* base = line;
    std::uint64_t marks = simd::marks_at(base);
    bool ascii = true;
    begin_[0] = line;
    for (std::size_t field = 0; field < fields_;) {
        while (marks == 0) {
            base += simd::window;
            if (end - base < margin) return false;
            marks = simd::marks_at(base);
        }
        const char* stop = base + std::countr_zero(marks);
        marks &= marks - 1;
        if (static_cast<signed char>(*stop) < 0) {
            ascii = false;
            continue;
        }
        bool last = field + 1 == fields_;
        if (stop == begin_[field] || !(last ? ends_line(stop) : *stop == separator_)) return false;
        stop_[field] = stop;
        begin_[++field] = stop + 1;
    }
    next_ = stop_[fields_ - 1] + (line_end_ == '\n' ? 1 : 2);
    return ascii || is_utf8({line, stop_[fields_ - 1]});
}

void FieldScanner::learn_start(std::size_t field) {
    const char* line = begin_[0];
    auto size = static_cast<std::size_t>(begin_[field] - line);
    start_size_ = size <= start_.size() ? size : 0;
    std::copy(line, line + start_size_, start_.begin());
}

}  // namespace firsthit
