#include "passage_book.hpp"

#include <algorithm>
#include <string>

#include "hash.hpp"

namespace firsthit {

namespace {

constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);

std::string start_of(std::string_view value) { return std::string(value.substr(0, Problems::longest_value)); }

}  // namespace

PassageBook::PassageBook(const PassageSettings& settings, std::size_t workers)
    : fields_(settings.fields), numbers_(workers), shared_(PassageSettings{}) {
    for (std::size_t i = 0; i < workers; ++i) tables_.push_back(std::make_unique<PassageTable>(settings));
}

void PassageBook::number_new() {
    std::vector<std::uint32_t> hashes;
    for (std::size_t worker = 0; worker < tables_.size(); ++worker) {
        const PassageTable& table = *tables_[worker];
        for (auto next = numbers_[worker].size(); next < table.size(); next = numbers_[worker].size()) {
            hashes.clear();
            for (std::size_t local = next; local < std::min(table.size(), next + PassageTable::most_expected); ++local)
                hashes.push_back(hash_bytes(table.entry(static_cast<std::uint32_t>(local)).id()));
            number(worker, hashes);
        }
    }
}

// Numbers the documents of a worker that follow those with a number, as many as there are hashes.
void PassageBook::number(std::size_t worker, std::span<const std::uint32_t> hashes) {
    std::size_t bad = 0;
    shared_.expect(hashes);
    for (std::uint32_t hash : hashes) {
        std::string_view doc = tables_[worker]->entry(static_cast<std::uint32_t>(numbers_[worker].size())).id();
        numbers_[worker].push_back(shared_.add(doc, hash, {}, {}, bad));
    }
}

template <class Visit>
void PassageBook::each_entry(Visit visit) const {
    for (std::uint32_t worker = 0; worker < tables_.size(); ++worker)
        for (std::uint32_t local = 0; local < tables_[worker]->size(); ++local) visit(numbers_[worker][local], Found{worker, local});
}

// The value of the earliest row is the document's.
void PassageBook::find_firsts() {
    Firsts none;
    none.fill({nowhere, 0});
    firsts_.assign(shared_.size(), none);
    rows_.assign(shared_.size(), {nowhere, 0});
    each_entry([this](std::uint32_t number, Found found) {
        rows_[number] = std::min(rows_[number], tables_[found.worker]->entry(found.local).first);
        for (std::size_t field = 0; field < fields_.size(); ++field) {
            Found& first = firsts_[number][field];
            if (!value(found, field).empty() && (!is_known(first) || place(found, field) < place(first, field))) first = found;
        }
    });
}

// A worker's first value that differs from the document's is the worker's first value or, where that is the same, the
// one that the worker noted.
void PassageBook::find_others() {
    each_entry([this](std::uint32_t number, Found found) {
        for (std::size_t field = 0; field < fields_.size(); ++field) {
            Found first = firsts_[number][field];
            std::string_view text = value(found, field);
            if (first.worker != found.worker && !text.empty() && !is_same(fields_[field], text, value(first, field)))
                note_other(number, field, {place(found, field), start_of(text)});
        }
    });
    for (std::uint32_t worker = 0; worker < tables_.size(); ++worker)
        for (const auto& [where, other] : tables_[worker]->others()) {
            auto [local, field] = where;
            std::uint32_t number = numbers_[worker][local];
            if (is_same(fields_[field], value({worker, local}, field), value(firsts_[number][field], field))) note_other(number, field, other);
        }
}

void PassageBook::note_other(std::uint32_t number, std::size_t field, const PassageTable::Other& other) {
    auto [at, is_new] = others_.try_emplace({number, field}, other);
    if (!is_new && other.place < at->second.place) at->second = other;
}

void PassageBook::report(Problems& problems) {
    find_firsts();
    find_others();
    for (const auto& [where, other] : others_) {
        auto [number, field] = where;
        Found first = firsts_[number][field];
        std::string text = start_of(shared_.entry(number).id());
        for (std::string_view part : {name_of(fields_[field]), std::string_view(other.value), value(first, field)})
            text += '\0' + start_of(part);
        problems.add_whole(ProblemKind::passage, line(other.place), text, line(place(first, field)));
    }
}

PassageColumns PassageBook::columns(std::span<const std::uint32_t> heads) const {
    PassageColumns columns;
    std::vector<std::int32_t> rows(shared_.size(), -1);
    std::vector<std::uint32_t> chosen;
    columns.of_head.reserve(heads.size());
    for (std::uint32_t number : heads) {
        if (rows[number] < 0) {
            rows[number] = static_cast<std::int32_t>(chosen.size());
            chosen.push_back(number);
        }
        columns.of_head.push_back(rows[number]);
    }
    reserve(chosen, columns);
    for (std::uint32_t number : chosen) add_row(number, columns);
    return columns;
}

// Texts may be most of what is in memory: they are not moved to a larger place again and again.
void PassageBook::reserve(std::span<const std::uint32_t> chosen, PassageColumns& columns) const {
    for (std::size_t field = 0; field < fields_.size(); ++field) {
        if (is_number(fields_[field])) continue;
        std::size_t size = 0;
        for (std::uint32_t number : chosen)
            if (Found first = firsts_[number][field]; is_known(first)) size += value(first, field).size();
        columns.texts[field].bytes.reserve(size);
        columns.texts[field].offsets.reserve(chosen.size() + 1);
    }
}

void PassageBook::add_row(std::uint32_t number, PassageColumns& columns) const {
    columns.docs.add(shared_.entry(number).id());
    columns.lines.push_back(line(rows_[number]));
    for (std::size_t field = 0; field < fields_.size(); ++field) {
        Found first = firsts_[number][field];
        std::string_view text = is_known(first) ? value(first, field) : std::string_view();
        if (is_number(fields_[field]))
            columns.numbers[field].push_back(number_of(text));
        else
            columns.texts[field].add(text);
    }
}

}  // namespace firsthit
