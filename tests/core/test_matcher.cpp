#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "matcher.hpp"
#include "table.hpp"

using namespace firsthit;

namespace {

Texts texts_of(const std::vector<std::string>& items) {
    Texts texts;
    for (const std::string& item : items) texts.add(item);
    return texts;
}

TextsView view(const Texts& texts) { return {texts.bytes, texts.offsets}; }

Labels labels_of(const std::vector<std::string>& queries, const std::vector<std::string>& docs) {
    Texts query = texts_of(queries), doc = texts_of(docs);
    return {view(query), view(doc), {}};
}

Layout trec() {
    Layout layout;
    layout.columns = {{"query", 0}, {"doc", 2}, {"rank", 3}, {"score", 4}};
    layout.fewest = 5;
    return layout;
}

// Everything of a match that could depend on how the text was cut, as one text.
std::string summary(const Totals& totals, std::size_t queries) {
    const Outcome& out = totals.outcome;
    MatchArrays arrays = arrays_of(out, queries);
    std::string text;
    auto add = [&text](std::int64_t number) { text += std::to_string(number) + " "; };
    for (std::size_t i = 0; i < arrays.rank.size(); ++i)
        for (std::int64_t number : {std::int64_t{arrays.query[i]}, arrays.rank[i], arrays.row[i], arrays.tie_first[i], arrays.tie_last[i]}) add(number);
    for (std::int64_t number : arrays.retrieved) add(number);
    for (std::int64_t number : arrays.head_record) add(number);
    text.append(arrays.head_ids.bytes.begin(), arrays.head_ids.bytes.end());
    for (std::int64_t number : {out.lines, out.records, out.blank_lines, out.tied_records, out.pairs_fall, out.pairs_rise, out.problems.count()}) add(number);
    for (const Problem& problem : out.problems.first()) text += std::to_string(problem.line) + problem.value + std::to_string(problem.other) + ";";
    for (const Inverted& query : out.inverted) text += query.query + ";";
    return text;
}

struct Matching {
    MatchSettings settings{.ordering = {.check_rank = true}, .depth = 3};
    std::size_t block = 1 << 20;
};

std::string match(const Labels& labels, std::string_view text, const Matching& how) {
    TextMatcher matcher(labels, trec(), how.settings);
    for (std::size_t at = 0; at < text.size(); at += how.block) {
        std::string block(text.substr(at, how.block));  // memory of its own: reading past its end is found
        matcher.feed(block, false);
    }
    const Totals& totals = matcher.finish();
    return totals.scattered ? "scattered" : summary(totals, labels.query_count());
}

std::string match_file(const Labels& labels, std::string_view text, const Matching& how) {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    std::fwrite(text.data(), 1, text.size(), file.get());
    std::fflush(file.get());
    constexpr std::size_t count = 5;
    TextMatcher matcher(labels, trec(), how.settings);
    auto step = static_cast<std::int64_t>(how.block * count);
    for (std::int64_t at = 0, found = step; found == step; at += found) found = matcher.feed_file(fileno(file.get()), at, how.block, count);
    const Totals& totals = matcher.finish();
    return totals.scattered ? "scattered" : summary(totals, labels.query_count());
}

std::string long_run(bool shuffled) {
    std::vector<std::string> lines;
    for (int query = 0; query < 40; ++query)
        for (int rank = 1; rank <= 90; ++rank) {
            int score = 5000 - rank * (query % 3 == 0 ? 1 : 7) / 2;
            std::string end = rank % 50 == 0 ? "\r\n" : "\n";
            lines.push_back("q" + std::to_string(query) + " Q0 d" + std::to_string(rank * 37 % 101) + " " + std::to_string(rank) + " " +
                            std::to_string(score / 100) + "." + std::to_string(10 + score % 90) + " tag" + end);
            if (rank == 20 && query % 7 == 0) lines.push_back(query == 7 ? "bad line\n" : " \n");
        }
    if (shuffled)
        for (std::size_t i = 0; i < lines.size(); ++i) std::swap(lines[i], lines[i * 7919 % lines.size()]);
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
}

Labels long_labels() { return labels_of({"q3", "q3", "q0", "q39", "nowhere"}, {"d37", "d74", "d5", "d100", "d1"}); }

}  // namespace

TEST(ties_break_on_doc_id_descending) {
    Labels labels = labels_of({"q1"}, {"a"});
    TextMatcher matcher(labels, trec(), {});
    matcher.feed("q1 Q0 a 1 1.0 t\nq1 Q0 m 2 1.0 t\nq1 Q0 z 3 1 t\n", true);
    MatchArrays arrays = arrays_of(matcher.finish().outcome, 1);
    CHECK_EQUAL(arrays.rank, (std::vector<std::int64_t>{3}));
    CHECK_EQUAL(arrays.tie_first, (std::vector<std::int64_t>{1}));
    CHECK_EQUAL(arrays.tie_last, (std::vector<std::int64_t>{3}));
}

TEST(a_query_absent_from_the_run_has_no_ranking) {
    Labels labels = labels_of({"q1", "q2"}, {"a", "b"});
    TextMatcher matcher(labels, trec(), {});
    matcher.feed("q2 Q0 x 1 1.0 t", true);
    CHECK_EQUAL(arrays_of(matcher.finish().outcome, 2).retrieved, (std::vector<std::int64_t>{-1, 1}));
}

TEST(the_result_does_not_depend_on_blocks_or_threads) {
    Labels labels = long_labels();
    std::string text = long_run(false), whole = match(labels, text, {});
    CHECK(whole != "scattered");
    for (std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{1000}, std::size_t{50000}})
        for (std::size_t threads : {1, 2, 3}) {
            Matching how{.block = block};
            how.settings.threads = threads;
            CHECK_EQUAL(match(labels, text, how), whole);
            CHECK_EQUAL(match_file(labels, text, how), whole);
            how.settings.grouped = true;
            CHECK_EQUAL(match(labels, text, how), whole);
            CHECK_EQUAL(match_file(labels, text, how), whole);
        }
}

TEST(scattered_lines_are_noticed_and_grouping_ranks_them) {
    Labels labels = long_labels();
    std::string text = long_run(true);
    for (std::size_t block : {std::size_t{100}, std::size_t{1} << 20}) {
        Matching how{.block = block};
        CHECK_EQUAL(match(labels, text, how), "scattered");
        CHECK_EQUAL(match_file(labels, text, how), "scattered");
        how.settings.grouped = true;
        how.settings.threads = 2;
        CHECK(match(labels, text, how) != "scattered");
    }
}

TEST(every_repeated_document_is_a_problem) {
    Labels labels = labels_of({"q1"}, {"a"});
    TextMatcher matcher(labels, trec(), {});
    matcher.feed("q1 Q0 b 1 3.0 t\nq1 Q0 a 2 2.0 t\n\nq1 Q0 b 3 1.0 t\n", true);
    const Problems& problems = matcher.finish().outcome.problems;
    CHECK_EQUAL(problems.count(), 1);
    CHECK_EQUAL(problems.first()[0].line, 4);
    CHECK_EQUAL(problems.first()[0].other, 1);
    CHECK_EQUAL(problems.first()[0].value, "b");
}

TEST(only_the_first_problems_are_kept) {
    Problems problems;
    for (int line = 1000; line > 0; --line) problems.add(ProblemKind::number, line, "x");
    CHECK_EQUAL(problems.count(), 1000);
    CHECK_EQUAL(problems.first().size(), Problems::shown);
    CHECK_EQUAL(problems.first().front().line, 1);
    CHECK_EQUAL(problems.first().back().line, 20);
}

TEST(a_table_keeps_its_rows_and_their_lines) {
    Layout layout;
    layout.columns = {{"query", 0}, {"doc", 2}, {"grade", 3}};
    layout.fewest = layout.most = 4;
    layout.header = 1;
    Table table(layout, {"query", "doc"}, {"grade"});
    for (char c : std::string("\xEF\xBB\xBFq i d g\nq1 0 a 1\n\nq2 0 b x\nq3 0 c -2")) table.feed({&c, 1}, false);
    Columns columns = table.finish();
    CHECK_EQUAL(columns.lines, (std::vector<std::int64_t>{2, 5}));
    CHECK_EQUAL(columns.numbers[0], (std::vector<double>{1, -2}));
    CHECK_EQUAL(columns.texts[1][1], "c");
    CHECK_EQUAL(columns.problems.count(), 1);
    CHECK_EQUAL(columns.blank_lines, 1);
}

TEST(scores_are_sorted_whatever_their_bits) {
    std::vector<double> values;
    for (int i = 0; i < 500; ++i) values.push_back((i * 7919 % 501 - 250) / (i % 2 == 0 ? 1e9 : 3.0));
    values.insert(values.end(), {0.0, -0.0, 1e300, -1e300, 5e-324, -5e-324});
    std::vector<std::uint32_t> order, expected(values.size());
    for (std::uint32_t i = 0; i < expected.size(); ++i) expected[i] = i;
    std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return values[a] > values[b]; });
    FallingOrder().sort(values, order);
    CHECK_EQUAL(order, expected);
}

TEST(a_table_is_the_same_whether_its_lines_come_alone_or_together) {
    Layout layout;
    layout.columns = {{"query", 0}, {"doc", 2}, {"grade", 3}};
    layout.fewest = layout.most = 4;
    layout.comments = true;
    std::string text;
    for (int i = 0; i < 400; ++i) {
        std::string query = "q" + std::to_string(i / 3), end = i % 90 < 60 ? "\n" : "\r\n";
        text += query + " 0 d" + std::to_string(i) + (i % 37 == 5 ? " x" : i % 41 == 7 ? " 1e400" : " " + std::to_string(i % 4 - 1)) + end;
        if (i % 50 == 3) text += i % 100 == 3 ? "# " + query + " 0 d 1\n" : query + " 0 caf\xC3\xA9 1\n" + query + "\t0 d\xFF 1\n q 0  z 2\nq 0 d\n\n";
    }
    Table alone(layout, {"query", "doc"}, {"grade"}), together(layout, {"query", "doc"}, {"grade"});
    for (char c : text) alone.feed({&c, 1}, false);
    together.feed(text, true);
    Columns a = alone.finish(), b = together.finish();
    CHECK_EQUAL(a.lines, b.lines);
    CHECK_EQUAL(a.numbers, b.numbers);
    CHECK_EQUAL(a.texts[0].bytes, b.texts[0].bytes);
    CHECK_EQUAL(a.texts[1].bytes, b.texts[1].bytes);
    CHECK_EQUAL(a.texts[1].offsets, b.texts[1].offsets);
    CHECK_EQUAL(a.problems.count(), b.problems.count());
    for (std::size_t i = 0; i < a.problems.first().size(); ++i) {
        CHECK_EQUAL(a.problems.first()[i].line, b.problems.first()[i].line);
        CHECK_EQUAL(a.problems.first()[i].value, b.problems.first()[i].value);
    }
    CHECK_EQUAL(a.blank_lines + a.comment_lines, b.blank_lines + b.comment_lines);
    CHECK(a.lines.size() > 350);
}
