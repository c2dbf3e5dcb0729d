#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "hash.hpp"
#include "matcher.hpp"
#include "passage_book.hpp"

using namespace firsthit;

namespace {

PassageSettings all_fields() {
    return {.kept = true, .fields = {PassageField::source, PassageField::start, PassageField::end, PassageField::text, PassageField::tokens}};
}

Layout json_layout() {
    Layout layout;
    layout.kind = LayoutKind::json;
    for (const char* role : {"query", "doc", "score", "source", "start", "end", "text", "tokens"}) layout.keys[role] = {role};
    return layout;
}

std::uint32_t add(PassageTable& table, std::string_view doc, const PassageRow& row, RowPlace place) {
    std::size_t bad = 0;
    std::uint32_t number = table.add(doc, hash_bytes(doc), row, place, bad);
    CHECK_EQUAL(bad, PassageTable::none_bad);
    return number;
}

// A run whose documents stand in many rankings; some rows lack fields, some contradict others.
std::string run_of(int contradicting) {
    std::string text;
    for (int row = 0; row < 4000; ++row) {
        int query = row / 50, doc = (row * 37 + query) % 211;
        auto number = std::to_string(doc);
        text += R"({"query": "q)" + std::to_string(query) + R"(", "doc": "d)" + number + R"(", "score": )" + std::to_string(50 - row % 50);
        text += R"(, "source": "s)" + number + R"(", "start": )" + std::to_string(doc * 10) + R"(, "end": )" + std::to_string(doc * 10 + 9);
        if (row % 97 == 5) text += R"(, "text": null})";
        else text += R"(, "text": "a text of )" + (contradicting != 0 && row % contradicting == 7 ? "another" : number) + R"("})";
        text += row % 60 == 0 ? "\r\n" : "\n";
    }
    return text;
}

std::string summary(const TextMatcher& matcher, const Totals& totals) {
    MatchArrays arrays = arrays_of(totals.outcome, 2);
    PassageColumns columns = matcher.passages().columns(arrays.head_passages);
    std::string text = std::to_string(totals.outcome.problems.count());
    for (const Problem& problem : totals.outcome.problems.first()) text += "|" + std::to_string(problem.line) + problem.value + std::to_string(problem.other);
    for (std::int32_t row : columns.of_head) text += " " + std::to_string(row);
    for (std::int64_t line : columns.lines) text += " " + std::to_string(line);
    for (const Texts* texts : {&columns.docs, &columns.texts[0], &columns.texts[3]}) text.append(texts->bytes.begin(), texts->bytes.end());
    for (double number : columns.numbers[1]) text += " " + std::to_string(number);
    return text;
}

}  // namespace

TEST(a_document_is_kept_once_with_the_first_values_of_its_fields) {
    PassageTable table(all_fields());
    CHECK_EQUAL(add(table, "d1", {"s", "", "", "text", ""}, {0, 1}), 0u);
    CHECK_EQUAL(add(table, "d2", {"t", "", "", "", ""}, {0, 2}), 1u);
    CHECK_EQUAL(add(table, "d1", {"s", "5", "9", "text", ""}, {1, 1}), 0u);
    CHECK_EQUAL(add(table, "d1", {"", "5.0", "", "", ""}, {1, 2}), 0u);
    CHECK_EQUAL(table.size(), std::size_t{2});
    CHECK_EQUAL(table.value(0, 1), "5");
    CHECK_EQUAL(table.value(0, 3), "text");
    CHECK(table.place_of_value(0, 0) == (RowPlace{0, 1}));
    CHECK(table.place_of_value(0, 2) == (RowPlace{1, 1}));
    CHECK(table.others().empty());
}

TEST(a_number_that_is_none_is_not_taken) {
    PassageTable table(all_fields());
    std::size_t bad = PassageTable::none_bad;
    table.add("d", hash_bytes("d"), {"s", "1", "-1", "", ""}, {0, 1}, bad);
    CHECK_EQUAL(bad, std::size_t{2});
    CHECK_EQUAL(table.size(), std::size_t{0});
}

TEST(many_documents_are_told_apart) {
    PassageTable table(all_fields());
    std::vector<std::uint32_t> hashes;
    for (int round = 0; round < 2; ++round)
        for (std::uint32_t i = 0; i < 20000; ++i) {
            std::string doc = "p" + std::to_string(100000 + i), source = "s" + std::to_string(i);
            hashes.assign(1, hash_bytes(doc));
            table.expect(hashes);
            CHECK_EQUAL(add(table, doc, {source, "", "", "", ""}, {static_cast<std::uint32_t>(round), i}), i);
        }
    CHECK_EQUAL(table.size(), std::size_t{20000});
    CHECK_EQUAL(table.value(19999, 0), "s19999");
}

TEST(tables_of_several_workers_contradict_as_one_would) {
    PassageBook book(all_fields(), 2);
    for (std::int64_t lines : {0, 10, 20}) book.add_part(lines);
    add(book.table(1), "d", {"b", "", "", "", ""}, {1, 1});
    add(book.table(1), "d", {"a", "", "", "", ""}, {1, 2});
    add(book.table(0), "d", {"a", "", "", "", ""}, {0, 3});
    add(book.table(0), "d", {"c", "", "", "", ""}, {2, 1});
    book.number_new();
    Problems problems;
    book.report(problems);
    CHECK_EQUAL(problems.count(), 1);
    CHECK_EQUAL(problems.first()[0].line, 11);
    CHECK_EQUAL(problems.first()[0].other, 3);
    CHECK_EQUAL(problems.first()[0].value, (std::string("d\0source\0b\0a", 12)));
}

TEST(passages_do_not_depend_on_blocks_or_threads) {
    Texts query, doc;
    for (const char* id : {"q3", "q70"}) query.add(id);
    for (const char* id : {"d1", "d2"}) doc.add(id);
    Labels labels({query.bytes, query.offsets}, {doc.bytes, doc.offsets}, {});
    for (int contradicting : {0, 500}) {
        std::string text = run_of(contradicting), whole;
        for (bool grouped : {false, true})
            for (std::size_t threads : {1, 2, 3})
                for (std::size_t block : {text.size(), std::size_t{70000}, std::size_t{333}}) {
                    MatchSettings settings{.ordering = {}, .depth = 20, .threads = threads, .grouped = grouped, .passages = all_fields()};
                    TextMatcher matcher(labels, json_layout(), settings);
                    for (std::size_t at = 0; at < text.size(); at += block) matcher.feed(std::string(text.substr(at, block)), false);
                    std::string found = summary(matcher, matcher.finish());
                    if (whole.empty()) whole = found;
                    CHECK_EQUAL(found, whole);
                }
        CHECK(whole.find("d1") != std::string::npos);
        CHECK((whole[0] == '0') == (contradicting == 0));
    }
}
