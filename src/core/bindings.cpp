// The classes and functions that Python sees. Only this file, *_bindings and python_*.hpp know Python.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "column_matcher.hpp"
#include "columns.hpp"
#include "containment_bindings.hpp"
#include "labels.hpp"
#include "matcher.hpp"
#include "python_arrow.hpp"
#include "python_mappings.hpp"
#include "python_values.hpp"
#include "table.hpp"
#include "writing_bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace firsthit::python;
using firsthit::ProblemKind;

nb::dict to_result(firsthit::Columns columns, const std::vector<std::string>& texts, const std::vector<std::string>& numbers) {
    nb::dict fields, result;
    for (std::size_t i = 0; i < texts.size(); ++i) fields[texts[i].c_str()] = to_text(std::move(columns.texts[i]));
    for (std::size_t i = 0; i < numbers.size(); ++i) fields[numbers[i].c_str()] = to_array(std::move(columns.numbers[i]));
    result["columns"] = fields;
    result["line"] = to_array(std::move(columns.lines));
    result["blank_lines"] = columns.blank_lines;
    result["comment_lines"] = columns.comment_lines;
    result["problems"] = to_list(columns.problems);
    result["problem_count"] = columns.problems.count();
    return result;
}

class PyTable {
public:
    PyTable(const firsthit::Layout& layout, std::vector<std::string> texts, std::vector<std::string> numbers,
            const std::vector<std::string>& optional)
        : table_(layout, texts, numbers, optional), texts_(std::move(texts)), numbers_(std::move(numbers)) {}

    nb::tuple feed(nb::handle source, bool last) {
        Block block(source);
        {
            nb::gil_scoped_release released;
            table_.feed(block.text(), last);
        }
        return nb::make_tuple(table_.lines(), table_.bytes());
    }

    nb::dict finish() { return to_result(table_.finish(), texts_, numbers_); }

private:
    firsthit::Table table_;
    std::vector<std::string> texts_;
    std::vector<std::string> numbers_;
};

nb::dict table_from_mapping(nb::handle source) {
    TableSink sink;
    firsthit::Arena arena;
    Shape shape = MappingWalk<TableSink>(sink, true, arena).walk(source);
    std::vector<std::string> numbers;
    if (shape != Shape::list) numbers.push_back("grade");
    return to_result(std::move(sink.columns), {"query", "doc"}, numbers);
}

nb::dict table_from_arrow(nb::handle source, const std::map<std::string, std::string>& texts,
                          const std::map<std::string, std::string>& numbers, const std::vector<std::string>& optional) {
    const auto contains = [](const auto& some, const std::string& role) { return std::ranges::find(some, role) != some.end(); };
    firsthit::ColumnRoles roles;
    for (const auto& [role, column] : texts) roles.add(role, column, firsthit::ColumnUse::text, contains(optional, role));
    for (const auto& [role, column] : numbers) roles.add(role, column, firsthit::ColumnUse::number, contains(optional, role));
    nb::object capsule = open_stream(source);
    firsthit::ColumnStream stream(stream_of(capsule), roles.wanted);
    firsthit::Columns result(texts.size(), numbers.size());
    firsthit::Arena arena;
    std::int64_t record = 0;
    while (auto batch = stream.next()) {
        std::vector<firsthit::Column> columns = stream.columns(*batch);
        for (std::int64_t row = 0; row < (*batch)->length; ++row) {
            ++record;
            auto broken = [&](ProblemKind kind, std::string_view value) { result.problems.add(kind, record, value); };
            if (report_row(columns, roles, row, arena, broken)) continue;
            for (std::size_t i = 0; i < texts.size(); ++i) result.texts[i].add(firsthit::text_or_empty(columns[i], row, arena));
            for (std::size_t i = 0; i < numbers.size(); ++i) result.numbers[i].push_back(firsthit::number_or_nan(columns[texts.size() + i], row));
            result.lines.push_back(record);
            arena.clear();
        }
    }
    const auto split = roles.names.begin() + static_cast<std::ptrdiff_t>(texts.size());
    return to_result(std::move(result), {roles.names.begin(), split}, {split, roles.names.end()});
}

// One matcher takes one source: text, or rows of a mapping or a table.
class PyMatcher {
public:
    PyMatcher(const firsthit::Labels& labels, std::optional<firsthit::Layout> layout, const firsthit::Ordering& ordering,
              std::size_t depth, std::size_t threads, bool grouped, const std::vector<std::string>& passages)
        : labels_(labels), settings_{ordering, depth, threads, grouped, make_passages(passages)} {
        if (layout) text_.emplace(labels, *layout, settings_);
    }

    nb::tuple feed(nb::handle source, bool last) {
        if (!text_) throw std::invalid_argument("a matcher without a layout takes no text");
        Block block(source);
        {
            nb::gil_scoped_release released;
            text_->feed(block.text(), last);
        }
        return nb::make_tuple(text_->lines(), text_->bytes());
    }

    std::int64_t feed_file(int descriptor, std::int64_t offset, std::size_t size, std::size_t count) {
        if (!text_) throw std::invalid_argument("a matcher without a layout takes no text");
        if (size == 0 || count == 0) throw std::invalid_argument("a step is at least one range of one byte");
        nb::gil_scoped_release released;
        return text_->feed_file(descriptor, offset, size, count);
    }

    void feed_mapping(nb::handle source) {
        if (settings_.ordering.key == firsthit::Key::rank) throw std::invalid_argument("a mapping has no ranks to order by");
        bool by_score = settings_.ordering.key == firsthit::Key::score;
        MatcherSink sink{start_rows()};
        firsthit::Arena arena;
        MappingWalk<MatcherSink> walk(sink, by_score, arena);
        if (walk.walk(source) == Shape::list && by_score)
            throw firsthit::TypeFault("lists of documents have no scores to order by");
        totals_ = &rows_->finish();
    }

    // The interpreter's lock is left to others meanwhile: the stream may need it, to decode on threads of its own.
    void feed_arrow(nb::handle source, const std::map<std::string, std::string>& columns) {
        check_unused();
        firsthit::ColumnMatcher& matcher = columns_.emplace(labels_, settings_, run_roles(settings_, columns));
        nb::object capsule = open_stream(source);
        firsthit::ColumnStream stream(stream_of(capsule), matcher.roles().wanted);
        nb::gil_scoped_release released;
        while (auto batch = stream.next()) {
            auto batch_columns = stream.columns(*batch);
            matcher.feed(std::move(batch), std::move(batch_columns));
            if (matcher.scattered()) break;  // it is read again anyway
            nb::gil_scoped_acquire held;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        }
        totals_ = &matcher.finish();
    }

    nb::dict finish();

    bool scattered() const {
        if (text_) return text_->scattered();
        return columns_ ? columns_->scattered() : rows_ && rows_->scattered();
    }

private:
    void check_unused() const {
        if (text_ || rows_ || columns_) throw std::invalid_argument("a matcher takes one source");
    }

    firsthit::RowMatcher& start_rows() {
        check_unused();
        return rows_.emplace(labels_, settings_);
    }

    const firsthit::PassageBook& book() const { return text_ ? text_->passages() : columns_ ? columns_->passages() : rows_->passages(); }

    firsthit::RankUse rank_use() const {
        return text_ ? text_->rank_use() : columns_ ? columns_->rank_use() : rows_->rank_use();
    }

    const firsthit::Labels& labels_;
    firsthit::MatchSettings settings_;
    std::optional<firsthit::TextMatcher> text_;
    std::optional<firsthit::RowMatcher> rows_;
    std::optional<firsthit::ColumnMatcher> columns_;
    const firsthit::Totals* totals_ = nullptr;
};

const char* rank_column_name(firsthit::RankUse use) {
    switch (use) {
        case firsthit::RankUse::used: return "used";
        case firsthit::RankUse::fractional: return "fractional";
        case firsthit::RankUse::none: return "none";
        case firsthit::RankUse::constant: return "constant";
        case firsthit::RankUse::not_integer: return "not-integer";
        default: return "ok";
    }
}

void add_arrays(nb::dict& result, firsthit::MatchArrays arrays) {
    result["query"] = to_array(std::move(arrays.query));
    result["rank"] = to_array(std::move(arrays.rank));
    result["row"] = to_array(std::move(arrays.row));
    result["tie_first"] = to_array(std::move(arrays.tie_first));
    result["tie_last"] = to_array(std::move(arrays.tie_last));
    result["retrieved"] = to_array(std::move(arrays.retrieved));
    result["head_offsets"] = to_array(std::move(arrays.head_offsets));
    result["head_record"] = to_array(std::move(arrays.head_record));
    result["head_row"] = to_array(std::move(arrays.head_row));
    result["head_ids"] = to_text(std::move(arrays.head_ids));
    result["head_tied"] = to_array(std::move(arrays.head_tied));
    result["unlabelled_retrieved"] = to_array(std::move(arrays.unlabelled_retrieved));
    result["tied_queries"] = to_array(std::move(arrays.tied_queries));
}

void add_passages(nb::dict& result, firsthit::PassageColumns columns, const firsthit::PassageSettings& settings) {
    nb::dict passages;
    passages["doc"] = to_text(std::move(columns.docs));
    for (std::size_t i = 0; i < settings.fields.size(); ++i) {
        firsthit::PassageField field = settings.fields[i];
        nb::str name(firsthit::name_of(field).data(), firsthit::name_of(field).size());
        passages[name] = firsthit::is_number(field) ? to_array(std::move(columns.numbers[i])) : to_text(std::move(columns.texts[i]));
    }
    passages["line"] = to_array(std::move(columns.lines));
    result["passages"] = passages;
    result["head_passage"] = to_array(std::move(columns.of_head));
}

void add_counts(nb::dict& result, const firsthit::Outcome& outcome, firsthit::RankUse use) {
    bool counted = use == firsthit::RankUse::ok;
    result["unlabelled"] = to_text(outcome.unlabelled);
    result["lines"] = outcome.lines;
    result["records"] = outcome.records;
    result["blank_lines"] = outcome.blank_lines;
    result["comment_lines"] = outcome.comment_lines;
    result["tied_records"] = outcome.tied_records;
    result["tied_unlabelled"] = outcome.tied_unlabelled;
    result["duplicates_removed"] = outcome.duplicates_removed;
    result["duplicate_examples"] = to_duplicates(outcome.duplicates);
    result["self_hits_dropped"] = outcome.self_hits_dropped;
    result["self_hit_examples"] = to_self_hits(outcome.self_hits);
    result["rank_column"] = rank_column_name(use);
    result["pairs_fall"] = counted ? outcome.pairs_fall : 0;
    result["pairs_rise"] = counted ? outcome.pairs_rise : 0;
    firsthit::Texts inverted;
    for (std::size_t i = 0; counted && i < outcome.inverted.size(); ++i) inverted.add(outcome.inverted[i].query);
    result["inverted"] = to_text(std::move(inverted));
    result["inverted_count"] = counted ? outcome.inverted_count : 0;
    result["deepest"] = outcome.deepest;
    result["problems"] = to_list(outcome.problems);
    result["problem_count"] = outcome.problems.count();
}

nb::dict PyMatcher::finish() {
    if (!text_ && !rows_ && !columns_) start_rows();
    if (!totals_) {
        nb::gil_scoped_release released;
        totals_ = text_ ? &text_->finish() : &rows_->finish();
    }
    nb::dict result;
    firsthit::MatchArrays arrays = firsthit::arrays_of(totals_->outcome, labels_.query_count());
    if (settings_.passages.kept) add_passages(result, book().columns(arrays.head_passages), settings_.passages);
    add_arrays(result, std::move(arrays));
    add_counts(result, totals_->outcome, rank_use());
    result["scattered"] = totals_->scattered;
    return result;
}

firsthit::Labels* make_labels(const InputText& query, const InputText& doc, const std::optional<InputText>& extra) {
    firsthit::TextsView none;
    firsthit::TextsView queries = to_view(query), docs = to_view(doc), others = extra ? to_view(*extra) : none;
    nb::gil_scoped_release released;
    return new firsthit::Labels(queries, docs, others);
}

}  // namespace

NB_MODULE(_core, module) {
    nb::set_leak_warnings(false);
    bind_containment(module);
    bind_writing(module);
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const firsthit::TypeFault& fault) {
            PyErr_SetString(PyExc_TypeError, fault.what());
        } catch (const std::system_error& fault) {
            errno = fault.code().value();
            PyErr_SetFromErrno(PyExc_OSError);
        }
    });

    using Strings = std::vector<std::string>;
    nb::class_<firsthit::Layout>(module, "Layout")
        .def(
            "__init__",
            [](firsthit::Layout* self, const std::string& kind, const std::map<std::string, std::size_t>& columns,
               const std::map<std::string, Strings>& keys, std::pair<std::size_t, std::size_t> width,
               const std::string& delimiter, std::size_t header, bool comments) {
                new (self) firsthit::Layout(make_layout(kind, columns, keys, width, delimiter, header, comments));
            },
            "kind"_a, nb::kw_only(), "columns"_a = std::map<std::string, std::size_t>{},
            "keys"_a = std::map<std::string, Strings>{}, "width"_a = std::pair<std::size_t, std::size_t>{0, 0},
            "delimiter"_a = "\t", "header"_a = 0, "comments"_a = false);

    nb::class_<firsthit::Ordering>(module, "Ordering")
        .def(
            "__init__",
            [](firsthit::Ordering* self, const std::string& key, int bits, const std::string& ties,
               const std::string& duplicates, bool drop_self_hits, bool check_rank) {
                new (self) firsthit::Ordering(make_ordering(key, bits, ties, duplicates, drop_self_hits, check_rank));
            },
            "key"_a, nb::kw_only(), "bits"_a = 64, "ties"_a = "docid-desc", "duplicates"_a = "error",
            "drop_self_hits"_a = false, "check_rank"_a = false);

    nb::class_<PyTable>(module, "Table")
        .def(nb::init<const firsthit::Layout&, Strings, Strings, Strings>(), "layout"_a, "texts"_a, "numbers"_a,
             "optional"_a = Strings{})
        .def("feed", &PyTable::feed, "block"_a, "last"_a = false)
        .def("finish", &PyTable::finish);

    module.def("table_from_mapping", &table_from_mapping, "source"_a);
    module.def("table_from_arrow", &table_from_arrow, "source"_a, "texts"_a, "numbers"_a, "optional"_a = Strings{});

    nb::class_<firsthit::Labels>(module, "Labels")
        .def(nb::new_(&make_labels), "query"_a, "doc"_a, "extra_queries"_a = nb::none())
        .def_prop_ro("query_of_row", [](const firsthit::Labels& labels) { return to_array(labels.query_of_row()); })
        .def_prop_ro("first_row", [](const firsthit::Labels& labels) { return to_array(labels.first_row()); })
        .def_prop_ro("query_ids", [](const firsthit::Labels& labels) { return to_text(labels.query_ids()); });

    nb::class_<PyMatcher>(module, "Matcher")
        .def(nb::init<const firsthit::Labels&, std::optional<firsthit::Layout>, const firsthit::Ordering&, std::size_t,
                      std::size_t, bool, Strings>(),
             "labels"_a, "layout"_a.none(), "ordering"_a, nb::kw_only(), "depth"_a = 0, "threads"_a = 1,
             "grouped"_a = false, "passages"_a = Strings{}, nb::keep_alive<1, 2>())
        .def("feed", &PyMatcher::feed, "block"_a, "last"_a = false)
        .def("feed_file", &PyMatcher::feed_file, "descriptor"_a, "offset"_a, "size"_a, "count"_a)
        .def("feed_arrow", &PyMatcher::feed_arrow, "source"_a, "columns"_a)
        .def("feed_mapping", &PyMatcher::feed_mapping, "source"_a)
        .def_prop_ro("scattered", &PyMatcher::scattered)
        .def("finish", &PyMatcher::finish);
}
