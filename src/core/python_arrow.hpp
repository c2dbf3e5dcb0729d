// Tables that export an Arrow stream, row by row.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <map>
#include <stdexcept>
#include <string>

#include "columns.hpp"
#include "matcher.hpp"
#include "run_batch.hpp"
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

inline std::string column_for(const std::map<std::string, std::string>& columns, const std::string& role) {
    auto found = columns.find(role);
    if (found == columns.end()) throw std::invalid_argument("no column is named for the " + role);
    return found->second;
}

// The roles that matching needs, and the columns of the table that fill them.
inline firsthit::RunRoles run_roles(const firsthit::MatchSettings& settings, const std::map<std::string, std::string>& columns) {
    const firsthit::Ordering& ordering = settings.ordering;
    firsthit::RunRoles roles;
    for (const char* role : {"query", "doc"}) roles.add(role, column_for(columns, role), firsthit::ColumnUse::text);
    roles.has_number = ordering.key != firsthit::Key::given;
    const std::string number = ordering.key == firsthit::Key::rank ? "rank" : "score";
    if (roles.has_number) roles.add(number, column_for(columns, number), firsthit::ColumnUse::number);
    roles.has_rank = ordering.check_rank && ordering.key == firsthit::Key::score && columns.contains("rank");
    if (roles.has_rank) roles.add("rank", columns.at("rank"), firsthit::ColumnUse::number);
    for (firsthit::PassageField field : settings.passages.fields) {
        auto found = columns.find(std::string(firsthit::name_of(field)));
        if (found == columns.end()) continue;
        roles.passages.push_back(field);
        roles.add(found->first, found->second, firsthit::is_number(field) ? firsthit::ColumnUse::number : firsthit::ColumnUse::text, true);
    }
    return roles;
}

}  // namespace firsthit::python
