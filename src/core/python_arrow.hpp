// Tables that export an Arrow stream, row by row.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "columns.hpp"
#include "python_mappings.hpp"

namespace firsthit::python {

namespace nb = nanobind;

ArrowArrayStream& stream_of(const nb::object& capsule) {
    void* stream = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
    if (!stream) throw nb::python_error();
    return *static_cast<ArrowArrayStream*>(stream);
}

inline nb::object open_stream(nb::handle source) {
    if (!nb::hasattr(source, "__arrow_c_stream__"))
        throw firsthit::TypeFault("a " + type_of(source) + " has no __arrow_c_stream__");
    return source.attr("__arrow_c_stream__")();
}

using Wanted = firsthit::ColumnStream::Wanted;

// What is wrong with the fields of one row, role by role; false when nothing is.
template <class Broken>
bool report_row(const std::vector<firsthit::Column>& columns, const std::vector<std::string>& roles,
                const std::vector<Wanted>& wanted, std::int64_t row, firsthit::Arena& arena, Broken broken) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].is_null(row)) return broken(ProblemKind::null, roles[i]), true;
        if (wanted[i].use == firsthit::ColumnUse::number) {
            double number = columns[i].number(row);
            if (!std::isfinite(number)) return broken(ProblemKind::not_finite, name_of_not_finite(number)), true;
        } else if (firsthit::is_id_role(roles[i]) && columns[i].text(row, arena).empty()) {
            return broken(ProblemKind::empty_id, roles[i]), true;
        }
    }
    return false;
}

inline std::string column_for(const std::map<std::string, std::string>& columns, const std::string& role) {
    auto found = columns.find(role);
    if (found == columns.end()) throw std::invalid_argument("no column is named for the " + role);
    return found->second;
}

inline double rank_in(const firsthit::Column& column, std::int64_t row) {
    if (column.is_null(row)) return firsthit::not_a_rank;
    double rank = column.number(row);
    return std::isfinite(rank) && rank == std::floor(rank) ? rank : firsthit::not_a_rank;
}

}  // namespace firsthit::python
