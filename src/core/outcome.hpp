// What matching gave: for a part of a run, and, parts appended in order, for the whole run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "problem.hpp"
#include "texts.hpp"

namespace firsthit {

// A retrieved labelled document. Ranks start at 1.
struct Hit {
    std::uint32_t row;
    std::uint32_t rank;
    std::uint32_t tie_first;
    std::uint32_t tie_last;
};

// A document of the head of a ranking; its id lies in Outcome::head_ids.
struct HeadEntry {
    std::int64_t record;  // from 0
    std::int32_t row;     // or -1
    std::uint32_t id_size;
};

// One query's ranking: how many hits, head entries and head bytes of the outcome are its own.
struct RankedQuery {
    std::int32_t query;  // in the labels, or -1: then its id is the next of Outcome::unlabelled
    std::uint32_t hits = 0;
    std::uint32_t head = 0;
    std::uint32_t head_bytes = 0;
    std::uint32_t retrieved = 0;
    bool tied = false;
};

// An example of a repeated document or a self-hit; line numbers as in Problem, earlier_line 0 for self-hits.
struct Example {
    std::string query;
    std::string doc;
    std::int64_t line;
    std::int64_t earlier_line;
};

// A query whose scores rise more often than they fall along its ranks.
struct Inverted {
    std::int64_t record;  // its first one, from 0
    std::string query;
};

struct RankColumn {
    bool present = false;     // some record had a rank
    bool missing = false;     // some record had none
    bool broken = false;      // some rank was no integer
    bool several = false;     // some ranking had more than one record
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
};

// Examples are kept for a reader, not for a program.
constexpr std::size_t example_limit = 1000;

struct Outcome {
    std::vector<RankedQuery> rankings;
    std::vector<Hit> hits;
    std::vector<HeadEntry> head;
    std::vector<char> head_ids;
    std::vector<std::uint8_t> head_tied;        // whether its score is that of the place before
    std::vector<std::uint32_t> head_passages;   // the number of its document, where passages are kept
    Texts unlabelled;

    std::int64_t lines = 0;
    std::int64_t records = 0;
    std::int64_t blank_lines = 0;
    std::int64_t comment_lines = 0;
    std::int64_t tied_records = 0;
    std::int64_t tied_unlabelled = 0;
    std::int64_t duplicates_removed = 0;
    std::int64_t self_hits_dropped = 0;
    std::vector<Example> duplicates;
    std::vector<Example> self_hits;
    RankColumn rank_column;
    std::int64_t pairs_fall = 0;
    std::int64_t pairs_rise = 0;
    std::int64_t inverted_count = 0;
    std::vector<Inverted> inverted;
    std::int64_t deepest = 0;
    Problems problems;

    void add_inverted(std::string_view query, std::int64_t record);

    // Brings the examples into the order of the file.
    void sort_examples();

    // Adds a part whose own line and record numbers start where `line_shift` and `record_shift` say.
    void append(const Outcome& part, std::int64_t line_shift, std::int64_t record_shift);

    // Adds a following part: its numbers start after this one's.
    void append(const Outcome& part) { append(part, lines, records); }
};

// The first examples in the order of the file.
void keep_first(std::vector<Example>& examples);
void keep_first(std::vector<Inverted>& queries);

}  // namespace firsthit
