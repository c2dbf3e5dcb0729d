#include "rows.hpp"

#include <algorithm>
#include <utility>

namespace firsthit {

bool ContiguousRows::open(std::string_view query, Outcome& out) {
    if (is_open_ && query == query_) return false;
    close(out);
    query_ = query;
    is_open_ = true;
    return true;
}

void ContiguousRows::close(Outcome& out) {
    if (!std::exchange(is_open_, false)) return;
    ranker_.rank({query_, labels_.find_query(query_, hash_bytes(query_))}, records_, out);
    records_.clear();
}

void ScatteredRows::settle() {
    number_queries();
    std::span<const double> ranks = records_.ranks();
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const Record& record = records_.records()[i];
        const char* doc = ids_ ? ids_->keep(record.id()).data() : record.doc;
        stored_.push_back({doc, record.size, record.line, record.record, records_.hashes()[i], records_.keys()[i], has_rank_ ? ranks[i] : no_rank});
        if (keeps_passages_) passages_.push_back(record.passage);
    }
    records_.clear();
    query_of_.clear();
}

// Two rounds: the memory that the second looks at is on its way by then.
void ScatteredRows::number_queries() {
    hashes_.clear();
    for (std::string_view query : query_of_) {
        hashes_.push_back(hash_bytes(query));
        labels_.expect_query(hashes_.back());
    }
    for (std::size_t i = 0; i < query_of_.size(); ++i) numbers_.push_back(number_of(query_of_[i], hashes_[i]));
}

std::uint32_t ScatteredRows::number_of(std::string_view query, std::uint32_t hash) {
    std::int32_t number = labels_.find_query(query, hash);
    auto known = static_cast<std::uint32_t>(labels_.query_count());
    return number >= 0 ? static_cast<std::uint32_t>(number) : known + unlabelled_.add(query, hash);
}

// By counting: it keeps the order of the file inside a query.
SortedRows ScatteredRows::take_sorted() {
    SortedRows sorted;
    std::vector<std::uint32_t> next(labels_.query_count() + unlabelled_.size());
    for (std::uint32_t query : numbers_) ++next[query];
    std::uint32_t start = 0;
    for (std::uint32_t query = 0; query < next.size(); ++query) {
        if (next[query] == 0) continue;
        sorted.runs.push_back({query, start, start + next[query]});
        start += std::exchange(next[query], start);
    }
    sorted.size = stored_.size();
    sorted.rows = std::make_unique_for_overwrite<SortedRows::Stored[]>(sorted.size);
    sorted.passages.resize(passages_.size());
    for (std::size_t i = 0; i < sorted.size; ++i) {
        const std::uint32_t place = next[numbers_[i]]++;
        sorted.rows[place] = stored_[i];
        if (keeps_passages_) sorted.passages[place] = passages_[i];
    }
    sorted.unlabelled = std::exchange(unlabelled_, {}).texts();
    stored_.clear();
    passages_.clear();
    numbers_.clear();
    return sorted;
}

void SortedRows::renumber(std::uint32_t known, const std::vector<std::uint32_t>& numbers) {
    for (Run& run : runs)
        if (run.query >= known) run.query = known + numbers[run.query - known];
    std::ranges::sort(runs, {}, &Run::query);
}

}  // namespace firsthit
