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
    if (ordering.key == Key::rank) return RankUse::used;
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
      cutter_(layout.header, settings.grouped ? nullptr : std::make_unique<Borders>(lines_.reader(), RunLines::query_role)),
      passages_(settings.passages, settings.threads),
      scattered_(labels, settings.ordering, settings.heads(), settings.threads, lines_.has_rank()),
      totals_(labels) {
    if (settings.threads == 0) throw std::invalid_argument("a matcher needs at least one thread");
    for (std::size_t i = 0; i < settings.threads; ++i) {
        workers_.push_back({lines_, ContiguousRows(labels, settings.ordering, settings.heads(), lines_.has_rank()), Arena()});
        if (settings.passages.kept) workers_.back().lines.keep_passages(passages_.table(i));
    }
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
    std::vector<std::size_t> reader(pieces.size());
    const std::uint32_t first_part = passages_.next_part();
    run_parallel(pieces.size(), settings_.threads, [&](std::size_t i, std::size_t worker) {
        auto& [lines, rows, arena] = workers_[worker];
        lines.start_part(first_part + static_cast<std::uint32_t>(i));
        lines.read(pieces[i].text, rows, arena, outcomes[i]);
        arena.clear();
        reader[i] = worker;
    });
    passages_.number_new();
    for (std::size_t i = 0; i < pieces.size(); ++i) add_part(outcomes[i], reader[i]);
}

// Adds the part that follows, as `worker` read it.
void TextMatcher::add_part(Outcome& part, std::size_t worker) {
    for (std::uint32_t& passage : part.head_passages) passage = passages_.number(worker, passage);
    passages_.add_part(totals_.outcome.lines);
    totals_.append(part);
}

void TextMatcher::keep_scattered(const std::vector<Piece>& pieces) {
    std::vector<Outcome> outcomes(pieces.size());
    std::vector<std::unique_ptr<ScatteredPart>> parts(pieces.size());
    std::vector<std::size_t> reader(pieces.size());
    const std::uint32_t first_part = passages_.next_part();
    run_parallel(pieces.size(), settings_.threads, [&](std::size_t i, std::size_t worker) {
        parts[i] = std::make_unique<ScatteredPart>(labels_, lines_.has_rank());
        parts[i]->text.assign(pieces[i].text.begin(), pieces[i].text.end());
        workers_[worker].lines.start_part(first_part + static_cast<std::uint32_t>(i));
        workers_[worker].lines.read({parts[i]->text.data(), parts[i]->text.size()}, parts[i]->rows, parts[i]->arena, outcomes[i]);
        parts[i]->rows.sort();
        reader[i] = worker;
    });
    passages_.number_new();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        parts[i]->rows.line_shift = totals_.outcome.lines;
        parts[i]->rows.record_shift = totals_.outcome.records;
        if (settings_.passages.kept) parts[i]->rows.renumber_passages([&](std::uint32_t local) { return passages_.number(reader[i], local); });
        scattered_.add(std::move(parts[i]));
        add_part(outcomes[i], reader[i]);
    }
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

RowMatcher::RowMatcher(const Labels& labels, const MatchSettings& settings, bool has_rank)
    : settings_(settings),
      has_rank_(has_rank),
      contiguous_(labels, settings.ordering, settings.heads(), has_rank),
      part_(std::make_unique<ScatteredPart>(labels, has_rank)),
      passages_(settings.passages, 1),
      scattered_(labels, settings.ordering, settings.heads(), settings.threads, has_rank),
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
        part_->rows.open(query, totals_.outcome);
    else
        contiguous_.open(query, totals_.outcome);
}

void RowMatcher::add(std::string_view doc, double number, double rank, const PassageRow& passage) {
    std::uint32_t record = next_record();
    Row row{doc, settings_.ordering.key_of(number), rank, record + 1, record};
    std::size_t bad = PassageTable::none_bad;
    if (settings_.passages.kept) row.passage = passages_.table(0).add(doc, hash_bytes(doc), passage, {0, record + 1}, bad);
    if (bad != PassageTable::none_bad) {
        std::string_view role = name_of(settings_.passages.fields[bad]);
        return totals_.outcome.problems.add(problem_named(role), row.line, passage[bad]);
    }
    settings_.grouped ? part_->rows.add(row) : contiguous_.add(row);
}

void RowMatcher::add_broken(ProblemKind kind, std::string_view value) {
    std::uint32_t record = next_record();
    totals_.outcome.problems.add(kind, std::int64_t{record} + 1, value);
}

const Totals& RowMatcher::finish() {
    passages_.number_new();
    contiguous_.close(totals_.outcome);
    totals_.note_returning_queries();
    if (part_ && settings_.grouped) {
        part_->rows.sort();
        scattered_.add(std::move(part_));
        scattered_.finish(totals_);
    }
    passages_.report(totals_.outcome.problems);
    totals_.outcome.sort_examples();
    return totals_;
}

}  // namespace firsthit
