#include "json_lines.hpp"

#include <algorithm>
#include <bit>

#include "json.hpp"
#include "simd.hpp"

namespace firsthit {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool starts_number(char c) { return c == '-' || (c >= '0' && c <= '9'); }

bool ends_value(char c) { return c == ',' || c == '}' || is_space(c); }

std::size_t skip_space(std::string_view line, std::size_t at) {
    while (at < line.size() && is_space(line[at])) ++at;
    return at;
}

// The place of the quote that closes a plain string whose text starts at `at`, or npos: it is not plain.
std::size_t close_of(std::string_view line, std::size_t at) {
    std::size_t close = line.find_first_of("\"\\", at);
    return close == std::string_view::npos || line[close] == '\\' ? std::string_view::npos : close;
}

}  // namespace

void JsonScanner::learn(std::string_view line, const LineReader& reader) {
    values_ = 0;
    Keys keys;
    if (learn_gaps(line, reader, keys))
        learn_roles(reader, keys);
    else
        values_ = 0;
}

// Walks an object that is known to be JSON. Literals become part of a gap; nested values are not for us.
bool JsonScanner::learn_gaps(std::string_view line, const LineReader& reader, Keys& keys) {
    std::size_t gap_start = 0;
    for (std::size_t at = line.find('{') + 1;;) {
        at = skip_space(line, at);
        if (line[at] != '"') return false;  // an empty object
        std::size_t close = close_of(line, at + 1);
        if (close == std::string_view::npos) return false;
        std::string_view key = line.substr(at + 1, close - at - 1);
        at = skip_space(line, skip_space(line, close + 1) + 1);
        if (line[at] == '"' || starts_number(line[at])) {
            if (!learn_value(line, at, gap_start)) return false;
            keys.values.push_back(key);
        } else if (line[at] == '{' || line[at] == '[' || !reader.takes_null(key)) {
            return false;
        } else {
            keys.literals.push_back(key);
        }
        at = static_cast<std::size_t>(std::find_if(line.begin() + static_cast<std::ptrdiff_t>(at), line.end(), ends_value) - line.begin());
        at = skip_space(line, at);
        if (line[at] == '}') return learn_gap(line.substr(gap_start), false);
        ++at;
    }
}

bool JsonScanner::learn_gap(std::string_view text, bool is_string) {
    if (values_ == most_values || text.size() > longest_gap) return false;
    Gap& gap = gaps_[values_];
    gap = {};
    std::copy(text.begin(), text.end(), gap.text.begin());
    gap.size = text.size();
    gap.is_string = is_string;
    return true;
}

// Learns the gap before the value at `at`, and moves both places to the value's end.
bool JsonScanner::learn_value(std::string_view line, std::size_t& at, std::size_t& gap_start) {
    const bool is_string = line[at] == '"';
    if (is_string) ++at;
    if (!learn_gap(line.substr(gap_start, at - gap_start), is_string)) return false;
    ++values_;
    if (is_string) {
        gap_start = close_of(line, at);
        if (gap_start == std::string_view::npos) return false;
        at = gap_start + 1;
    } else {
        while (at < line.size() && !ends_value(line[at])) ++at;
        gap_start = at;
    }
    return true;
}

// Of several accepted keys the best wins, and where it is null there is no value.
void JsonScanner::learn_roles(const LineReader& reader, const Keys& keys) {
    value_of_role_.assign(reader.roles().size(), no_value);
    for (std::size_t role = 0; role < value_of_role_.size(); ++role) {
        for (const std::string& key : reader.keys(role)) {
            if (std::ranges::find(keys.literals, key) != keys.literals.end()) break;
            auto found = std::ranges::find(keys.values, key);
            if (found == keys.values.end()) continue;
            value_of_role_[role] = static_cast<std::size_t>(found - keys.values.begin());
            break;
        }
        if (reader.roles()[role].kind != RoleKind::number && value_of_role_[role] != no_value)
            gaps_[value_of_role_[role]].is_text = true;
    }
}

bool JsonScanner::take_gap(const Gap& gap, const char*& at) {
    if (simd::equal_bytes32(at, gap.text.data()) < gap.size) return false;
    at += gap.size;
    return true;
}

bool JsonScanner::split(const char* line, const char* end) {
    constexpr std::ptrdiff_t margin = 3 * longest_gap;
    const char* at = line;
    bool ascii = true;
    for (std::size_t i = 0; i < values_; ++i) {
        if (end - at < margin || !take_gap(gaps_[i], at)) return false;
        const char* stop = gaps_[i].is_string ? simd::end_of_plain_string(at, end - margin, ascii) : end_of_number(at, gaps_[i].is_text);
        if (stop == nullptr || stop == at) return false;
        texts_[i] = {at, stop};
        at = stop;
    }
    if (end - at < margin || !take_gap(gaps_[values_], at)) return false;
    if (*at == '\r') ++at;
    next_ = at + 1;
    return *at == '\n' && (ascii || is_utf8({line, at}));
}

// The end of a JSON number, or null. `is_id`: of an integer.
const char* JsonScanner::end_of_number(const char* at, bool is_id) {
    auto skip_digits = [](const char* from) {
        while (*from >= '0' && *from <= '9') ++from;
        return from;
    };
    if (*at == '-') ++at;
    const char* stop = skip_digits(at);
    if (stop == at || (*at == '0' && stop - at > 1)) return nullptr;
    if (*stop == '.') {
        const char* decimals = stop + 1;
        stop = skip_digits(decimals);
        if (stop == decimals || is_id) return nullptr;
    }
    return *stop == 'e' || *stop == 'E' ? nullptr : stop;
}

}  // namespace firsthit
