// One line of text: where it ends, how it is split, and what is wrong with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arena.hpp"
#include "hash.hpp"
#include "json.hpp"
#include "problem.hpp"

namespace firsthit {

enum class LayoutKind : std::uint8_t { blank, delimited, csv, json };

// How one line is split and which field is what.
struct Layout {
    LayoutKind kind = LayoutKind::blank;
    char delimiter = '\t';
    std::size_t fewest = 0;
    std::size_t most = 0;  // 0: any number
    std::size_t header = 0;
    bool comments = false;
    std::map<std::string, std::size_t, std::less<>> columns;
    std::map<std::string, std::vector<std::string>, std::less<>> keys;

    bool has(std::string_view role) const;
};

enum class RoleKind : std::uint8_t { id, text, number, whole };

// What a reader makes of an absent field: a key that is missing, null or "", a field that is not there or empty.
enum class Presence : std::uint8_t {
    needed,     // it is a problem
    optional,   // it is empty text, or NaN; what is there must be right
    looked_at,  // nothing about the field is a problem: present() and readable() say what was found
};

// A field that a reader wants from each line.
struct Role {
    std::string name;
    RoleKind kind;
    Presence presence = Presence::needed;
};

enum class LineState : std::uint8_t { data, blank, comment, broken };

struct Fault {
    ProblemKind kind;
    std::string_view value;
    std::int64_t other = 0;
};

struct Line {
    std::string_view text;  // without its end
    std::size_t next;       // where the next line starts
};

// The line that starts at `start`, and the one that ends before `end` (the start of another, or the end of the text).
Line line_at(std::string_view text, std::size_t start);
std::size_t start_of_line_before(std::string_view text, std::size_t end);

bool is_blank(char c);
bool is_blank_line(std::string_view line);
bool is_utf8(std::string_view text);

// Which roles a JSON key may fill, and how good it is for each: its place among the role's keys.
class KeyUses {
public:
    struct Use {
        std::size_t role;
        std::size_t rank;
    };

    void add(const std::string& key, Use use) { uses_[key].push_back(use); }
    std::span<const Use> of(std::string_view key) const {
        auto found = uses_.find(key);
        return found == uses_.end() ? std::span<const Use>() : std::span<const Use>(found->second);
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return hash_bytes(text); }
    };
    std::unordered_map<std::string, std::vector<Use>, Hash, std::equal_to<>> uses_;
};

// Splits lines of one layout into the fields of some roles.
class LineReader {
public:
    static constexpr std::size_t no_column = static_cast<std::size_t>(-1);

    LineReader(const Layout& layout, std::vector<Role> roles);

    // After `data`, field(i) is the text of role i: a view of `line` or, where it had to be decoded, of `arena`.
    // After `broken`, fault() is the first thing wrong: the line's bytes, its structure, then role by role.
    LineState read(std::string_view line, Arena& arena);

    std::string_view field(std::size_t role) const { return fields_[role].text; }
    double number(std::size_t role) const { return fields_[role].number; }
    // Roles that are looked at: was there a field, and was it a number? Optional ones: was there a value?
    bool present(std::size_t role) const { return fields_[role].present; }
    bool readable(std::size_t role) const { return fields_[role].readable; }
    const Fault& fault() const { return fault_; }
    const Layout& layout() const { return layout_; }
    const std::vector<Role>& roles() const { return roles_; }
    std::size_t column(std::size_t role) const { return columns_[role]; }
    const std::vector<std::string>& keys(std::size_t role) const { return keys_[role]; }
    bool reads_key(std::string_view key) const { return !key_uses_.of(key).empty(); }
    // Whether a key may be null: no role that needs a value reads it.
    bool takes_null(std::string_view key) const;

private:
    struct Field {
        std::string_view text;
        double number = 0;
        bool present = false;
        bool readable = false;
        bool repeated = false;
        JsonType type = JsonType::string;
    };

    LineState broken(ProblemKind kind, std::string_view value, std::int64_t other = 0);
    LineState check_bytes(std::string_view line);
    LineState split(std::string_view line, Arena& arena);
    LineState assign(std::string_view line, std::size_t found);
    LineState read_json(std::string_view line, Arena& arena);
    void take_member(std::string_view key, const JsonValue& value);
    LineState check_roles();
    LineState check_role(std::size_t role);
    bool is_absent(std::size_t role) const;
    LineState check_text(std::size_t role);
    LineState check_number(std::size_t role);
    LineState check_whole(std::size_t role);
    void push(std::size_t index, std::string_view field);
    std::size_t split_blank(std::string_view line);
    std::size_t split_delimited(std::string_view line);
    bool split_csv(std::string_view line, Arena& arena, std::size_t& found);

    Layout layout_;
    std::vector<Role> roles_;
    std::vector<std::size_t> columns_;            // role -> column
    std::vector<std::vector<std::string>> keys_;  // role -> JSON keys, the best first
    KeyUses key_uses_;
    std::vector<std::size_t> key_rank_;           // role -> place in keys_ of the key that was read
    std::vector<std::string_view> tokens_;        // the first fields of the line, as far as a role needs one
    std::vector<Field> fields_;                   // role -> what the line holds
    Fault fault_{ProblemKind::fields, {}, 0};
};

}  // namespace firsthit
