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
      cutter_(layout.header, settings.grouped ? nullptr : std::make_unique<Borders>(lines_.reader(), RunLines::query_role)),
      scattered_(labels, settings.ordering, settings.depth, settings.threads, lines_.has_rank()),
      totals_(labels) {
    if (settings.threads == 0) throw std::invalid_argument("a matcher needs at least one thread");
    for (std::size_t i = 0; i < settings.threads; ++i)
        workers_.push_back({lines_, ContiguousRows(labels, settings.ordering, settings.depth, lines_.has_rank()), Arena()});
}

void TextMatcher::feed(std::string_view block, bool last) {
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

void TextMatcher::match_contiguous(const std::vector<Piece>& pieces) {
    std::vector<Outcome> outcomes(pieces.size());
    run_parallel(pieces.size(), settings_.threads, [&](std::size_t i, std::size_t worker) {
        auto& [lines, rows, arena] = workers_[worker];
        lines.read(pieces[i].text, rows, arena, outcomes[i]);
        arena.clear();
    });
    for (const Outcome& outcome : outcomes) totals_.append(outcome);
}

void TextMatcher::keep_scattered(const std::vector<Piece>& pieces) {
    std::vector<Outcome> outcomes(pieces.size());
    std::vector<std::unique_ptr<ScatteredPart>> parts(pieces.size());
    run_parallel(pieces.size(), settings_.threads, [&](std::size_t i, std::size_t worker) {
        parts[i] = std::make_unique<ScatteredPart>(labels_, lines_.has_rank());
        parts[i]->text.assign(pieces[i].text.begin(), pieces[i].text.end());
        workers_[worker].lines.read({parts[i]->text.data(), parts[i]->text.size()}, parts[i]->rows, parts[i]->arena, outcomes[i]);
        parts[i]->rows.sort();
    });
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        parts[i]->rows.line_shift = totals_.outcome.lines;
        parts[i]->rows.record_shift = totals_.outcome.records;
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
      part_(std::make_unique<ScatteredPart>(labels, false)),
      scattered_(labels, settings.ordering, settings.depth, settings.threads, false),
      totals_(labels) {}

std::uint32_t RowMatcher::next_record() {
    std::int64_t record = totals_.outcome.records++;
    if (record >= std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("more than 4,294,967,295 rows");
    return static_cast<std::uint32_t>(record);
}

void RowMatcher::open(std::string_view query) {
    if (settings_.grouped)
        part_->rows.open(query, totals_.outcome);
    else
        contiguous_.open(query, totals_.outcome);
}

void RowMatcher::add(std::string_view doc, double number) {
    std::uint32_t record = next_record();
    Row row{doc, settings_.ordering.key_of(number), no_rank, record + 1, record};
    settings_.grouped ? part_->rows.add(row) : contiguous_.add(row);
}

void RowMatcher::add_broken(ProblemKind kind, std::string_view value) {
    std::uint32_t record = next_record();
    totals_.outcome.problems.add(kind, std::int64_t{record} + 1, value);
}

const Totals& RowMatcher::finish() {
    contiguous_.close(totals_.outcome);
    totals_.note_returning_queries();
    if (part_ && settings_.grouped) {
        part_->rows.sort();
        scattered_.add(std::move(part_));
        scattered_.finish(totals_);
    }
    totals_.outcome.sort_examples();
    return totals_;
}

}  // namespace firsthit
