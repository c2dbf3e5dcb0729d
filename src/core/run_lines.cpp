#include "run_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <vector>

#include "number.hpp"

namespace firsthit {

namespace {

constexpr std::size_t doc_role = 1, key_role = 2;

bool looks_at_rank(const Layout& layout, const Ordering& ordering) {
    return ordering.check_rank && ordering.key == Key::score && layout.has("rank");
}

std::vector<Role> roles_for(const Layout& layout, const Ordering& ordering, const PassageSettings& passages) {
    std::vector<Role> roles = {{"query", RoleKind::id}, {"doc", RoleKind::id}};
    if (ordering.key == Key::score) roles.push_back({"score", RoleKind::number});
    if (ordering.key == Key::rank) roles.push_back({"rank", RoleKind::number});
    if (looks_at_rank(layout, ordering)) roles.push_back({"rank", RoleKind::number, Presence::looked_at});
    std::ranges::move(passages.roles(), std::back_inserter(roles));
    return roles;
}

}  // namespace

RunLines::RunLines(const Layout& layout, const Ordering& ordering, const PassageSettings& passages)
    : ordering_(ordering),
      has_rank_(looks_at_rank(layout, ordering)),
      reader_(layout, roles_for(layout, ordering, passages)),
      scanner_(layout),
      query_(reader_.column(query_role)),
      doc_(reader_.column(doc_role)),
      key_(ordering.key == Key::given ? 0 : reader_.column(key_role)),
      rank_(has_rank_ ? reader_.column(key_role + 1) : 0),
      last_column_(std::max({query_, doc_, key_, rank_})),
      passage_role_(reader_.roles().size() - passages.fields.size()),
      passage_rows_(passages.kept ? unread_.size() : 0) {
    for (std::size_t role = passage_role_; role < reader_.roles().size(); ++role)
        if (reader_.column(role) != LineReader::no_column) last_column_ = std::max(last_column_, reader_.column(role));
}

template <class Rows>
void RunLines::read(std::string_view text, Rows& rows, Arena& arena, Outcome& out) {
    scanner_.forget_start();
    const char* end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
        // The numbers of regular lines are read by words that may begin before the line.
        if (at - text.data() >= 16 && objects_.knows_lines())
            at = read_objects(at, end, rows, out);
        else if (at - text.data() >= 16 && scanner_.fields() > last_column_)
            at = read_regular(at, end, rows, out);
        if (at < end) at = read_any(at, end, rows, arena, out);
    }
    rows.close(out);
}

namespace {

// Where the columns stand, counted from the document's, in lines that are read fastest: how many there are up to the
// line's end, the one of the key (0: none) and the one of the rank that is looked at (0: none).
template <std::size_t count_, std::size_t key_, std::size_t rank_>
struct Columns {
    static constexpr std::size_t count = count_, key = key_, rank = rank_;
};
using NoColumns = Columns<0, 0, 0>;

}  // namespace

// Reads lines as long as they look like the one before; stops at one that needs care.
template <class Rows>
const char* RunLines::read_regular(const char* at, const char* end, Rows& rows, Outcome& out) {
    const std::size_t count = scanner_.fields() - doc_;
    const std::size_t key = ordering_.key == Key::given ? 0 : key_ - doc_, rank = has_rank_ ? rank_ - doc_ : 0;
    auto is = [=](std::size_t c, std::size_t k, std::size_t r) { return count == c && key == k && rank == r; };
    if constexpr (std::is_same_v<Rows, ContiguousRows>) {
        if (passages_) return read_alike<NoColumns>(at, end, rows, out);
        if (is(4, 2, 1)) return read_alike<Columns<4, 2, 1>>(at, end, rows, out);  // TREC by score
        if (is(3, 2, 1)) return read_alike<Columns<3, 2, 1>>(at, end, rows, out);  // ... without a tag
        if (is(4, 1, 0)) return read_alike<Columns<4, 1, 0>>(at, end, rows, out);  // TREC by rank
        if (is(4, 0, 0)) return read_alike<Columns<4, 0, 0>>(at, end, rows, out);  // ... as given
        if (is(2, 1, 0)) return read_alike<Columns<2, 1, 0>>(at, end, rows, out);  // query, document, rank or score
    }
    return read_alike<NoColumns>(at, end, rows, out);
}

// Two rounds, some hundred lines each: the first only finds the fields, the second reads hashes and numbers.
// ADVICE: keep them apart. The first is a chain, as each line starts where the one before ends; numbers read within
// it would wait for the chain instead of being read side by side.
template <class Near, class Rows>
const char* RunLines::read_alike(const char* at, const char* end, Rows& rows, Outcome& out) {
    constexpr std::ptrdiff_t margin = 3 * simd::window;  // a line's start, the window after it, the line's end
    auto line = static_cast<std::uint32_t>(out.lines), record = static_cast<std::uint32_t>(out.records);
    const char* next = at;
    for (; end - at > margin; at = next) {
        std::string_view doc;
        if (!split_near<Near>(at, doc, next)) {
            if (!split_any(at, end, doc, rows, out)) break;
            next = scanner_.next();
        }
        rows.add(Record{doc.data(), static_cast<std::uint32_t>(doc.size()), ++line, record++});
        if (unread_count_ == unread_.size()) read_numbers(rows, out);
    }
    read_numbers(rows, out);
    out.lines = line;
    out.records = record;
    return at;
}

// As read_alike(), for JSON.
template <class Rows>
const char* RunLines::read_objects(const char* at, const char* end, Rows& rows, Outcome& out) {
    std::string_view query;
    for (; objects_.split(at, end); at = objects_.next()) {
        if (objects_.field(query_role) != query) {
            if constexpr (std::is_same_v<Rows, ContiguousRows>) read_numbers(rows, out);
            query = objects_.field(query_role);
            rows.open(query, out);
        }
        std::string_view doc = objects_.field(doc_role), key, rank;
        std::size_t role = key_role;
        if (ordering_.key != Key::given) key = objects_.field(role++);
        if (has_rank_) rank = objects_.field(role);
        unread_[unread_count_++] = {key.data() + key.size(), rank.data() + rank.size(), static_cast<std::uint32_t>(key.size()),
                                    static_cast<std::uint32_t>(rank.size())};
        if (passages_) note_passage([this](std::size_t i) { return objects_.field(i); });
        rows.add(Record{doc.data(), static_cast<std::uint32_t>(doc.size()), static_cast<std::uint32_t>(++out.lines), static_cast<std::uint32_t>(out.records++)});
        if (unread_count_ == unread_.size()) read_numbers(rows, out);
    }
    read_numbers(rows, out);
    return at;
}

// A line of the same query as the line before: only what follows the remembered start is looked at.
template <class Near>
inline bool RunLines::split_near(const char* at, std::string_view& doc, const char*& next) {
    if constexpr (Near::count == 0) {
        return false;
    } else {
        if (scanner_.start_size() == 0 || !scanner_.starts_alike(at)) return false;
        std::array<const char*, Near::count> stops;
        at += scanner_.start_size();
        if (!scanner_.split_near<Near::count>(at, stops, next)) return false;
        doc = {at, stops[0]};
        auto size = [&stops](std::size_t field) { return static_cast<std::uint32_t>(stops[field] - stops[field - 1] - 1); };
        Unread& unread = unread_[unread_count_++];
        if constexpr (Near::key != 0) {
            unread.key_end = stops[Near::key];
            unread.key_size = size(Near::key);
        }
        if constexpr (Near::rank != 0) {
            unread.rank_end = stops[Near::rank];
            unread.rank_size = size(Near::rank);
        }
        return true;
    }
}

template <class Rows>
bool RunLines::split_any(const char* at, const char* end, std::string_view& doc, Rows& rows, Outcome& out) {
    if (scanner_.starts_comment(at) || !scanner_.split(at, end)) return false;
    if constexpr (std::is_same_v<Rows, ContiguousRows>) {
        read_numbers(rows, out);
        if (query_ < doc_) scanner_.learn_start(doc_);
    }
    rows.open(scanner_.field(query_), out);
    doc = scanner_.field(doc_);
    std::string_view key = scanner_.field(key_), rank = scanner_.field(rank_);
    unread_[unread_count_++] = {key.data() + key.size(), rank.data() + rank.size(), static_cast<std::uint32_t>(key.size()),
                                static_cast<std::uint32_t>(rank.size())};
    if (passages_) note_passage([this](std::size_t role) {
        std::size_t column = reader_.column(role);
        return column == LineReader::no_column ? std::string_view() : scanner_.field(column);
    });
    return true;
}

// Keeps what the last line says of its document until its hash is known.
template <class Field>
void RunLines::note_passage(Field field) {
    PassageRow& row = passage_rows_[unread_count_ - 1];
    for (std::size_t role = passage_role_; role < reader_.roles().size(); ++role) row[role - passage_role_] = field(role);
}

// Gives the documents of the records from `first` on their numbers, and drops those with a number that is none.
template <class Rows>
void RunLines::take_passages(Rows& rows, std::size_t first, Outcome& out) {
    Records& records = rows.records();
    for (std::size_t i = first, expected = first; i < records.size();) {
        if (i == expected) {
            std::span<const std::uint32_t> next = records.hashes().subspan(i, std::min(PassageTable::most_expected, records.size() - i));
            passages_->expect(next);
            expected = i + next.size();
        }
        const Record& record = records.records()[i];
        const PassageRow& row = passage_rows_[i - first];
        std::size_t bad = PassageTable::none_bad;
        records.set_passage(i, passages_->add(record.id(), records.hashes()[i], row, {part_, record.line}, bad));
        if (bad == PassageTable::none_bad) {
            ++i;
            continue;
        }
        out.problems.add(problem_named(reader_.roles()[passage_role_ + bad].name), record.line, row[bad]);
        drop(rows, first, i - first);
    }
}

template <class Rows>
void RunLines::drop(Rows& rows, std::size_t first, std::size_t i) {
    rows.erase(first + i);
    if (passages_) std::move(passage_rows_.begin() + static_cast<std::ptrdiff_t>(i) + 1, passage_rows_.end(), passage_rows_.begin() + static_cast<std::ptrdiff_t>(i));
}

template <class Rows>
void RunLines::read_numbers(Rows& rows, Outcome& out) {
    Records& records = rows.records();
    const std::size_t first = records.size() - unread_count_;
    const bool has_key = ordering_.key != Key::given;
    std::size_t bad = 0;
    for (std::size_t i = 0; i < unread_count_; ++i) {
        const Unread& unread = unread_[i];
        const Record& record = records.records()[first + i];
        Number key = has_key ? read_key(unread.key_end, unread.key_size) : Number{0, NumberState::ok};
        double rank = has_rank_ && unread.rank_size != 0 ? read_rank(unread.rank_end, unread.rank_size) : no_rank;
        records.set(first + i, hash_readable(record.doc, record.size), ordering_.key_of(key.value), rank);
        bad += key.state != NumberState::ok;
    }
    if (bad != 0) drop_bad_numbers(rows, first, out);
    if (passages_) take_passages(rows, first, out);
    unread_count_ = 0;
    rows.settle();
}

template <class Rows>
void RunLines::drop_bad_numbers(Rows& rows, std::size_t first, Outcome& out) {
    for (std::size_t i = unread_count_; i-- > 0;) {
        const Unread& unread = unread_[i];
        Number key = read_key(unread.key_end, unread.key_size);
        if (key.state == NumberState::ok) continue;
        std::string_view text{unread.key_end - unread.key_size, unread.key_size};
        ProblemKind kind = key.state == NumberState::unreadable ? ProblemKind::number : ProblemKind::not_finite;
        out.problems.add(kind, rows.records().records()[first + i].line, text);
        drop(rows, first, i);
    }
}

inline Number RunLines::read_key(const char* end, std::size_t size) {
    const bool negative = *(end - size) == '-';
    Number number{0, NumberState::ok};
    if (!simd::simple_decimal(end, size - negative, shape_, number.value)) return parse_number({end - size, size});
    if (negative) number.value = -number.value;
    return number;
}

// Ranks nearly always follow one another: then one comparison of the digits is enough.
inline double RunLines::read_rank(const char* end, std::size_t size) {
    std::uint64_t text = simd::short_text(end, size);
    if (text != 0 && text == next_rank_text_)
        last_rank_ += 1;
    else if (!simd::simple_integer(end, size, last_rank_))
        return other_rank({end - size, size});
    const std::uint64_t last_digit = std::uint64_t{1} << (8 * size - 8);
    next_rank_text_ = *(end - 1) == '9' ? 0 : text + last_digit;
    return last_rank_;
}

double RunLines::other_rank(std::string_view field) {
    next_rank_text_ = 0;
    Number parsed = parse_number(field);
    return parsed.state == NumberState::ok && parsed.value == std::floor(parsed.value) ? parsed.value : not_a_rank;
}

template <class Rows>
const char* RunLines::read_any(const char* at, const char* end, Rows& rows, Arena& arena, Outcome& out) {
    Line line = line_at({at, end}, 0);
    LineState state = reader_.read(line.text, arena);
    ++out.lines;
    out.blank_lines += state == LineState::blank;
    out.comment_lines += state == LineState::comment;
    out.records += state == LineState::data || state == LineState::broken;
    const Fault& fault = reader_.fault();
    if (state == LineState::broken) out.problems.add(fault.kind, out.lines, fault.value, fault.other);
    if (state == LineState::data) {
        rows.open(reader_.field(query_role), out);
        rows.add(row_of_reader(out));
        if (reader_.layout().kind == LayoutKind::json) objects_.learn(line.text, reader_);
        scanner_.learn(line.text, line.text.end() < end && *line.text.end() == '\r');
    }
    return at + line.next;
}

Row RunLines::row_of_reader(const Outcome& out) const {
    Row row{.doc = reader_.field(doc_role), .line = static_cast<std::uint32_t>(out.lines), .record = static_cast<std::uint32_t>(out.records - 1)};
    std::size_t role = key_role;
    if (passages_) row.passage = passage_of_reader(row);
    if (ordering_.key != Key::given) row.key = ordering_.key_of(reader_.number(role++));
    if (!has_rank_ || !reader_.present(role)) return row;
    double rank = reader_.number(role);
    row.rank = reader_.readable(role) && rank == std::floor(rank) ? rank : not_a_rank;
    return row;
}

std::uint32_t RunLines::passage_of_reader(const Row& row) const {
    PassageRow fields;
    for (std::size_t role = passage_role_; role < reader_.roles().size(); ++role) fields[role - passage_role_] = reader_.field(role);
    std::size_t bad = PassageTable::none_bad;  // it stays so: the reader has looked at the numbers
    return passages_->add(row.doc, hash_bytes(row.doc), fields, {part_, row.line}, bad);
}

template void RunLines::read(std::string_view, ContiguousRows&, Arena&, Outcome&);
template void RunLines::read(std::string_view, ScatteredRows&, Arena&, Outcome&);

}  // namespace firsthit
