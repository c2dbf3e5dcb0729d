#include "labels.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace firsthit {

namespace {

constexpr std::uint32_t filter_bits_per_row = 32;
constexpr std::uint32_t largest_filter = 1u << 16;

}  // namespace

Labels::Labels(TextsView query, TextsView doc, TextsView extra) {
    if (query.size() != doc.size()) throw std::invalid_argument("labels need as many queries as documents");
    if (query.size() >= std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("too many label rows");
    docs_.bytes.assign(doc.bytes.begin(), doc.bytes.end());
    docs_.offsets.assign(doc.offsets.begin(), doc.offsets.end());
    number_queries(query, extra);
    lay_out();
    fill();
}

std::int32_t Labels::find_query(std::string_view id, std::uint32_t hash) const {
    return static_cast<std::int32_t>(queries_.find(id, hash));
}

void Labels::number_queries(TextsView query, TextsView extra) {
    query_of_row_.reserve(query.size());
    for (std::size_t row = 0; row < query.size(); ++row) {
        std::string_view id = query[row];
        bool same = row != 0 && queries_.texts()[static_cast<std::size_t>(query_of_row_.back())] == id;
        query_of_row_.push_back(same ? query_of_row_.back()
                                     : static_cast<std::int32_t>(queries_.add(id, hash_bytes(id))));
    }
    for (std::size_t i = 0; i < extra.size(); ++i) queries_.add(extra[i], hash_bytes(extra[i]));
}

void Labels::lay_out() {
    std::vector<std::uint32_t> rows(query_count());
    for (std::int32_t query : query_of_row_) ++rows[static_cast<std::size_t>(query)];
    indexes_.resize(query_count());
    std::size_t words = 0, slots = 0;
    for (std::size_t query = 0; query < rows.size(); ++query) {
        std::uint32_t capped = std::min(rows[query], largest_filter / filter_bits_per_row);
        std::uint32_t bits = std::max(64u, std::bit_ceil(capped * filter_bits_per_row));
        std::uint32_t room = std::bit_ceil(2 * rows[query] + 1);
        indexes_[query] = {words, slots, 32 - static_cast<std::uint32_t>(std::countr_zero(bits)), room - 1};
        words += bits / 64;
        slots += room;
    }
    filters_.resize(words);
    slots_.resize(slots);
}

void Labels::fill() {
    first_row_.reserve(query_of_row_.size());
    for (std::size_t row = 0; row < query_of_row_.size(); ++row) {
        const Index& index = indexes_[static_cast<std::size_t>(query_of_row_[row])];
        std::uint32_t hash = hash_bytes(docs_[row]);
        std::uint32_t bit = hash >> index.filter_shift;
        filters_[index.filter + (bit >> 6)] |= std::uint64_t{1} << (bit & 63);
        Slot& slot = slots_[slot_of(index, docs_[row], hash)];
        if (slot.row_after == 0) slot = {hash, static_cast<std::uint32_t>(row + 1)};
        first_row_.push_back(static_cast<std::int64_t>(slot.row_after) - 1);
    }
}

std::size_t Labels::slot_of(const Index& index, std::string_view doc, std::uint32_t hash) const {
    std::uint32_t at = hash & index.table_mask;
    for (;; at = (at + 1) & index.table_mask) {
        const Slot& slot = slots_[index.table + at];
        if (slot.row_after == 0 || (slot.hash == hash && docs_[slot.row_after - 1] == doc)) return index.table + at;
    }
}

Labels::QueryRows Labels::rows_of(std::int32_t query) const {
    const Index& index = indexes_[static_cast<std::size_t>(query)];
    QueryRows rows;
    rows.labels_ = this;
    rows.query_ = query;
    rows.filter_ = filters_.data() + index.filter;
    rows.filter_shift_ = index.filter_shift;
    return rows;
}

std::int64_t Labels::find_in_table(std::int32_t query, std::string_view doc, std::uint32_t hash) const {
    const Index& index = indexes_[static_cast<std::size_t>(query)];
    return static_cast<std::int64_t>(slots_[slot_of(index, doc, hash)].row_after) - 1;
}

}  // namespace firsthit
