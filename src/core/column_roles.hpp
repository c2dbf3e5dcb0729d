// What the columns of a table are for, and what is wrong with a row of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
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

    void add(const std::string& role, const std::string& column, ColumnUse use) {
        names.push_back(role);
        wanted.push_back({column, use});
    }
};

// Says broken(kind, value) of the first role whose value in this row cannot be used; false when all can.
template <class Broken>
bool report_row(const std::vector<Column>& columns, const ColumnRoles& roles, std::int64_t row, Arena& arena, Broken broken) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& role = roles.names[i];
        if (columns[i].is_null(row)) return broken(ProblemKind::null, role), true;
        if (roles.wanted[i].use == ColumnUse::number) {
            double number = columns[i].number(row);
            if (!std::isfinite(number)) return broken(ProblemKind::not_finite, name_of_not_finite(number)), true;
        } else if (is_id_role(role) && columns[i].text(row, arena).empty()) {
            return broken(ProblemKind::empty_id, role), true;
        }
    }
    return false;
}

}  // namespace firsthit
