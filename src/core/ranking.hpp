// One query's records become a ranking: order, ties, duplicates, self-hits, ranks; and its labelled documents hits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "labels.hpp"
#include "outcome.hpp"
#include "sorting.hpp"

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

    // The number by which a record ranks: a higher one is better.
    double key_of(double number) const {
        if (key == Key::rank) return -number;
        return bits == 32 ? static_cast<double>(static_cast<float>(number)) : number;
    }
};

// What of the top of a ranking is kept.
struct HeadSettings {
    std::size_t depth = 0;
    bool passages = false;  // the numbers of the documents, and not their ids
};

// One retrieved document. The text of the id belongs to whoever made the record. Line and record are numbers within
// a part of the run.
struct Record {
    const char* doc;
    std::uint32_t size;
    std::uint32_t line;         // from 1
    std::uint32_t record;       // from 0
    std::uint32_t passage = 0;  // the number of the document, where passages are kept

    std::string_view id() const { return {doc, size}; }
};

// What a record holds in the rank column beside its score.
constexpr double not_a_rank = -std::numeric_limits<double>::infinity();
constexpr double no_rank = std::numeric_limits<double>::infinity();

// The records of one query in file order: columns of one capacity, since adding a record and looking at one column of
// all are the work of the innermost loops. The rank is there only where the rank column is looked at.
class Records {
public:
    explicit Records(bool has_ranks) : has_ranks_(has_ranks) {}

    void add(const Record& record, std::uint32_t hash, double key, double rank) {
        add(record);
        set(size_ - 1, hash, key, rank);
    }
    // Adds a record whose hash, key and rank are set later.
    void add(const Record& record) {
        if (size_ == room_) grow(size_ + 1);
        records_[size_++] = record;
    }
    void set(std::size_t i, std::uint32_t hash, double key, double rank) {
        hashes_[i] = hash;
        keys_[i] = key;
        ranks_[i] = rank;
    }
    void set_passage(std::size_t i, std::uint32_t passage) { records_[i].passage = passage; }
    void erase(std::size_t i);
    void clear() { size_ = 0; }

    std::size_t size() const { return size_; }
    std::span<const Record> records() const { return {records_.get(), size_}; }
    std::span<const std::uint32_t> hashes() const { return {hashes_.get(), size_}; }
    std::span<const double> keys() const { return {keys_.get(), size_}; }
    std::span<const double> ranks() const { return {ranks_.get(), has_ranks_ ? size_ : 0}; }

private:
    void grow(std::size_t least);

    bool has_ranks_;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
    std::unique_ptr<Record[]> records_;
    std::unique_ptr<std::uint32_t[]> hashes_;
    std::unique_ptr<double[]> keys_;
    std::unique_ptr<double[]> ranks_;
};

struct QueryKey {
    std::string_view id;
    std::int32_t number;  // in the labels, or -1
};

class Ranker {
public:
    Ranker(const Labels& labels, const Ordering& ordering, const HeadSettings& heads)
        : labels_(labels), ordering_(ordering), heads_(heads) {}

    // Ranks all records of one query and adds what comes out.
    void rank(const QueryKey& query, const Records& records, Outcome& out);

private:
    // How neighbours compare; equal[k] is the place of a value that equals the one before.
    struct Steps {
        std::size_t rise = 0;
        std::vector<std::uint32_t> equal;
    };

    // A retrieved labelled document: its index in the records and its label row.
    struct Found {
        std::uint32_t index;
        std::uint32_t row;
    };

    static void compare(std::span<const double> values, Steps& steps);
    void look_at_ranks(const QueryKey& query, std::span<const double> ranks, Outcome& out);
    std::pair<std::int64_t, std::int64_t> pairs_along(std::span<const double> ranks, double lowest, double highest);
    void order_by_rank(std::span<const double> ranks, double lowest, double highest);
    void arrange();
    void sort_ties();
    void compare_ranked();
    void report_repeated_ranks(Outcome& out);
    bool may_repeat();
    void find_repeats();
    void handle_repeats(const QueryKey& query, Outcome& out);
    void report_repeats(const QueryKey& query, Outcome& out);
    void choose_repeats();
    void drop_self_hits(const QueryKey& query, Outcome& out);
    void emit(const QueryKey& query, Outcome& out);
    void count_ties(RankedQuery& ranked, Outcome& out) const;
    void find_labelled(std::int32_t query);
    void emit_hits(RankedQuery& ranked, Outcome& out);
    void emit_head(std::int32_t query, RankedQuery& ranked, Outcome& out);
    bool is_extra(std::uint32_t index) const { return !extra_.empty() && extra_[index]; }
    std::pair<std::size_t, std::size_t> tie_around(std::size_t position) const;
    double key_at(std::size_t position) const { return keys_[order_[position]]; }

    const Labels& labels_;
    Ordering ordering_;
    HeadSettings heads_;

    std::span<const Record> records_;
    std::span<const std::uint32_t> hashes_;
    std::span<const double> keys_;
    Steps steps_;                          // of the keys in file order, then in rank order
    bool removed_ = false;                 // some records are not ranked
    std::vector<std::uint32_t> order_;     // indexes of the records that are ranked, best first
    std::vector<std::uint32_t> first_of_;  // index of the first record with the same document; empty: none repeats
    std::vector<bool> extra_;              // the repeats that do not count; empty: none repeats
    std::vector<Found> found_;
    std::vector<std::uint32_t> places_;    // index of a record -> its place in order_
    std::vector<std::uint16_t> tags_;
    std::vector<std::uint32_t> slots_;
    std::vector<double> sorted_keys_;
    Steps rank_steps_;
    FallingOrder sorter_;
    std::vector<std::uint32_t> counts_;
};

}  // namespace firsthit
