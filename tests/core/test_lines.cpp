#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "fields.hpp"
#include "hash.hpp"
#include "json_lines.hpp"
#include "lines.hpp"

using namespace firsthit;

namespace {

Layout layout_of(LayoutKind kind) {
    Layout layout;
    layout.kind = kind;
    layout.columns = {{"query", 0}, {"doc", 1}, {"score", 2}};
    layout.keys = {{"query", {"query_id", "qid"}}, {"doc", {"doc_id"}}, {"score", {"score"}}};
    layout.fewest = layout.most = kind == LayoutKind::json ? 0 : 3;
    return layout;
}

LineReader reader_of(const Layout& layout) {
    return {layout, {{"query", RoleKind::id}, {"doc", RoleKind::id}, {"score", RoleKind::number}}};
}

// The fields of a line, or the kind of its problem.
std::string read(const Layout& layout, std::string_view line) {
    LineReader reader = reader_of(layout);
    Arena arena;
    LineState state = reader.read(line, arena);
    if (state == LineState::blank) return "blank";
    if (state == LineState::comment) return "comment";
    if (state == LineState::broken) return std::string(name_of(reader.fault().kind));
    return std::string(reader.field(0)) + "|" + std::string(reader.field(1)) + "|" + std::string(reader.field(2));
}

}  // namespace

TEST(a_line_ends_at_its_feed_and_one_cr_belongs_to_the_end) {
    std::string_view text = "ab\r\n\ncd\re\r\r\nf\r";
    CHECK_EQUAL(line_at(text, 0).text, "ab");
    CHECK_EQUAL(line_at(text, 4).text, "");
    CHECK_EQUAL(line_at(text, 5).text, "cd\re\r");
    CHECK_EQUAL(line_at(text, 12).text, "f");
    CHECK_EQUAL(line_at(text, 12).next, text.size());
    CHECK_EQUAL(start_of_line_before(text, 12), std::size_t{5});
    CHECK_EQUAL(start_of_line_before(text, 4), std::size_t{0});
}

TEST(utf8_is_judged_strictly) {
    for (std::string_view good : {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "12345678\xC2\xA0"}) CHECK(is_utf8(good));
    for (std::string_view bad : {"\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xE2\x82", "12345678\xFF", "\xF5\x80\x80\x80"})
        CHECK(!is_utf8(bad));
}

TEST(blanks_separate_in_runs_and_other_characters_do_not) {
    Layout layout = layout_of(LayoutKind::blank);
    CHECK_EQUAL(read(layout, "  q1 \t d#1\v1.5\f"), "q1|d#1|1.5");
    CHECK_EQUAL(read(layout, "q\xC2\xA0z d 1"), "q\xC2\xA0z|d|1");
    CHECK_EQUAL(read(layout, " \t "), "blank");
    CHECK_EQUAL(read(layout, "q1 d"), "fields");
    CHECK_EQUAL(read(layout, std::string_view("q1 d\0 1", 7)), "nul");
    CHECK_EQUAL(read(layout, "q1 d\xFF 1"), "utf8");
    CHECK_EQUAL(read(layout, "q1 d high"), "number");
    CHECK_EQUAL(read(layout, "q1 d -inf"), "not-finite");
    CHECK_EQUAL(read(layout, "#1 d 1"), "#1|d|1");
    layout.comments = true;
    CHECK_EQUAL(read(layout, "#1 d 1"), "comment");
}

TEST(a_delimiter_separates_exactly) {
    Layout layout = layout_of(LayoutKind::delimited);
    CHECK_EQUAL(read(layout, "q 1\td\"x\t1"), "q 1|d\"x|1");
    CHECK_EQUAL(read(layout, "q1\t\t1"), "empty-id");
    CHECK_EQUAL(read(layout, "q1\td\t1\t"), "fields");
}

TEST(csv_quotes_hold_delimiters_and_quotes) {
    Layout layout = layout_of(LayoutKind::csv);
    layout.delimiter = ',';
    CHECK_EQUAL(read(layout, "\"q,1\",\"d\"\"x\"\"\",1"), "q,1|d\"x\"|1");
    for (std::string_view bad : {"q\"1,d,1", "\"q1,d,1", "\"q1\"x,d,1"}) CHECK_EQUAL(read(layout, bad), "quote");
}

TEST(json_objects_are_read_with_keys_in_any_order) {
    Layout layout = layout_of(LayoutKind::json);
    CHECK_EQUAL(read(layout, R"( {"x":[1,{"y":"]}"}],"score":1.5e0,"doc_id":"a\u00e9\ud83d\ude00\n","query_id":7} )"), "7|a\xC3\xA9\xF0\x9F\x98\x80\n|1.5e0");
    CHECK_EQUAL(read(layout, R"({"qid":"b","query_id":"a","doc_id":"d","score":"2"})"), "a|d|2");
    CHECK_EQUAL(read(layout, R"({"query_id":"a","doc_id":"d"})"), "missing");
    CHECK_EQUAL(read(layout, R"({"query_id":null,"doc_id":"d","score":1})"), "type");
    CHECK_EQUAL(read(layout, R"({"query_id":1.5,"doc_id":"d","score":1})"), "type");
    CHECK_EQUAL(read(layout, R"({"query_id":"a","doc_id":"d","score":NaN})"), "not-finite");
    CHECK_EQUAL(read(layout, R"({"query_id":"\ud800","doc_id":"d","score":1})"), "utf8");
    for (std::string_view bad : {"{", "[]", "{}x", R"({"a":1,})", R"({"a" 1})", R"({"a":01})", R"({"a":+1})", R"({"a":"\x"})", R"({"a":[1,]})",
                                 R"({"a":{"b"}})", R"({"query_id":"a","query_id":"a","doc_id":"d","score":1})", "\"a\"", R"({"a":tru})"})
        CHECK_EQUAL(read(layout, bad), "json");
}

TEST(deeply_nested_json_does_not_crash) {
    std::string deep = R"({"x":)" + std::string(200000, '[') + std::string(200000, ']') + R"(,"query_id":"a","doc_id":"d","score":1})";
    CHECK_EQUAL(read(layout_of(LayoutKind::json), deep), "a|d|1");
    CHECK_EQUAL(read(layout_of(LayoutKind::json), std::string(100000, '[')), "json");
}

TEST(the_scanner_splits_as_the_reader_does_or_says_no) {
    Layout layout = layout_of(LayoutKind::blank);
    for (std::string_view line : {"q1 d1 1", "q1  d1 1", " q1 d1 1", "q1\td1 1", "q1 d1 1 ", "q1 d1", "q1 d\xC3\xA9 1", "q1 d\xFF 1", "q1 d1 1\r", "q1 d1 1 2",
                                  "q1 dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd 1"}) {
        FieldScanner scanner(layout);
        scanner.learn("q0 d0 0", false);
        std::string text = std::string(line) + "\n" + std::string(300, 'x');
        if (!scanner.split(text.data(), text.data() + text.size())) continue;
        CHECK_EQUAL(read(layout, line), std::string(scanner.field(0)) + "|" + std::string(scanner.field(1)) + "|" + std::string(scanner.field(2)));
        CHECK_EQUAL(static_cast<std::size_t>(scanner.next() - text.data()), line.size() + 1);
    }
}

TEST(both_hashes_of_a_text_are_one) {
    std::string text = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (std::size_t size = 1; size < 28; ++size) CHECK_EQUAL(hash_bytes(text.data(), size), hash_readable(text.data(), size));
    CHECK(hash_bytes("ab", 2) != hash_bytes("ba", 2));
}

TEST(a_line_with_control_characters_teaches_no_number_of_fields) {
    FieldScanner scanner(layout_of(LayoutKind::blank));
    for (std::string_view line : {"q1 d\x0e""1 1", "q1  d1 1", " q1 d1 1", "q1 d1\t1"}) {
        scanner.learn(line, false);
        CHECK_EQUAL(scanner.fields(), std::size_t{0});
    }
}

namespace {

// What the scanner reads of a line after it saw another one, or "no".
std::string scanned(std::string_view seen, std::string_view line) {
    Layout layout = layout_of(LayoutKind::json);
    LineReader reader = reader_of(layout);
    Arena arena;
    JsonScanner scanner;
    if (reader.read(seen, arena) != LineState::data) return "not seen";
    scanner.learn(seen, reader);
    std::string text = std::string(line) + "\n" + std::string(300, 'x');
    if (!scanner.knows_lines() || !scanner.split(text.data(), text.data() + text.size())) return "no";
    CHECK_EQUAL(static_cast<std::size_t>(scanner.next() - text.data()), line.size() + 1);
    return std::string(scanner.field(0)) + "|" + std::string(scanner.field(1)) + "|" + std::string(scanner.field(2));
}

}  // namespace

TEST(json_lines_that_look_alike_are_read_as_the_reader_does_or_not_at_all) {
    std::string_view seen = R"({"query_id": "q0", "doc_id": "d", "t": "text", "n": null, "score": 1.5})";
    std::size_t taken = 0;
    for (std::string_view line : {R"({"query_id": "q1", "doc_id": "d2", "t": "x y", "n": null, "score": 12})", R"({"query_id": "é", "doc_id": "d2", "t": "€", "n": null, "score": -0.5})",
                                  R"({"query_id": "q1", "doc_id": "d\n", "t": "", "n": null, "score": 1.0})", R"({"query_id": "q1", "doc_id": "d2", "t": "x", "n": null, "score": 01})",
                                  R"({"query_id": "q1", "doc_id": "d2", "t": "x", "n": null, "score": 1.})", R"({"query_id": "q1", "doc_id": "d2", "t": "x", "n": null, "score": 1e3})",
                                  R"({"query_id": "q1", "doc_id": "d2", "t": "x", "n": true, "score": 1})", R"({"query_id": "q1", "doc_id": "", "t": "x", "n": null, "score": 1})",
                                  R"({"query_id": "q1", "doc_id": "d2", "t": "x", "n": null, "score": 1}})", R"({"query_id": "q1", "doc_id": "d2", "t": "x", "n": null, "score": -})",
                                  R"({"query_id": 1, "doc_id": "d2", "t": "x", "n": null, "score": 1})", "{\"query_id\": \"q1\", \"doc_id\": \"d\x01\", \"t\": \"x\", \"n\": null, \"score\": 1}",
                                  "{\"query_id\": \"q1\", \"doc_id\": \"d\xFF\", \"t\": \"x\", \"n\": null, \"score\": 1}", R"({"query_id": "q1", "doc_id": "d2", "t": "x", "n": null, "score": 1} )"}) {
        std::string fast = scanned(seen, line);
        if (fast == "no") continue;
        CHECK_EQUAL(fast, read(layout_of(LayoutKind::json), line));
        ++taken;
    }
    CHECK_EQUAL(taken, std::size_t{2});
}

TEST(json_ids_that_are_numbers_must_stay_integers) {
    std::string_view seen = R"({"query_id":7,"doc_id":12,"score":"1.5"})";
    CHECK_EQUAL(scanned(seen, R"({"query_id":-8,"doc_id":0,"score":"2"})"), "-8|0|2");
    CHECK_EQUAL(scanned(seen, R"({"query_id":8.5,"doc_id":0,"score":"2"})"), "no");
    CHECK_EQUAL(scanned(seen, R"({"query_id":8,"doc_id":007,"score":"2"})"), "no");
}

TEST(only_flat_json_lines_teach_and_the_first_accepted_key_wins) {
    CHECK_EQUAL(scanned(R"({"x":[1],"query_id":"a","doc_id":"d","score":1})", R"({"x":[1],"query_id":"b","doc_id":"d","score":1})"), "no");
    std::string_view both = R"({"qid":"x","query_id":"a","doc_id":"d","score":1})";
    CHECK_EQUAL(scanned(both, R"({"qid":"y","query_id":"b","doc_id":"e","score":2})"), "b|e|2");
}
