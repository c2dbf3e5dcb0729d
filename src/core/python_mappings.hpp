// Walks Python mappings: {query: {doc: number}} and {query: [doc, ...]}.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "matcher.hpp"
#include "number.hpp"
#include "table.hpp"

namespace firsthit::python {

namespace nb = nanobind;

inline std::string quoted(nb::handle value) { return nb::cast<std::string>(nb::repr(value)); }

inline std::string type_of(nb::handle value) { return nb::cast<std::string>(value.type().attr("__name__")); }

// An id in a Python object, as UTF-8. Text of integers goes to the arena.
struct PythonId {
    std::string_view text;
    bool is_text = true;  // false: a string with half a surrogate pair
};

PythonId read_id(nb::handle value, firsthit::Arena& arena, const char* what) {
    if (PyUnicode_Check(value.ptr())) {
        Py_ssize_t size = 0;
        const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
        if (text) return {{text, static_cast<std::size_t>(size)}};
        PyErr_Clear();
        return {{}, false};
    }
    if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr()))
        throw firsthit::TypeFault(std::string(what) + " " + quoted(value) + " is a " + type_of(value) + ", not a string or an integer");
    nb::object number = nb::steal(PyNumber_Index(value.ptr()));
    if (!number) throw nb::python_error();
    return {arena.keep(nb::cast<std::string>(nb::str(number)))};
}

enum class Reading : std::uint8_t { ok, too_large };

// A real number in a Python object; `where` is called only to say what is wrong.
template <class Where>
Reading read_number(nb::handle value, double& number, Where where) {
    PyObject* object = value.ptr();
    if (PyFloat_CheckExact(object)) {
        number = PyFloat_AS_DOUBLE(object);
        return Reading::ok;
    }
    bool is_real = PyIndex_Check(object) || (Py_TYPE(object)->tp_as_number && Py_TYPE(object)->tp_as_number->nb_float);
    if (PyBool_Check(object) || !is_real)
        throw firsthit::TypeFault(where() + " is a " + type_of(value) + ", not a number");
    number = PyFloat_AsDouble(object);
    if (number != -1.0 || !PyErr_Occurred()) return Reading::ok;
    if (!PyErr_ExceptionMatches(PyExc_OverflowError)) throw nb::python_error();
    PyErr_Clear();
    return Reading::too_large;
}

enum class Shape : std::uint8_t { none, dict, list };

// Walks {query: {doc: number}} or {query: [doc, ...]}. The sink's methods: open(query), row(query, doc, number), broken(kind, value).
template <class Sink>
class MappingWalk {
public:
    MappingWalk(Sink& sink, bool wants_numbers, firsthit::Arena& arena) : sink_(sink), wants_numbers_(wants_numbers), arena_(arena) {}

    Shape walk(nb::handle source) {
        if (!PyDict_Check(source.ptr())) {
            nb::object copy = nb::steal(PyObject_CallOneArg(reinterpret_cast<PyObject*>(&PyDict_Type), source.ptr()));
            if (!copy) throw nb::python_error();
            kept_.push_back(copy);
            return walk_dict(copy);
        }
        return walk_dict(source);
    }

private:
    Shape walk_dict(nb::handle source) {
        PyObject *key = nullptr, *value = nullptr;
        for (Py_ssize_t at = 0; PyDict_Next(source.ptr(), &at, &key, &value);) {
            check_shape(key, value);
            read_query(key);
            if (shape_ == Shape::dict)
                walk_scores(value);
            else
                walk_ranking(value);
        }
        return shape_;
    }

    void check_shape(nb::handle query, nb::handle value) {
        bool is_dict = PyDict_Check(value.ptr()), is_list = PyList_Check(value.ptr()) || PyTuple_Check(value.ptr());
        if (!is_dict && !is_list)
            throw firsthit::TypeFault("query " + quoted(query) + ": the value is a " + type_of(value) + ", not a dict or a list");
        Shape shape = is_dict ? Shape::dict : Shape::list;
        if (shape_ != Shape::none && shape != shape_)
            throw firsthit::TypeFault("query " + quoted(query) + ": the value is a " + type_of(value) + ", but others are " +
                                      (is_dict ? "lists" : "dicts"));
        shape_ = shape;
    }

    void read_query(nb::handle key) {
        query_ = read_id(key, arena_, "the query");
        if (query_.is_text && !query_.text.empty()) sink_.open(query_.text);
    }

    void walk_scores(nb::handle scores) {
        PyObject *doc = nullptr, *value = nullptr;
        for (Py_ssize_t at = 0; PyDict_Next(scores.ptr(), &at, &doc, &value);) {
            double number = 0;
            auto where = [&] { return "query '" + std::string(query_.text) + "', document " + quoted(doc) + ": the value"; };
            Reading reading = wants_numbers_ ? read_number(value, number, where) : Reading::ok;
            add(doc, number, reading, value);
        }
    }

    void walk_ranking(nb::handle docs) {
        nb::object items = nb::steal(PySequence_Fast(docs.ptr(), "a ranking"));
        if (!items) throw nb::python_error();
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i)
            add(PySequence_Fast_GET_ITEM(items.ptr(), i), 0, Reading::ok, {});
    }

    void add(nb::handle key, double number, Reading reading, nb::handle value) {
        PythonId doc = read_id(key, arena_, "the document");
        if (!query_.is_text || !doc.is_text) return sink_.broken(ProblemKind::utf8, query_.is_text ? "doc" : "query");
        if (query_.text.empty() || doc.text.empty())
            return sink_.broken(ProblemKind::empty_id, query_.text.empty() ? "query" : "doc");
        if (reading == Reading::too_large) return sink_.broken(ProblemKind::number, quoted(value));
        if (!std::isfinite(number)) return sink_.broken(ProblemKind::not_finite, firsthit::name_of_not_finite(number));
        sink_.row(query_.text, doc.text, number);
    }

    Sink& sink_;
    bool wants_numbers_;
    firsthit::Arena& arena_;
    PythonId query_;
    Shape shape_ = Shape::none;
    std::vector<nb::object> kept_;
};

struct MatcherSink {
    firsthit::RowMatcher& matcher;
    void open(std::string_view query) { matcher.open(query); }
    void row(std::string_view, std::string_view doc, double number) { matcher.add(doc, number); }
    void broken(ProblemKind kind, std::string_view value) { matcher.add_broken(kind, value); }
};

struct TableSink {
    firsthit::Columns columns{2, 1};
    std::int64_t records = 0;
    void open(std::string_view) {}
    void row(std::string_view query, std::string_view doc, double number) {
        columns.texts[0].add(query);
        columns.texts[1].add(doc);
        columns.numbers[0].push_back(number);
        columns.lines.push_back(++records);
    }
    void broken(ProblemKind kind, std::string_view value) { columns.problems.add(kind, ++records, value); }
};

}  // namespace firsthit::python
