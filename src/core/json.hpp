// One JSON object on one line: the values of some keys, everything else skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arena.hpp"

namespace firsthit {

// `not_text` is a string with an escape that stands for no character (half of a surrogate pair).
enum class JsonType : std::uint8_t { string, not_text, integer, real, not_finite, null, other };

struct JsonValue {
    JsonType type = JsonType::other;
    std::string_view text;  // a string decoded, a number as written
};

// Walks the members of an object. Strings with escapes are decoded into the arena. Blanks are JSON's: space, tab, CR.
class JsonObject {
public:
    JsonObject(std::string_view text, Arena& arena) : at_(text.data()), end_(at_ + text.size()), arena_(arena) {}

    // The next key and its value; false at the end of the object, and when the text is not JSON: then broken() is true.
    bool next(std::string_view& key, JsonValue& value);
    bool broken() const { return broken_; }

private:
    bool fail();
    bool finish();
    char peek() const { return at_ < end_ ? *at_ : '\0'; }
    void skip_space();
    bool take(char c);
    bool take_word(std::string_view word);
    bool take_digits();
    bool read_key(std::string_view& key);
    bool read_value(JsonValue& value);
    bool read_string(JsonValue& value);
    bool decode_string(const char* start, JsonValue& value);
    bool decode_escape(char*& out, bool& is_text);
    bool decode_unicode(char*& out, bool& is_text);
    bool read_hex(unsigned& unit);
    bool read_number(JsonValue& value);
    bool read_word(JsonValue& value);
    bool skip_nested();

    const char* at_;
    const char* end_;
    Arena& arena_;
    bool started_ = false;
    bool broken_ = false;
};

}  // namespace firsthit
