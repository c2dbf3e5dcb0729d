#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "column_matcher.hpp"

using namespace firsthit;

namespace {

// A record batch of two utf8 columns and a column of doubles, and its memory.
struct Batch {
    std::vector<std::int32_t> query_ends{0}, doc_ends{0};
    std::string query_bytes, doc_bytes;
    std::vector<double> scores;
    std::vector<const void*> query_buffers, doc_buffers, score_buffers, no_buffers{nullptr};
    std::vector<ArrowArray> columns;
    std::vector<ArrowArray*> children;

    void add(const std::string& query, const std::string& doc, double score) {
        query_bytes += query;
        query_ends.push_back(static_cast<std::int32_t>(query_bytes.size()));
        doc_bytes += doc;
        doc_ends.push_back(static_cast<std::int32_t>(doc_bytes.size()));
        scores.push_back(score);
    }

    // The batch in the C interface: releasing it frees this object.
    static ColumnStream::Batch exported(std::unique_ptr<Batch> batch) {
        batch->query_buffers = {nullptr, batch->query_ends.data(), batch->query_bytes.data()};
        batch->doc_buffers = {nullptr, batch->doc_ends.data(), batch->doc_bytes.data()};
        batch->score_buffers = {nullptr, batch->scores.data()};
        for (auto* buffers : {&batch->query_buffers, &batch->doc_buffers, &batch->score_buffers}) batch->columns.push_back(batch->array(*buffers));
        for (ArrowArray& column : batch->columns) batch->children.push_back(&column);
        ArrowArray array = batch->array(batch->no_buffers);
        array.n_children = 3;
        array.children = batch->children.data();
        array.private_data = batch.release();
        array.release = [](ArrowArray* released) {
            delete static_cast<Batch*>(released->private_data);
            released->release = nullptr;
        };
        return std::make_shared<Released<ArrowArray>>(array);
    }

    ArrowArray array(std::vector<const void*>& buffers) const {
        ArrowArray made{};
        made.length = static_cast<std::int64_t>(scores.size());
        made.n_buffers = static_cast<std::int64_t>(buffers.size());
        made.buffers = buffers.data();
        return made;
    }
};

RunRoles roles() {
    RunRoles roles;
    roles.has_number = true;
    roles.add("query", "q", ColumnUse::text);
    roles.add("doc", "d", ColumnUse::text);
    roles.add("score", "s", ColumnUse::number);
    return roles;
}

std::vector<Column> columns_of(const ColumnStream::Batch& batch) {
    ArrowSchema text{}, number{};
    text.format = "u";
    number.format = "g";
    const ArrowArray& array = *batch->get();
    std::vector<Column> columns;
    columns.emplace_back(text, *array.children[0], 0, ColumnUse::text);
    columns.emplace_back(text, *array.children[1], 0, ColumnUse::text);
    columns.emplace_back(number, *array.children[2], 0, ColumnUse::number);
    return columns;
}

// Matches queries of three rows each, whose second document is labelled, in batches of so many rows.
Totals matched(int queries, std::size_t batch_rows, const MatchSettings& settings) {
    Texts query, doc;
    auto id = [](int q) { return "query" + std::to_string(q); };
    for (int q = 0; q < queries; ++q) query.add(id(q)), doc.add("doc1");
    Labels labels({query.bytes, query.offsets}, {doc.bytes, doc.offsets}, {});
    ColumnMatcher matcher(labels, settings, roles());
    auto batch = std::make_unique<Batch>();
    auto feed = [&] {
        ColumnStream::Batch fed = Batch::exported(std::exchange(batch, std::make_unique<Batch>()));
        matcher.feed(fed, columns_of(fed));
    };
    for (int row = 0; row < 3 * queries; ++row) {
        batch->add(id(row / 3), "doc" + std::to_string(row % 3), -row);
        if (batch->scores.size() == batch_rows) feed();
    }
    feed();
    return matcher.finish();
}

}  // namespace

TEST(a_query_that_goes_on_in_the_next_batch_is_one_ranking) {
    for (std::size_t rows : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000}}) {
        Totals totals = matched(50, rows, {});
        CHECK(!totals.scattered);
        CHECK_EQUAL(totals.outcome.records, 150);
        CHECK_EQUAL(totals.outcome.rankings.size(), std::size_t{50});
        CHECK_EQUAL(totals.outcome.hits.size(), std::size_t{50});
        for (const Hit& hit : totals.outcome.hits) CHECK_EQUAL(hit.rank, std::uint32_t{2});
    }
}

TEST(threads_share_one_large_batch_and_change_nothing) {
    for (bool grouped : {false, true})
        for (std::size_t threads : {std::size_t{1}, std::size_t{3}}) {
            Totals totals = matched(20'000, 60'000, {.ordering = {}, .depth = 2, .threads = threads, .grouped = grouped});
            CHECK(!totals.scattered);
            CHECK_EQUAL(totals.outcome.records, 60'000);
            CHECK_EQUAL(totals.outcome.hits.size(), std::size_t{20'000});
            CHECK_EQUAL(totals.outcome.head.back().record, 59'998);
        }
}
