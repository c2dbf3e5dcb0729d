// Tables that export an Arrow stream, row by row.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
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

// Looks at the first columns of a row, those of the roles. A null, and NaN for a number, is nothing: no problem where a role is optional.
class RowCheck {
public:
    RowCheck(const std::vector<std::string>& roles, const std::vector<Wanted>& wanted, const std::vector<std::string>& optional = {})
        : roles_(roles) {
        for (const Wanted& column : wanted) is_number_.push_back(column.use == firsthit::ColumnUse::number);
        for (const std::string& role : roles) is_optional_.push_back(std::ranges::find(optional, role) != optional.end());
    }
    std::size_t size() const { return roles_.size(); }

    // Says what is wrong with a row by broken(kind, value); false when nothing is.
    template <class Broken>
    bool report(const std::vector<firsthit::Column>& columns, std::int64_t row, firsthit::Arena& arena, Broken broken) const {
        for (std::size_t i = 0; i < roles_.size(); ++i) {
            if (columns[i].is_null(row)) {
                if (is_optional_[i]) continue;
                return broken(ProblemKind::null, roles_[i]), true;
            }
            if (is_number_[i]) {
                double number = columns[i].number(row);
                if (std::isfinite(number) || (is_optional_[i] && std::isnan(number))) continue;
                return broken(ProblemKind::not_finite, name_of_not_finite(number)), true;
            }
            if (firsthit::is_id_role(roles_[i]) && !is_optional_[i] && columns[i].text(row, arena).empty())
                return broken(ProblemKind::empty_id, roles_[i]), true;
        }
        return false;
    }

private:
    std::vector<std::string> roles_;
    std::vector<bool> is_number_;
    std::vector<bool> is_optional_;
};

inline std::string_view text_or_empty(const firsthit::Column& column, std::int64_t row, firsthit::Arena& arena) {
    return column.is_null(row) ? std::string_view() : column.text(row, arena);
}

inline double number_or_nan(const firsthit::Column& column, std::int64_t row) {
    return column.is_null(row) ? std::numeric_limits<double>::quiet_NaN() : column.number(row);
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

// The cells of a row that say what its passage is.
class PassageCells {
public:
    // Adds the columns that are there for the fields to `wanted`.
    PassageCells(const firsthit::PassageSettings& settings, const std::map<std::string, std::string>& columns, std::vector<Wanted>& wanted)
        : settings_(settings) {
        for (firsthit::PassageField field : settings.fields) {
            auto found = columns.find(std::string(firsthit::name_of(field)));
            places_.push_back(found == columns.end() ? none : wanted.size());
            if (found != columns.end()) wanted.push_back({found->second, is_number(field) ? firsthit::ColumnUse::number : firsthit::ColumnUse::text});
        }
    }

    // The row's fields as text; some of it lies in `arena`.
    firsthit::PassageRow row(const std::vector<firsthit::Column>& columns, std::int64_t at, firsthit::Arena& arena) const {
        firsthit::PassageRow row;
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (places_[i] != none && !columns[places_[i]].is_null(at)) row[i] = text_of(settings_.fields[i], columns[places_[i]], at, arena);
        return row;
    }

private:
    static std::string_view text_of(firsthit::PassageField field, const firsthit::Column& column, std::int64_t at, firsthit::Arena& arena) {
        if (!is_number(field)) return column.text(at, arena);
        double number = column.number(at);
        if (std::isnan(number)) return {};
        std::array<char, 32> digits;
        return arena.keep({digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr});
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    const firsthit::PassageSettings& settings_;
    std::vector<std::size_t> places_;
};

}  // namespace firsthit::python
