// One query's records become a ranking: order, ties, duplicates, self-hits, ranks; and its labelled documents hits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "labels.hpp"
#include "outcome.hpp"

namespace firsthit {

enum class Key : std::uint8_t { score, rank, given };
enum class Ties : std::uint8_t { docid_descending, docid_ascending, given };
enum class Duplicates : std::uint8_t { error, best, first, last, keep };

struct Ordering {
    Key key = Key::score;
    int bits = 64;
    Ties ties = Ties::docid_descending;
    Duplicates duplicates = Duplicates::error;
    bool drop_self_hits = false;
    bool check_rank = false;
};

// One retrieved document. The text of the id belongs to whoever made the record. Line and record are numbers within
// a part of the run.
struct Record {
    const char* doc;
    double key;  // a higher key ranks better: the score, or the rank with its sign turned
    std::uint32_t hash;
    std::uint32_t doc_size;
    std::uint32_t line;    // from 1
    std::uint32_t record;  // from 0

    std::string_view id() const { return {doc, doc_size}; }
};

struct QueryKey {
    std::string_view id;
    std::int32_t number;  // in the labels, or -1
};

// A rank that is looked at beside the score: not_a_rank where it is no integer.
constexpr double not_a_rank = -std::numeric_limits<double>::infinity();
constexpr double no_rank = std::numeric_limits<double>::infinity();

class Ranker {
public:
    Ranker(const Labels& labels, const Ordering& ordering, std::size_t depth)
        : labels_(labels), ordering_(ordering), depth_(depth) {}

    // Ranks all records of one query, in file order, and adds what comes out. `ranks` is parallel to `records`, or
    // empty when the rank column is not looked at.
    void rank(const QueryKey& query, std::span<const Record> records, std::span<const double> ranks, Outcome& out);

private:
    void look_at_ranks(const QueryKey& query, std::span<const double> ranks, Outcome& out);
    void count_pairs(const QueryKey& query, std::span<const double> ranks, Outcome& out);
    void arrange();
    void report_repeated_ranks(Outcome& out);
    void find_repeats();
    void handle_repeats(const QueryKey& query, Outcome& out);
    void report_repeats(const QueryKey& query, Outcome& out);
    void choose_repeats();
    void drop_self_hits(const QueryKey& query, Outcome& out);
    void emit(const QueryKey& query, Outcome& out);
    void emit_hits(std::int32_t query, RankedQuery& ranked, Outcome& out);
    void emit_head(std::int32_t query, RankedQuery& ranked, Outcome& out);
    std::int64_t row_of(std::int32_t query, std::uint32_t index) const;
    std::size_t end_of_tie(std::size_t start) const;

    const Labels& labels_;
    Ordering ordering_;
    std::size_t depth_;

    std::span<const Record> records_;
    std::vector<std::uint32_t> order_;     // indexes of the records that are ranked, best first
    std::vector<std::uint32_t> first_of_;  // index of the first record with the same document; empty: none repeats
    std::vector<bool> extra_;              // the repeats that do not count; empty: none repeats
    std::vector<std::uint32_t> slots_;
};

}  // namespace firsthit
