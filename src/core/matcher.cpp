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
      lines_(layout, settings.ordering),
      cutter_(layout.header, borders()),
      scattered_(labels, settings.ordering, settings.depth, settings.threads, lines_.has_rank()),
      totals_(labels) {
    if (settings.threads == 0) throw std::invalid_argument("a matcher needs at least one thread");
    for (std::size_t i = 0; i < settings.threads; ++i)
        workers_.push_back({lines_, ContiguousRows(labels, settings.ordering, settings.depth, lines_.has_rank()),
                            ScatteredRows(labels, lines_.has_rank()), Arena()});
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
    settings_.grouped ? keep_scattered(parts) : match_contiguous(parts);
}

std::unique_ptr<Borders> TextMatcher::borders() const {
    return settings_.grouped ? nullptr : std::make_unique<Borders>(lines_.reader(), RunLines::query_role);
}

void TextMatcher::match_contiguous(const std::vector<Piece>& pieces) {
    std::vector<Outcome> outcomes(pieces.size());
    run_parallel(pieces.size(), settings_.threads, [&](std::size_t i, std::size_t worker) {
        match_text(pieces[i].text, worker, outcomes[i]);
    });
    append(outcomes);
}

void TextMatcher::keep_scattered(const std::vector<Piece>& pieces) {
    std::vector<Outcome> outcomes(pieces.size());
    std::vector<std::unique_ptr<ScatteredPart>> parts(pieces.size());
    run_parallel(pieces.size(), settings_.threads, [&](std::size_t i, std::size_t worker) {
        parts[i] = part_of(pieces[i].text, worker, outcomes[i]);
    });
    append(std::move(parts), outcomes);
}

std::int64_t TextMatcher::feed_file(int descriptor, std::int64_t offset, std::size_t size, std::size_t count) {
    if (files_.empty()) start_file(descriptor, offset, size);
    const auto place = [=](std::size_t range) { return offset + static_cast<std::int64_t>(range * size); };
    std::vector<std::int64_t> ends(count, std::clamp(file_start_, offset, place(count)));
    std::vector<Outcome> outcomes(count);
    std::vector<std::unique_ptr<ScatteredPart>> parts(count);
    run_parallel(count, settings_.threads, [&](std::size_t i, std::size_t worker) {
        const FileRange range{std::max(place(i), file_start_), place(i + 1)};
        if (range.start >= range.end) return;
        FilePieces& file = files_[worker];
        std::string_view text = file.read(range, range.start == file_start_);
        if (file.end_in(range) > range.start) ends[i] = file.end_in(range);
        if (settings_.grouped)
            parts[i] = part_of(text, worker, outcomes[i]);
        else
            match_text(text, worker, outcomes[i]);
    });
    settings_.grouped ? append(std::move(parts), outcomes) : append(outcomes);
    return std::ranges::max(ends) - offset;
}

void TextMatcher::start_file(int descriptor, std::int64_t offset, std::size_t size) {
    if (cutter_.ended() || cutter_.bytes() != 0) throw std::invalid_argument(one_source);
    for (std::size_t i = 0; i < settings_.threads; ++i) files_.emplace_back(descriptor, size, borders());
    Beginning beginning = beginning_of_file(descriptor, offset, layout_.header);
    totals_.outcome.lines = beginning.header_lines;
    file_start_ = offset + static_cast<std::int64_t>(beginning.size);
}

void TextMatcher::match_text(std::string_view text, std::size_t worker, Outcome& outcome) {
    Worker& own = workers_[worker];
    own.lines.read(text, own.rows, own.arena, outcome);
    own.arena.clear();
}

std::unique_ptr<ScatteredPart> TextMatcher::part_of(std::string_view text, std::size_t worker, Outcome& outcome) {
    auto part = std::make_unique<ScatteredPart>();
    Worker& own = workers_[worker];
    own.scattered.start(&part->ids);
    own.lines.read(text, own.scattered, own.arena, outcome);
    own.arena.clear();
    part->sorted = own.scattered.take_sorted();
    return part;
}

void TextMatcher::append(const std::vector<Outcome>& outcomes) {
    for (const Outcome& outcome : outcomes) totals_.append(outcome);
}

void TextMatcher::append(std::vector<std::unique_ptr<ScatteredPart>> parts, const std::vector<Outcome>& outcomes) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i]) continue;
        parts[i]->line_shift = totals_.outcome.lines;
        parts[i]->record_shift = totals_.outcome.records;
        scattered_.add(std::move(parts[i]));
        totals_.append(outcomes[i]);
    }
}

const Totals& TextMatcher::finish() {
    if (!cutter_.ended()) feed({}, true);
    if (settings_.grouped) scattered_.finish(totals_);
    totals_.outcome.sort_examples();
    return totals_;
}

RankUse TextMatcher::rank_use() const {
    bool expected = layout_.kind != LayoutKind::json;
    return firsthit::rank_use(settings_.ordering, lines_.has_rank(), expected, totals_.outcome.rank_column);
}

RowMatcher::RowMatcher(const Labels& labels, const MatchSettings& settings)
    : settings_(settings),
      contiguous_(labels, settings.ordering, settings.depth, false),
      rows_(labels, false),
      scattered_(labels, settings.ordering, settings.depth, settings.threads, false),
      totals_(labels) {}

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
    settings_.grouped ? rows_.add(row) : contiguous_.add(row);
}

void RowMatcher::add_broken(ProblemKind kind, std::string_view value) {
    std::uint32_t record = next_record();
    totals_.outcome.problems.add(kind, std::int64_t{record} + 1, value);
}

const Totals& RowMatcher::finish() {
    contiguous_.close(totals_.outcome);
    totals_.note_returning_queries();
    if (settings_.grouped) {
        auto part = std::make_unique<ScatteredPart>();
        part->sorted = rows_.take_sorted();
        scattered_.add(std::move(part));
        scattered_.finish(totals_);
    }
    totals_.outcome.sort_examples();
    return totals_;
}

}  // namespace firsthit
