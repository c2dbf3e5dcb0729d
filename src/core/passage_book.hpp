// The passages of a whole run, put together from the tables of those who read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "passages.hpp"
#include "problem.hpp"
#include "texts.hpp"

namespace firsthit {

// Passages as columns. A text is empty and a number NaN where no row has it.
struct PassageColumns {
    Texts docs;
    std::array<Texts, passage_field_count> texts;
    std::array<std::vector<double>, passage_field_count> numbers;
    std::vector<std::int64_t> lines;
    std::vector<std::int32_t> of_head;  // the row for each place of the heads
};

class PassageBook {
public:
    // Each worker has a table of its own.
    PassageBook(const PassageSettings& settings, std::size_t workers);

    PassageTable& table(std::size_t worker) { return *tables_[worker]; }

    // Parts of the run are numbered in the order of the file; `lines` is how many stand before the one that is added.
    std::uint32_t next_part() const { return static_cast<std::uint32_t>(lines_before_.size()); }
    void add_part(std::int64_t lines) { lines_before_.push_back(lines); }

    // Numbers the documents that are new since the last call: number() then gives the one that all workers share.
    void number_new();
    std::uint32_t number(std::size_t worker, std::uint32_t local) const { return numbers_[worker][local]; }

    // Once all rows were read: reports where rows contradict each other.
    void report(Problems& problems);
    // The documents that stand in `heads`, numbers as number() gives them, in the order of their first appearance there.
    PassageColumns columns(std::span<const std::uint32_t> heads) const;

    const std::vector<PassageField>& fields() const { return fields_; }

private:
    // A worker's entry.
    struct Found {
        std::uint32_t worker;
        std::uint32_t local;
    };
    using Firsts = std::array<Found, passage_field_count>;

    template <class Visit>
    void each_entry(Visit visit) const;
    void number(std::size_t worker, std::span<const std::uint32_t> hashes);
    void find_firsts();
    void find_others();
    void note_other(std::uint32_t number, std::size_t field, const PassageTable::Other& other);
    void reserve(std::span<const std::uint32_t> chosen, PassageColumns& columns) const;
    void add_row(std::uint32_t number, PassageColumns& columns) const;
    bool is_known(Found found) const { return found.worker < tables_.size(); }
    std::string_view value(Found found, std::size_t field) const { return tables_[found.worker]->value(found.local, field); }
    RowPlace place(Found found, std::size_t field) const { return tables_[found.worker]->place_of_value(found.local, field); }
    std::int64_t line(RowPlace place) const { return lines_before_[place.part] + place.line; }

    std::vector<PassageField> fields_;
    std::vector<std::unique_ptr<PassageTable>> tables_;
    std::vector<std::vector<std::uint32_t>> numbers_;  // worker -> its number -> the shared one
    PassageTable shared_;                              // ids alone
    std::vector<std::int64_t> lines_before_;           // part -> lines
    std::vector<Firsts> firsts_;                       // document -> where each field's value stands
    std::vector<RowPlace> rows_;                       // document -> its first row
    PassageTable::Others others_;
};

}  // namespace firsthit
