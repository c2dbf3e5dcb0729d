#include "matcher.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "parallel.hpp"

namespace firsthit {

namespace {

constexpr std::size_t smallest_piece = std::size_t{1} << 16;
constexpr std::size_t pieces_per_thread = 4;
constexpr const char* one_source = "a matcher takes one source";

}  // namespace

RankUse rank_use(const Ordering& ordering, bool has_rank, bool expected, const RankColumn& column) {
    if (ordering.key == Key::rank) return column.broken ? RankUse::fractional : RankUse::used;
    bool seen = column.present || column.broken;
    if (!has_rank || (!seen && (column.missing || !expected))) return RankUse::none;
    if (column.broken || column.missing) return RankUse::not_integer;
    return column.several && column.lowest == column.highest ? RankUse::constant : RankUse::ok;
}

TextMatcher::TextMatcher(const Labels& labels, const Layout& layout, const MatchSettings& settings)
    : labels_(labels),
      layout_(layout),
      settings_(settings),
      lines_(layout, settings.ordering, settings.passages),
      cutter_(layout.header, borders()),
      passages_(settings.passages, settings.threads),
      scattered_(labels, settings.ordering, settings.heads(), settings.threads, lines_.has_rank()),
      totals_(labels) {
    if (settings.threads == 0) throw std::invalid_argument("a matcher needs at least one thread");
    for (std::size_t i = 0; i < settings.threads; ++i) {
        workers_.push_back({lines_, ContiguousRows(labels, settings.ordering, settings.heads(), lines_.has_rank()),
                            ScatteredRows(labels, lines_.has_rank(), settings.passages.kept), Arena()});
        if (settings.passages.kept) workers_.back().lines.keep_passages(passages_.table(i));
    }
}

void TextMatcher::feed(std::string_view block, bool last) {
    if (!files_.empty() && !block.empty()) throw std::invalid_argument(one_source);
    std::vector<Piece> pieces, parts;
    cutter_.add({nullptr, block}, last, pieces);
    for (const Piece& piece : pieces) {
        std::size_t most = piece.text.size() / smallest_piece;
        std::size_t wanted = settings_.grouped ? settings_.threads : pieces_per_thread * settings_.threads;
        cutter_.split(piece, std::clamp(most, std::size_t{1}, wanted), parts);
    }
    totals_.outcome.lines = std::max(totals_.outcome.lines, cutter_.header_lines());
    read_parts(parts.size(), [&](std::size_t i, std::size_t) { return parts[i].text; });
}

// What a line says of its passage does not matter for where queries begin.
std::unique_ptr<Borders> TextMatcher::borders() const {
    if (settings_.grouped) return nullptr;
    return std::make_unique<Borders>(RunLines(layout_, settings_.ordering).reader(), RunLines::query_role);
}

// Reads some texts on several threads, each a part of the run that follows, and adds them in their order.
template <class TextOf>
void TextMatcher::read_parts(std::size_t count, TextOf text_of) {
    std::vector<TextPart> parts(count);
    const std::uint32_t first_part = passages_.next_part();
    run_parallel(count, settings_.threads, [&](std::size_t i, std::size_t worker) {
        const std::string_view text = text_of(i, worker);
        workers_[worker].lines.start_part(first_part + static_cast<std::uint32_t>(i));
        parts[i].worker = worker;
        settings_.grouped ? keep_scattered(text, parts[i]) : match_contiguous(text, parts[i]);
    });
    passages_.number_new();
    for (TextPart& part : parts) append(part);
}

void TextMatcher::match_contiguous(std::string_view text, TextPart& part) {
    Worker& own = workers_[part.worker];
    own.lines.read(text, own.rows, own.arena, part.outcome);
    own.arena.clear();
}

void TextMatcher::keep_scattered(std::string_view text, TextPart& part) {
    Worker& own = workers_[part.worker];
    part.rows = std::make_unique<ScatteredPart>();
    own.scattered.start(&part.rows->ids);
    own.lines.read(text, own.scattered, own.arena, part.outcome);
    own.arena.clear();
    part.rows->sorted = own.scattered.take_sorted();
}

void TextMatcher::append(TextPart& part) {
    auto number = [&](std::uint32_t local) { return passages_.number(part.worker, local); };
    std::ranges::transform(part.outcome.head_passages, part.outcome.head_passages.begin(), number);
    passages_.add_part(totals_.outcome.lines);
    if (part.rows && part.rows->sorted.size != 0) {
        std::vector<std::uint32_t>& passages = part.rows->sorted.passages;
        std::ranges::transform(passages, passages.begin(), number);
        part.rows->line_shift = totals_.outcome.lines;
        part.rows->record_shift = totals_.outcome.records;
        scattered_.add(std::move(part.rows));
    }
    totals_.append(part.outcome);
}

std::int64_t TextMatcher::feed_file(int descriptor, std::int64_t offset, std::size_t size, std::size_t count) {
    if (files_.empty()) start_file(descriptor, offset, size);
    const auto place = [=](std::size_t range) { return offset + static_cast<std::int64_t>(range * size); };
    std::vector<std::int64_t> ends(count, std::clamp(file_start_, offset, place(count)));
    read_parts(count, [&](std::size_t i, std::size_t worker) {
        const FileRange range{std::max(place(i), file_start_), place(i + 1)};
        if (range.start >= range.end) return std::string_view();
        FilePieces& file = files_[worker];
        std::string_view text = file.read(range, range.start == file_start_);
        if (file.end_in(range) > range.start) ends[i] = file.end_in(range);
        return text;
    });
    return std::ranges::max(ends) - offset;
}

void TextMatcher::start_file(int descriptor, std::int64_t offset, std::size_t size) {
    if (cutter_.ended() || cutter_.bytes() != 0) throw std::invalid_argument(one_source);
    for (std::size_t i = 0; i < settings_.threads; ++i) files_.emplace_back(descriptor, size, borders());
    Beginning beginning = beginning_of_file(descriptor, offset, layout_.header);
    totals_.outcome.lines = beginning.header_lines;
    file_start_ = offset + static_cast<std::int64_t>(beginning.size);
}

const Totals& TextMatcher::finish() {
    if (!cutter_.ended()) feed({}, true);
    if (settings_.grouped) scattered_.finish(totals_);
    passages_.report(totals_.outcome.problems);
    totals_.outcome.sort_examples();
    return totals_;
}

RankUse TextMatcher::rank_use() const {
    bool expected = layout_.kind != LayoutKind::json;
    return firsthit::rank_use(settings_.ordering, lines_.has_rank(), expected, totals_.outcome.rank_column);
}

RowMatcher::RowMatcher(const Labels& labels, const MatchSettings& settings)
    : settings_(settings),
      contiguous_(labels, settings.ordering, settings.heads(), false),
      rows_(labels, false, settings.passages.kept),
      passages_(settings.passages, 1),
      scattered_(labels, settings.ordering, settings.heads(), settings.threads, false),
      totals_(labels) {
    passages_.add_part(0);
}

std::uint32_t RowMatcher::next_record() {
    std::int64_t record = totals_.outcome.records++;
    if (record >= std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("more than 4,294,967,295 rows");
    return static_cast<std::uint32_t>(record);
}

void RowMatcher::open(std::string_view query) {
    if (settings_.grouped)
        rows_.open(query, totals_.outcome);
    else
        contiguous_.open(query, totals_.outcome);
}

void RowMatcher::add(std::string_view doc, double number) {
    std::uint32_t record = next_record();
    Row row{doc, settings_.ordering.key_of(number), no_rank, record + 1, record};
    std::size_t bad = PassageTable::none_bad;  // it stays so: only the id is known
    if (settings_.passages.kept) row.passage = passages_.table(0).add(doc, hash_bytes(doc), {}, {0, row.line}, bad);
    settings_.grouped ? rows_.add(row) : contiguous_.add(row);
}

void RowMatcher::add_broken(ProblemKind kind, std::string_view value) {
    std::uint32_t record = next_record();
    totals_.outcome.problems.add(kind, std::int64_t{record} + 1, value);
}

const Totals& RowMatcher::finish() {
    passages_.number_new();
    contiguous_.close(totals_.outcome);
    totals_.note_returning_queries();
    if (settings_.grouped) {
        auto part = std::make_unique<ScatteredPart>();
        part->sorted = rows_.take_sorted();
        scattered_.add(std::move(part));
        scattered_.finish(totals_);
    }
    passages_.report(totals_.outcome.problems);
    totals_.outcome.sort_examples();
    return totals_;
}

}  // namespace firsthit
