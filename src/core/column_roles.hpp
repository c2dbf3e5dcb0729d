// What the columns of a table are for, and what is wrong with a row of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "number.hpp"
#include "problem.hpp"
#include "table.hpp"

namespace firsthit {

// Role by role, and the column that fills it.
struct ColumnRoles {
    std::vector<std::string> names;
    std::vector<ColumnStream::Wanted> wanted;
    std::vector<bool> optional;

    void add(const std::string& role, const std::string& column, ColumnUse use, bool may_be_empty = false) {
        names.push_back(role);
        wanted.push_back({column, use});
        optional.push_back(may_be_empty);
    }
};

// Says broken(kind, value) of the first role whose value in this row cannot be used; false when all can. A null, and
// NaN for a number, is nothing: no problem where a role is optional.
template <class Broken>
bool report_row(const std::vector<Column>& columns, const ColumnRoles& roles, std::int64_t row, Arena& arena, Broken broken) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& role = roles.names[i];
        if (columns[i].is_null(row)) {
            if (roles.optional[i]) continue;
            return broken(ProblemKind::null, role), true;
        }
        if (roles.wanted[i].use == ColumnUse::number) {
            double number = columns[i].number(row);
            if (std::isfinite(number) || (roles.optional[i] && std::isnan(number))) continue;
            return broken(ProblemKind::not_finite, name_of_not_finite(number)), true;
        }
        if (is_id_role(role) && !roles.optional[i] && columns[i].text(row, arena).empty()) {
            return broken(ProblemKind::empty_id, role), true;
        }
    }
    return false;
}

inline std::string_view text_or_empty(const Column& column, std::int64_t row, Arena& arena) {
    return column.is_null(row) ? std::string_view() : column.text(row, arena);
}

inline double number_or_nan(const Column& column, std::int64_t row) {
    return column.is_null(row) ? std::numeric_limits<double>::quiet_NaN() : column.number(row);
}

}  // namespace firsthit
