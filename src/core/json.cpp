#include "json.hpp"

#include <algorithm>
#include <vector>

namespace firsthit {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

// Writes a code point as UTF-8.
char* encode(unsigned code, char* out) {
    auto put = [&out](unsigned byte) { *out++ = static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    }
    return out;
}

char simple_escape(char c) {
    switch (c) {
        case 'b': return '\b';
        case 'f': return '\f';
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case '"': case '\\': case '/': return c;
        default: return '\0';
    }
}

}  // namespace

bool JsonObject::next(std::string_view& key, JsonValue& value) {
    skip_space();
    if (!started_) {
        if (!take('{')) return fail();
        started_ = true;
        skip_space();
        if (take('}')) return finish();
    } else {
        if (take('}')) return finish();
        if (!take(',')) return fail();
        skip_space();
    }
    return (read_key(key) && read_value(value)) || fail();
}

bool JsonObject::fail() {
    broken_ = true;
    return false;
}

bool JsonObject::finish() {
    skip_space();
    broken_ = at_ != end_;
    return false;
}

void JsonObject::skip_space() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
}

bool JsonObject::take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
}

bool JsonObject::take_word(std::string_view word) {
    if (!std::string_view(at_, end_).starts_with(word)) return false;
    at_ += word.size();
    return true;
}

bool JsonObject::take_digits() {
    const char* start = at_;
    at_ = std::find_if_not(at_, end_, is_digit);
    return at_ != start;
}

bool JsonObject::read_key(std::string_view& key) {
    JsonValue text;
    if (!read_string(text)) return false;
    key = text.text;
    skip_space();
    return take(':');
}

bool JsonObject::read_value(JsonValue& value) {
    skip_space();
    value = {};
    char c = peek();
    if (c == '"') return read_string(value);
    if (c == '{' || c == '[') return skip_nested();
    if (take_word("-Infinity")) {
        value = {JsonType::not_finite, "-Infinity"};
        return true;
    }
    return c == '-' || is_digit(c) ? read_number(value) : read_word(value);
}

bool JsonObject::read_string(JsonValue& value) {
    if (!take('"')) return false;
    const char* start = at_;
    while (at_ < end_ && *at_ != '"' && *at_ != '\\' && !is_control(*at_)) ++at_;
    if (at_ < end_ && *at_ == '\\') return decode_string(start, value);
    value = {JsonType::string, {start, at_}};
    return take('"');
}

// A decoded string is never longer than its text: the shortest escape of a 3-byte character has 6 bytes.
bool JsonObject::decode_string(const char* start, JsonValue& value) {
    const char* close = at_;
    while (close < end_ && *close != '"') close += *close == '\\' ? 2 : 1;
    if (close >= end_) return false;
    char* text = arena_.take(static_cast<std::size_t>(close - start));
    char* out = std::copy(start, at_, text);
    bool is_text = true;
    while (*at_ != '"') {
        if (is_control(*at_)) return false;
        if (*at_ != '\\')
            *out++ = *at_++;
        else if (!decode_escape(out, is_text))
            return false;
    }
    ++at_;
    value = {is_text ? JsonType::string : JsonType::not_text, {text, out}};
    return true;
}

bool JsonObject::decode_escape(char*& out, bool& is_text) {
    ++at_;
    if (take('u')) return decode_unicode(out, is_text);
    char c = simple_escape(peek());
    if (c == '\0') return false;
    ++at_;
    *out++ = c;
    return true;
}

// Half a surrogate pair stands for no character: it is left out, and the string is not text.
bool JsonObject::decode_unicode(char*& out, bool& is_text) {
    unsigned code = 0;
    if (!read_hex(code)) return false;
    if (code >= 0xD800 && code < 0xDC00) {
        const char* mark = at_;
        unsigned low = 0;
        if (take_word("\\u") && !read_hex(low)) return false;
        if (low >= 0xDC00 && low < 0xE000)
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        else
            at_ = mark;
    }
    if (code >= 0xD800 && code < 0xE000)
        is_text = false;
    else
        out = encode(code, out);
    return true;
}

bool JsonObject::read_hex(unsigned& unit) {
    unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
        char c = peek();
        char letter = static_cast<char>(c | 0x20);
        if (is_digit(c))
            unit = unit << 4 | static_cast<unsigned>(c - '0');
        else if (letter >= 'a' && letter <= 'f')
            unit = unit << 4 | static_cast<unsigned>(letter - 'a' + 10);
        else
            return false;
    }
    return true;
}

bool JsonObject::read_number(JsonValue& value) {
    const char* start = at_;
    take('-');
    if (!take('0') && !take_digits()) return false;
    bool integer = true;
    if (take('.')) {
        integer = false;
        if (!take_digits()) return false;
    }
    if (take('e') || take('E')) {
        integer = false;
        if (!take('+')) take('-');
        if (!take_digits()) return false;
    }
    value = {integer ? JsonType::integer : JsonType::real, {start, at_}};
    return true;
}

bool JsonObject::read_word(JsonValue& value) {
    if (take_word("true") || take_word("false")) return true;
    if (take_word("null")) {
        value = {JsonType::null, {}};
        return true;
    }
    for (std::string_view word : {std::string_view("NaN"), std::string_view("Infinity")}) {
        if (!take_word(word)) continue;
        value = {JsonType::not_finite, word};
        return true;
    }
    return false;
}

// Skips an object or array. The open brackets are counted on a stack of our own: depth must not crash.
bool JsonObject::skip_nested() {
    std::vector<char> open;
    JsonValue ignored;
    std::string_view key;
    for (bool value_next = true;;) {
        skip_space();
        char c = peek();
        if (value_next && (c == '{' || c == '[')) {
            ++at_;
            open.push_back(c == '{' ? '}' : ']');
            skip_space();
            value_next = !(take(open.back()) && (open.pop_back(), true));
            if (value_next && open.back() == '}' && !read_key(key)) return false;
        } else if (value_next) {
            if (!read_value(ignored)) return false;
            value_next = false;
        } else if (take(open.back())) {
            open.pop_back();
        } else {
            if (!take(',')) return false;
            skip_space();
            if (open.back() == '}' && !read_key(key)) return false;
            value_next = true;
        }
        if (open.empty()) return true;
    }
}

}  // namespace firsthit
