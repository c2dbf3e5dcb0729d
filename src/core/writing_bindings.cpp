// Bindings of writing.hpp: Python columns as views, JSON text as bytes.
#include "writing_bindings.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "writing.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(nb::handle array) {
    auto input = nb::cast<Input<T>>(array);
    return {input.data(), input.size()};
}

firsthit::TextsView texts_of(nb::handle data, nb::handle offsets) {
    auto bytes = span_of<std::uint8_t>(data);
    return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, span_of<std::int64_t>(offsets)};
}

void must_fit(bool fits) {
    if (!fits) throw std::invalid_argument("a column does not fit the rows");
}

bool fits(std::span<const std::int64_t> offsets, std::size_t size) {
    if (offsets.empty() || offsets.front() < 0 || static_cast<std::size_t>(offsets.back()) > size) return false;
    for (std::size_t i = 1; i < offsets.size(); ++i)
        if (offsets[i] < offsets[i - 1]) return false;
    return true;
}

bool fits(const firsthit::TextsView& texts) { return fits(texts.offsets, texts.bytes.size()); }

// A column is a tuple of its kind and its arrays; the views live as long as the Python arrays, which the caller holds.
firsthit::Column column_of(const nb::tuple& source, std::size_t rows) {
    const auto kind = nb::cast<std::string>(source[0]);
    if (kind == "texts" || kind == "raw") {
        auto texts = texts_of(source[1], source[2]);
        must_fit(fits(texts) && texts.size() >= rows);
        if (kind == "raw") return firsthit::RawColumn{texts};
        return firsthit::TextColumn{texts};
    }
    if (kind == "optional texts") {
        auto texts = texts_of(source[3], source[4]);
        must_fit(fits(texts) && texts.size() >= rows);
        return firsthit::OptionalTextColumn{nb::cast<std::string>(source[1]), nb::cast<std::string>(source[2]), texts};
    }
    if (kind == "integers") {
        firsthit::IntegerColumn column{span_of<std::int64_t>(source[1])};
        must_fit(column.values.size() >= rows);
        return column;
    }
    if (kind == "numbers") {
        firsthit::NumberColumn column{span_of<double>(source[1])};
        must_fit(column.values.size() >= rows);
        return column;
    }
    if (kind == "choices") {
        firsthit::ChoiceColumn column{nb::cast<std::vector<std::string>>(source[1]), span_of<std::int64_t>(source[2])};
        must_fit(column.values.size() >= rows);
        for (std::int64_t value : column.values)
            must_fit(value >= 0 && static_cast<std::size_t>(value) < column.tokens.size());
        return column;
    }
    if (kind == "counts") {
        firsthit::CountsColumn column{nb::cast<std::vector<double>>(source[1]), span_of<std::int64_t>(source[2])};
        must_fit(column.counts.size() >= rows * column.keys.size());
        return column;
    }
    auto offsets = span_of<std::int64_t>(source[1]);
    must_fit(offsets.size() > rows);
    if (kind == "number lists") {
        firsthit::NumberListColumn column{offsets, span_of<double>(source[2])};
        must_fit(fits(offsets, column.values.size()));
        return column;
    }
    auto texts = texts_of(source[2], source[3]);
    must_fit(fits(texts) && fits(offsets, texts.size()));
    if (kind == "text lists") return firsthit::TextListColumn{offsets, texts};
    if (kind != "text numbers") throw std::invalid_argument("unknown kind of column '" + kind + "'");
    firsthit::TextNumbersColumn column{offsets, texts, span_of<double>(source[4])};
    must_fit(column.values.size() >= texts.size());
    return column;
}

// Columns that were looked at once, and the Python arrays that they view.
class JsonLines {
public:
    JsonLines(nb::list fields, std::string after, std::size_t rows) : kept_(std::move(fields)), after_(std::move(after)), rows_(rows) {
        for (nb::handle item : kept_) {
            auto field = nb::cast<nb::tuple>(item);
            fields_.push_back({nb::cast<std::string>(field[0]), column_of(nb::cast<nb::tuple>(field[1]), rows)});
        }
    }
    nb::bytes text(std::size_t start, std::size_t end) const {
        must_fit(start <= end && end <= rows_);
        std::string text;
        {
            nb::gil_scoped_release released;
            text = firsthit::json_lines(fields_, after_, start, end);
        }
        return nb::bytes(text.data(), text.size());
    }

private:
    nb::list kept_;
    std::vector<firsthit::Field> fields_;
    std::string after_;
    std::size_t rows_;
};

template <class T>
nb::object array_of(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

// The sorted lines of a label set, and the digests of its queries.
class LabelLines {
public:
    LabelLines(const nb::tuple& queries, nb::handle query, const nb::tuple& docs, nb::handle needs, nb::handle grades, nb::handle evidence) {
        firsthit::LabelColumns labels;
        labels.queries = texts_of(queries[0], queries[1]);
        labels.query = span_of<std::int32_t>(query);
        labels.grades = span_of<double>(grades);
        const std::size_t rows = labels.query.size();
        labels.docs = texts_of_rows(docs, rows);
        must_fit(fits(labels.queries) && labels.grades.size() == rows);
        for (std::int32_t number : labels.query) must_fit(number >= 0 && static_cast<std::size_t>(number) < labels.queries.size());
        if (!needs.is_none()) labels.needs = texts_of_rows(needs, rows);
        if (!evidence.is_none()) labels.evidence = evidence_of(nb::cast<nb::tuple>(evidence), rows);
        query_of_row_.assign(labels.query.begin(), labels.query.end());
        query_count_ = labels.queries.size();
        nb::gil_scoped_release released;
        lines_.emplace(labels);
    }
    std::size_t size() const { return lines_->size(); }
    nb::bytes text(std::size_t start, std::size_t end) const {
        must_fit(start <= end && end <= size());
        std::string text = lines_->text(start, end);
        return nb::bytes(text.data(), text.size());
    }
    nb::tuple digests() const {
        firsthit::Texts digests = lines_->digests(query_of_row_, query_count_);
        std::vector<std::uint8_t> bytes(digests.bytes.begin(), digests.bytes.end());
        return nb::make_tuple(array_of(std::move(bytes)), array_of(std::move(digests.offsets)));
    }

private:
    static firsthit::TextsView texts_of_rows(nb::handle source, std::size_t rows) {
        auto pair = nb::cast<nb::tuple>(source);
        firsthit::TextsView texts = texts_of(pair[0], pair[1]);
        must_fit(fits(texts) && texts.size() == rows);
        return texts;
    }
    static firsthit::LabelEvidence evidence_of(const nb::tuple& source, std::size_t rows) {
        firsthit::LabelEvidence evidence;
        evidence.sources = texts_of_rows(source[0], rows);
        evidence.starts = span_of<std::int64_t>(source[1]);
        evidence.ends = span_of<std::int64_t>(source[2]);
        evidence.quotes = texts_of_rows(source[3], rows);
        must_fit(evidence.starts.size() == rows && evidence.ends.size() == rows);
        return evidence;
    }

    std::optional<firsthit::LabelLines> lines_;
    std::vector<std::int32_t> query_of_row_;
    std::size_t query_count_ = 0;
};

}  // namespace

void bind_writing(nb::module_& module) {
    nb::class_<JsonLines>(module, "JsonLines")
        .def(nb::init<nb::list, std::string, std::size_t>(), "fields"_a, "after"_a, "rows"_a)
        .def("text", &JsonLines::text, "start"_a, "end"_a);
    nb::class_<LabelLines>(module, "LabelLines")
        .def(nb::init<const nb::tuple&, nb::handle, const nb::tuple&, nb::handle, nb::handle, nb::handle>(), "queries"_a,
             "query"_a, "docs"_a, "needs"_a.none(), "grades"_a, "evidence"_a.none() = nb::none())
        .def("__len__", &LabelLines::size)
        .def("text", &LabelLines::text, "start"_a, "end"_a)
        .def("digests", &LabelLines::digests);
}
