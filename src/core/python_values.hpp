// Results of the core as Python objects, and Python objects as views and settings.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "matcher.hpp"
#include "table.hpp"

namespace firsthit::python {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// A NumPy array that owns what the vector owned.
template <class T>
nb::object to_array(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(Array<T>(kept->data(), {kept->size()}, owner));
}

inline nb::object to_text(firsthit::Texts texts) {
    std::vector<std::uint8_t> bytes(texts.bytes.begin(), texts.bytes.end());
    return nb::make_tuple(to_array(std::move(bytes)), to_array(std::move(texts.offsets)));
}

inline nb::bytes to_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }

inline nb::list to_list(const firsthit::Problems& problems) {
    nb::list list;
    for (const firsthit::Problem& problem : problems.first()) {
        std::string_view kind = firsthit::name_of(problem.kind);
        list.append(nb::make_tuple(nb::str(kind.data(), kind.size()), problem.line, to_bytes(problem.value), problem.other));
    }
    return list;
}

inline nb::list to_duplicates(const std::vector<firsthit::Example>& examples) {
    nb::list list;
    for (const firsthit::Example& example : examples)
        list.append(nb::make_tuple(to_bytes(example.query), to_bytes(example.doc), example.line, example.earlier_line));
    return list;
}

inline nb::list to_self_hits(const std::vector<firsthit::Example>& examples) {
    nb::list list;
    for (const firsthit::Example& example : examples)
        list.append(nb::make_tuple(to_bytes(example.query), to_bytes(example.doc), example.line));
    return list;
}



// The bytes of any object with the buffer protocol.
class Block {
public:
    explicit Block(nb::handle source) {
        if (PyObject_GetBuffer(source.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
    }
    ~Block() { PyBuffer_Release(&view_); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    std::string_view text() const { return {static_cast<const char*>(view_.buf), static_cast<std::size_t>(view_.len)}; }

private:
    Py_buffer view_{};
};

using InputBytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InputOffsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InputText = std::pair<InputBytes, InputOffsets>;

inline firsthit::TextsView to_view(const InputText& text) {
    const auto& [bytes, offsets] = text;
    firsthit::TextsView view{{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, {offsets.data(), offsets.size()}};
    if (view.offsets.empty() || view.offsets[0] < 0 || view.offsets.back() > static_cast<std::int64_t>(bytes.size()))
        throw std::invalid_argument("offsets must start at 0 or more and end within the bytes");
    for (std::size_t i = 1; i < view.offsets.size(); ++i)
        if (view.offsets[i] < view.offsets[i - 1]) throw std::invalid_argument("offsets must not fall");
    return view;
}

template <class T>
T choice(const std::string& value, const char* what, std::initializer_list<std::pair<const char*, T>> choices) {
    for (const auto& [name, result] : choices)
        if (value == name) return result;
    throw std::invalid_argument("unknown " + std::string(what) + " '" + value + "'");
}

inline firsthit::Layout make_layout(const std::string& kind, const std::map<std::string, std::size_t>& columns,
                             const std::map<std::string, std::vector<std::string>>& keys,
                             std::pair<std::size_t, std::size_t> width, const std::string& delimiter, std::size_t header,
                             bool comments) {
    using firsthit::LayoutKind;
    if (delimiter.size() != 1) throw std::invalid_argument("the delimiter must be one byte");
    firsthit::Layout layout;
    layout.kind = choice<LayoutKind>(kind, "kind", {{"blank", LayoutKind::blank}, {"delimited", LayoutKind::delimited},
                                                    {"csv", LayoutKind::csv}, {"json", LayoutKind::json}});
    layout.delimiter = delimiter[0];
    layout.fewest = width.first;
    layout.most = width.second;
    layout.header = header;
    layout.comments = comments;
    layout.columns.insert(columns.begin(), columns.end());
    layout.keys.insert(keys.begin(), keys.end());
    return layout;
}

inline firsthit::Ordering make_ordering(const std::string& key, int bits, const std::string& ties, const std::string& duplicates,
                                 bool drop_self_hits, bool check_rank) {
    using firsthit::Duplicates;
    using firsthit::Key;
    using firsthit::Ties;
    if (bits != 64 && bits != 32) throw std::invalid_argument("bits must be 64 or 32");
    firsthit::Ordering ordering;
    ordering.key = choice<Key>(key, "key", {{"score", Key::score}, {"rank", Key::rank}, {"given", Key::given}});
    ordering.bits = bits;
    ordering.ties = choice<Ties>(ties, "ties", {{"docid-desc", Ties::docid_descending},
                                                {"docid-asc", Ties::docid_ascending}, {"given", Ties::given}});
    ordering.duplicates = choice<Duplicates>(
        duplicates, "duplicates", {{"error", Duplicates::error}, {"best", Duplicates::best}, {"first", Duplicates::first},
                                   {"last", Duplicates::last}, {"keep", Duplicates::keep}});
    ordering.drop_self_hits = drop_self_hits;
    ordering.check_rank = check_rank;
    return ordering;
}

// Any of the names asks for passages; "doc" alone for their ids.
inline firsthit::PassageSettings make_passages(const std::vector<std::string>& names) {
    firsthit::PassageSettings settings{.kept = !names.empty(), .fields = {}};
    for (std::size_t i = 0; i < firsthit::passage_field_count; ++i) {
        auto field = static_cast<firsthit::PassageField>(i);
        if (std::ranges::find(names, firsthit::name_of(field)) != names.end()) settings.fields.push_back(field);
    }
    for (const std::string& name : names)
        if (name != "doc" && std::ranges::none_of(settings.fields, [&](auto field) { return firsthit::name_of(field) == name; }))
            throw std::invalid_argument("unknown field of a passage '" + name + "'");
    return settings;
}

}  // namespace firsthit::python
