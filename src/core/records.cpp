#include "records.hpp"

#include <cmath>
#include <utility>

#include "hash.hpp"

namespace firsthit {

namespace {

constexpr std::size_t doc_role = 1;

std::vector<Role> roles_for(const Ordering& ordering, bool has_rank) {
    std::vector<Role> roles = {{"query", RoleKind::id}, {"doc", RoleKind::id}};
    if (ordering.key == Key::score) roles.push_back({"score", RoleKind::number});
    if (ordering.key == Key::rank) roles.push_back({"rank", RoleKind::number});
    if (has_rank) roles.push_back({"rank", RoleKind::number, true});
    return roles;
}

Record record_of(const Row& row, const Ordering& ordering, std::uint32_t line, std::uint32_t record) {
    return {row.doc.data(), key_of(row.number, ordering), hash_bytes(row.doc), static_cast<std::uint32_t>(row.doc.size()), line, record};
}

}  // namespace

double key_of(double number, const Ordering& ordering) {
    if (ordering.key == Key::rank) return -number;
    return ordering.bits == 32 ? static_cast<double>(static_cast<float>(number)) : number;
}

RunReader::RunReader(const Layout& layout, const Ordering& ordering)
    : ordering_(ordering),
      has_rank_(ordering.check_rank && ordering.key == Key::score && layout.has("rank")),
      lines_(layout, roles_for(ordering, has_rank_)) {}

LineState RunReader::read(std::string_view line, Arena& arena) { return lines_.read(line, arena); }

Row RunReader::row() const {
    Row row{.query = lines_.field(query_role), .doc = lines_.field(doc_role)};
    std::size_t next = 2;
    if (ordering_.key != Key::given) row.number = lines_.number(next++);
    if (has_rank_ && lines_.present(next)) {
        double rank = lines_.number(next);
        row.rank = lines_.readable(next) && rank == std::floor(rank) ? rank : not_a_rank;
    }
    return row;
}

Contiguous::Contiguous(const Labels& labels, const Ordering& ordering, std::size_t depth, bool has_rank)
    : labels_(labels), ordering_(ordering), has_rank_(has_rank), ranker_(labels, ordering, depth) {}

bool Contiguous::add(const Row& row, std::uint32_t line, std::uint32_t record, Outcome& out) {
    bool opens = !is_open_ || row.query != query_;
    if (opens) open(row.query, out);
    records_.push_back(record_of(row, ordering_, line, record));
    if (has_rank_) ranks_.push_back(row.rank);
    return opens;
}

void Contiguous::open(std::string_view query, Outcome& out) {
    close(out);
    query_ = query;
    is_open_ = true;
}

void Contiguous::close(Outcome& out) {
    if (!is_open_) return;
    ranker_.rank({query_, labels_.find_query(query_, hash_bytes(query_))}, records_, ranks_, out);
    records_.clear();
    ranks_.clear();
    is_open_ = false;
}

Grouped::Grouped(const Labels& labels, const Ordering& ordering, std::size_t depth, bool has_rank)
    : labels_(labels), ordering_(ordering), has_rank_(has_rank), ranker_(labels, ordering, depth) {}

void Grouped::add(const Row& row, std::uint32_t line, std::uint32_t record) {
    query_of_.push_back(queries_.add(row.query, hash_bytes(row.query)));
    records_.push_back(record_of(row, ordering_, line, record));
    if (has_rank_) ranks_.push_back(row.rank);
}

void Grouped::finish(Outcome& out) {
    sort_by_query();
    for (std::uint32_t query = 0; query < queries_.size(); ++query) {
        std::string_view id = queries_.texts()[query];
        std::size_t start = starts_[query], count = starts_[query + 1] - start;
        std::span<const double> ranks = ranks_;
        ranker_.rank({id, labels_.find_query(id, hash_bytes(id))}, std::span<const Record>(records_).subspan(start, count),
                     has_rank_ ? ranks.subspan(start, count) : ranks, out);
    }
}

// A counting sort: it keeps the order of the file inside a query.
void Grouped::sort_by_query() {
    starts_.assign(queries_.size() + 1, 0);
    for (std::uint32_t query : query_of_) ++starts_[query + 1];
    for (std::size_t query = 0; query < queries_.size(); ++query) starts_[query + 1] += starts_[query];
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    std::vector<Record> records(records_.size());
    std::vector<double> ranks(ranks_.size());
    for (std::size_t i = 0; i < records_.size(); ++i) {
        std::size_t to = next[query_of_[i]]++;
        records[to] = records_[i];
        if (has_rank_) ranks[to] = ranks_[i];
    }
    records_ = std::move(records);
    ranks_ = std::move(ranks);
}

}  // namespace firsthit
