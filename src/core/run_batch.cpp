#include "run_batch.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "hash.hpp"

namespace firsthit {

namespace {

double rank_in(const Column& column, std::int64_t row) {
    if (column.is_null(row)) return not_a_rank;
    double rank = column.number(row);
    return std::isfinite(rank) && rank == std::floor(rank) ? rank : not_a_rank;
}

std::string_view digits_of(double number, Arena& arena) {
    if (std::isnan(number)) return {};
    std::array<char, 32> digits;
    return arena.keep({digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr});
}

}  // namespace

RunBatch::RunBatch(ColumnStream::Batch owner, std::vector<Column> columns, const RunRoles& roles, const Ordering& ordering)
    : owner_(std::move(owner)), columns_(std::move(columns)), roles_(roles), ordering_(ordering) {
    const auto own = columns_.end() - static_cast<std::ptrdiff_t>(roles.passages.size());
    passages_.assign(std::make_move_iterator(own), std::make_move_iterator(columns_.end()));
    columns_.erase(own, columns_.end());
    if (roles.has_rank) {
        rank_.emplace(std::move(columns_.back()));
        columns_.pop_back();
    }
    may_hold_nulls_ = std::ranges::any_of(columns_, [](const Column& column) { return column.may_hold_nulls(); });
}

template <class Rows>
void RunBatch::read(std::int64_t from, std::int64_t to, Rows& rows, const PassageKeeper& keeper, Arena& arena, Outcome& out) const {
    while (from < to) {
        std::int64_t end = may_hold_nulls_ ? from + 1 : columns_[0].end_of_equal(from, to);
        if (!may_hold_nulls_ || !report(from, arena, out)) read_query(from, end, rows, keeper, arena, out);
        from = end;
    }
}

// Reads rows of one query, none of them null.
template <class Rows>
void RunBatch::read_query(std::int64_t from, std::int64_t to, Rows& rows, const PassageKeeper& keeper, Arena& arena, Outcome& out) const {
    const std::string_view query = columns_[0].text(from, arena);
    bool is_open = false;
    for (; from < to; ++from) {
        const std::string_view doc = columns_[1].text(from, arena);
        const double number = roles_.has_number ? columns_[2].number(from) : 0;
        const bool doubtful = query.empty() || doc.empty() || !std::isfinite(number);
        if (doubtful && report(from, arena, out)) continue;
        if (!std::exchange(is_open, true)) rows.open(query, out);
        auto record = static_cast<std::uint32_t>(out.records++);
        Row row{doc, ordering_.key_of(number), rank_ ? rank_in(*rank_, from) : no_rank, record + 1, record};
        if (!keeper.table || keep(row, from, keeper, arena, out)) rows.add(row);
    }
}

// Gives the row the number of its document; false where one of its numbers is none.
bool RunBatch::keep(Row& row, std::int64_t at, const PassageKeeper& keeper, Arena& arena, Outcome& out) const {
    const std::vector<PassageField>& fields = keeper.table->fields();
    const PassageRow passage = passage_at(at, fields, arena);
    std::size_t bad = PassageTable::none_bad;
    row.passage = keeper.table->add(row.doc, hash_bytes(row.doc), passage, {keeper.part, row.line}, bad);
    if (bad == PassageTable::none_bad) return true;
    out.problems.add(problem_named(name_of(fields[bad])), row.line, passage[bad]);
    return false;
}

// The fields as text; a number's digits go to the arena.
PassageRow RunBatch::passage_at(std::int64_t row, const std::vector<PassageField>& fields, Arena& arena) const {
    PassageRow passage;
    for (std::size_t i = 0; i < passages_.size(); ++i) {
        const Column& column = passages_[i];
        const PassageField field = roles_.passages[i];
        if (column.is_null(row)) continue;
        std::string_view& text = passage[static_cast<std::size_t>(std::ranges::find(fields, field) - fields.begin())];
        text = is_number(field) ? digits_of(column.number(row), arena) : column.text(row, arena);
    }
    return passage;
}

bool RunBatch::report(std::int64_t row, Arena& arena, Outcome& out) const {
    const std::int64_t line = out.records + 1;
    bool broken = report_row(columns_, roles_, row, arena, [&](ProblemKind kind, std::string_view value) {
        out.problems.add(kind, line, value);
    });
    out.records += broken;
    return broken;
}

std::int64_t RunBatch::first_of_another(std::int64_t from, std::int64_t to, std::string& query) const {
    for (Arena arena; from < to; ++from, arena.clear()) {
        const std::string_view found = query_at(from, arena);
        if (query.empty()) query = found;
        if (!found.empty() && found != query) break;
    }
    return from;
}

std::int64_t RunBatch::end_of_others(std::int64_t from, std::int64_t to, std::string& query) const {
    query.clear();
    for (Arena arena; from < to; --to, arena.clear()) {
        const std::string_view found = query_at(to - 1, arena);
        if (query.empty()) query = found;
        if (!found.empty() && found != query) break;
    }
    return to;
}

std::string_view RunBatch::query_at(std::int64_t row, Arena& arena) const {
    bool broken = report_row(columns_, roles_, row, arena, [](ProblemKind, std::string_view) {});
    return broken ? std::string_view() : columns_[0].text(row, arena);
}

template void RunBatch::read(std::int64_t, std::int64_t, ContiguousRows&, const PassageKeeper&, Arena&, Outcome&) const;
template void RunBatch::read(std::int64_t, std::int64_t, ScatteredRows&, const PassageKeeper&, Arena&, Outcome&) const;

}  // namespace firsthit
