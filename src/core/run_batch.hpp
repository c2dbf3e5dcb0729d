// One record batch of a run's table, whose rows become rankings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena.hpp"
#include "column_roles.hpp"
#include "columns.hpp"
#include "outcome.hpp"
#include "passages.hpp"
#include "ranking.hpp"
#include "rows.hpp"

namespace firsthit {

// The roles of a run: query, doc, the number that orders unless the given order does, and the rank where it is looked
// at beside the score.
struct RunRoles : ColumnRoles {
    bool has_number = false;
    bool has_rank = false;
    std::vector<PassageField> passages;  // fields that have a column: the last ones
};

// Where the passages of a part of the run are kept; nowhere, where no table is named.
struct PassageKeeper {
    PassageTable* table = nullptr;
    std::uint32_t part = 0;
};

class RunBatch {
public:
    // `roles` and `ordering` must outlive the batch.
    RunBatch(ColumnStream::Batch owner, std::vector<Column> columns, const RunRoles& roles, const Ordering& ordering);

    std::int64_t rows() const { return (*owner_)->length; }

    // Adds the rows from `from` on, before `to`; the text of their ids lies in the batch or in the arena.
    template <class Rows>
    void read(std::int64_t from, std::int64_t to, Rows& rows, const PassageKeeper& keeper, Arena& arena, Outcome& out) const;

    // The first row from `from` on that is of another query than `query`; `to` when there is none. An empty `query` (no
    // record so far) is replaced by the first that is found. A broken row is no record: it ends no ranking.
    std::int64_t first_of_another(std::int64_t from, std::int64_t to, std::string& query) const;

    // The end of the last rows of another query than the last record's, which becomes `query`; `from` when there are none.
    std::int64_t end_of_others(std::int64_t from, std::int64_t to, std::string& query) const;

private:
    std::string_view query_at(std::int64_t row, Arena& arena) const;  // empty: the row is broken
    template <class Rows>
    void read_query(std::int64_t from, std::int64_t to, Rows& rows, const PassageKeeper& keeper, Arena& arena, Outcome& out) const;
    bool keep(Row& row, std::int64_t at, const PassageKeeper& keeper, Arena& arena, Outcome& out) const;
    PassageRow passage_at(std::int64_t row, const std::vector<PassageField>& fields, Arena& arena) const;
    bool report(std::int64_t row, Arena& arena, Outcome& out) const;

    ColumnStream::Batch owner_;
    std::vector<Column> columns_;  // query, doc and the number
    std::optional<Column> rank_;
    std::vector<Column> passages_;
    const RunRoles& roles_;
    const Ordering& ordering_;
    bool may_hold_nulls_;
};

}  // namespace firsthit
