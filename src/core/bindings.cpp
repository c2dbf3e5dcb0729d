// The only file that knows Python: it turns Python objects into views and rows, and results into NumPy arrays.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "labels.hpp"
#include "matcher.hpp"
#include "table.hpp"
#include "writing_bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using firsthit::ProblemKind;

// ---- results to Python

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// A NumPy array that owns what the vector owned.
template <class T>
nb::object to_array(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(Array<T>(kept->data(), {kept->size()}, owner));
}

nb::object to_text(firsthit::Texts texts) {
    std::vector<std::uint8_t> bytes(texts.bytes.begin(), texts.bytes.end());
    return nb::make_tuple(to_array(std::move(bytes)), to_array(std::move(texts.offsets)));
}

nb::bytes to_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }

nb::list to_list(const firsthit::Problems& problems) {
    nb::list list;
    for (const firsthit::Problem& problem : problems.first()) {
        std::string_view kind = firsthit::name_of(problem.kind);
        list.append(nb::make_tuple(nb::str(kind.data(), kind.size()), problem.line, to_bytes(problem.value), problem.other));
    }
    return list;
}

nb::list to_duplicates(const std::vector<firsthit::Example>& examples) {
    nb::list list;
    for (const firsthit::Example& example : examples)
        list.append(nb::make_tuple(to_bytes(example.query), to_bytes(example.doc), example.line, example.earlier_line));
    return list;
}

nb::list to_self_hits(const std::vector<firsthit::Example>& examples) {
    nb::list list;
    for (const firsthit::Example& example : examples)
        list.append(nb::make_tuple(to_bytes(example.query), to_bytes(example.doc), example.line));
    return list;
}

// ---- Python to views

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

firsthit::TextsView to_view(const InputText& text) {
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

firsthit::Layout make_layout(const std::string& kind, const std::map<std::string, std::size_t>& columns,
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

firsthit::Ordering make_ordering(const std::string& key, int bits, const std::string& ties, const std::string& duplicates,
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

// ---- mappings

std::string quoted(nb::handle value) { return nb::cast<std::string>(nb::repr(value)); }

std::string type_of(nb::handle value) { return nb::cast<std::string>(value.type().attr("__name__")); }

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

std::string_view name_of_not_finite(double number) {
    if (std::isnan(number)) return "nan";
    return number > 0 ? "inf" : "-inf";
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
        if (!std::isfinite(number)) return sink_.broken(ProblemKind::not_finite, name_of_not_finite(number));
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
    void row(std::string_view, std::string_view doc, double number) { matcher.add(doc, number, firsthit::no_rank); }
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

// ---- Arrow

ArrowArrayStream& stream_of(const nb::object& capsule) {
    void* stream = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
    if (!stream) throw nb::python_error();
    return *static_cast<ArrowArrayStream*>(stream);
}

nb::object open_stream(nb::handle source) {
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

std::string column_for(const std::map<std::string, std::string>& columns, const std::string& role) {
    auto found = columns.find(role);
    if (found == columns.end()) throw std::invalid_argument("no column is named for the " + role);
    return found->second;
}

double rank_in(const firsthit::Column& column, std::int64_t row) {
    if (column.is_null(row)) return firsthit::not_a_rank;
    double rank = column.number(row);
    return std::isfinite(rank) && rank == std::floor(rank) ? rank : firsthit::not_a_rank;
}

// ---- the classes that Python sees

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
    PyTable(const firsthit::Layout& layout, std::vector<std::string> texts, std::vector<std::string> numbers)
        : table_(layout, texts, numbers), texts_(std::move(texts)), numbers_(std::move(numbers)) {}

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
                          const std::map<std::string, std::string>& numbers) {
    std::vector<std::string> text_roles, number_roles;
    std::vector<Wanted> wanted;
    for (const auto& [role, column] : texts) {
        text_roles.push_back(role);
        wanted.push_back({column, firsthit::ColumnUse::text});
    }
    for (const auto& [role, column] : numbers) {
        number_roles.push_back(role);
        wanted.push_back({column, firsthit::ColumnUse::number});
    }
    std::vector<std::string> roles = text_roles;
    roles.insert(roles.end(), number_roles.begin(), number_roles.end());
    nb::object capsule = open_stream(source);
    firsthit::ColumnStream stream(stream_of(capsule), wanted);
    firsthit::Columns result(texts.size(), numbers.size());
    firsthit::Arena arena;
    std::int64_t record = 0;
    while (auto batch = stream.next()) {
        std::vector<firsthit::Column> columns = stream.columns(*batch);
        for (std::int64_t row = 0; row < (*batch)->length; ++row) {
            ++record;
            auto broken = [&](ProblemKind kind, std::string_view value) { result.problems.add(kind, record, value); };
            if (report_row(columns, roles, wanted, row, arena, broken)) continue;
            for (std::size_t i = 0; i < texts.size(); ++i) result.texts[i].add(columns[i].text(row, arena));
            for (std::size_t i = 0; i < numbers.size(); ++i) result.numbers[i].push_back(columns[texts.size() + i].number(row));
            result.lines.push_back(record);
            arena.clear();
        }
    }
    return to_result(std::move(result), text_roles, number_roles);
}

// One matcher takes one source: text, or rows of a mapping or a table.
class PyMatcher {
public:
    PyMatcher(const firsthit::Labels& labels, std::optional<firsthit::Layout> layout, const firsthit::Ordering& ordering,
              std::size_t depth, std::size_t threads, bool grouped)
        : labels_(labels), settings_{ordering, depth, threads, grouped} {
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

    void feed_mapping(nb::handle source) {
        if (settings_.ordering.key == firsthit::Key::rank) throw std::invalid_argument("a mapping has no ranks to order by");
        bool by_score = settings_.ordering.key == firsthit::Key::score;
        MatcherSink sink{start_rows(false)};
        firsthit::Arena arena;
        MappingWalk<MatcherSink> walk(sink, by_score, arena);
        if (walk.walk(source) == Shape::list && by_score)
            throw firsthit::TypeFault("lists of documents have no scores to order by");
        totals_ = &rows_->finish();
    }

    void feed_arrow(nb::handle source, const std::map<std::string, std::string>& columns) {
        std::vector<std::string> roles = {"query", "doc"};
        firsthit::Key key = settings_.ordering.key;
        if (key != firsthit::Key::given) roles.push_back(key == firsthit::Key::score ? "score" : "rank");
        std::vector<Wanted> wanted;
        for (const std::string& role : roles)
            wanted.push_back({column_for(columns, role), firsthit::is_id_role(role) ? firsthit::ColumnUse::text : firsthit::ColumnUse::number});
        bool has_rank = settings_.ordering.check_rank && key == firsthit::Key::score && columns.contains("rank");
        if (has_rank) wanted.push_back({columns.at("rank"), firsthit::ColumnUse::number});
        firsthit::RowMatcher& rows = start_rows(has_rank);
        nb::object capsule = open_stream(source);
        firsthit::ColumnStream stream(stream_of(capsule), wanted);
        std::vector<firsthit::ColumnStream::Batch> batches;  // rows point into them until they are ranked
        firsthit::Arena arena;
        while (auto batch = stream.next()) {
            batches.push_back(batch);
            feed_batch(rows, stream.columns(*batch), roles, wanted, (*batch)->length, arena);
        }
        totals_ = &rows.finish();
    }

    nb::dict finish();

    bool scattered() const {
        if (text_) return text_->scattered();
        return rows_ && rows_->scattered();
    }

private:
    firsthit::RowMatcher& start_rows(bool has_rank) {
        if (text_ || rows_) throw std::invalid_argument("a matcher takes one source");
        return rows_.emplace(labels_, settings_, has_rank);
    }

    static void feed_batch(firsthit::RowMatcher& rows, std::vector<firsthit::Column> columns, const std::vector<std::string>& roles,
                           const std::vector<Wanted>& wanted, std::int64_t length, firsthit::Arena& arena) {
        std::optional<firsthit::Column> rank;
        if (columns.size() > roles.size()) {
            rank.emplace(std::move(columns.back()));
            columns.pop_back();
        }
        bool nulls = std::any_of(columns.begin(), columns.end(), [](const auto& column) { return column.may_hold_nulls(); });
        for (std::int64_t at = 0; at < length; ++at) {
            auto broken = [&](ProblemKind kind, std::string_view value) { rows.add_broken(kind, value); };
            if (nulls && report_row(columns, roles, wanted, at, arena, broken)) continue;
            std::string_view query = columns[0].text(at, arena), doc = columns[1].text(at, arena);
            double number = columns.size() > 2 ? columns[2].number(at) : 0;
            bool doubtful = query.empty() || doc.empty() || !std::isfinite(number);
            if (doubtful && report_row(columns, roles, wanted, at, arena, broken)) continue;
            rows.open(query);
            rows.add(doc, number, rank ? rank_in(*rank, at) : firsthit::no_rank);
        }
    }

    const firsthit::Labels& labels_;
    firsthit::MatchSettings settings_;
    std::optional<firsthit::TextMatcher> text_;
    std::optional<firsthit::RowMatcher> rows_;
    const firsthit::Totals* totals_ = nullptr;
};

const char* rank_column_name(firsthit::RankUse use) {
    switch (use) {
        case firsthit::RankUse::used: return "used";
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
    result["unlabelled_retrieved"] = to_array(std::move(arrays.unlabelled_retrieved));
    result["tied_queries"] = to_array(std::move(arrays.tied_queries));
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
    if (!text_ && !rows_) start_rows(false);
    if (!totals_) {
        nb::gil_scoped_release released;
        totals_ = text_ ? &text_->finish() : &rows_->finish();
    }
    nb::dict result;
    add_arrays(result, firsthit::arrays_of(totals_->outcome, labels_.query_count()));
    add_counts(result, totals_->outcome, text_ ? text_->rank_use() : rows_->rank_use());
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
    bind_writing(module);
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const firsthit::TypeFault& fault) {
            PyErr_SetString(PyExc_TypeError, fault.what());
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
        .def(nb::init<const firsthit::Layout&, Strings, Strings>(), "layout"_a, "texts"_a, "numbers"_a)
        .def("feed", &PyTable::feed, "block"_a, "last"_a = false)
        .def("finish", &PyTable::finish);

    module.def("table_from_mapping", &table_from_mapping, "source"_a);
    module.def("table_from_arrow", &table_from_arrow, "source"_a, "texts"_a, "numbers"_a);

    nb::class_<firsthit::Labels>(module, "Labels")
        .def(nb::new_(&make_labels), "query"_a, "doc"_a, "extra_queries"_a = nb::none())
        .def_prop_ro("query_of_row", [](const firsthit::Labels& labels) { return to_array(labels.query_of_row()); })
        .def_prop_ro("first_row", [](const firsthit::Labels& labels) { return to_array(labels.first_row()); })
        .def_prop_ro("query_ids", [](const firsthit::Labels& labels) { return to_text(labels.query_ids()); });

    nb::class_<PyMatcher>(module, "Matcher")
        .def(nb::init<const firsthit::Labels&, std::optional<firsthit::Layout>, const firsthit::Ordering&, std::size_t,
                      std::size_t, bool>(),
             "labels"_a, "layout"_a.none(), "ordering"_a, nb::kw_only(), "depth"_a = 0, "threads"_a = 1,
             "grouped"_a = false, nb::keep_alive<1, 2>())
        .def("feed", &PyMatcher::feed, "block"_a, "last"_a = false)
        .def("feed_arrow", &PyMatcher::feed_arrow, "source"_a, "columns"_a)
        .def("feed_mapping", &PyMatcher::feed_mapping, "source"_a)
        .def_prop_ro("scattered", &PyMatcher::scattered)
        .def("finish", &PyMatcher::finish);
}
