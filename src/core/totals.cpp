#include "totals.hpp"

#include "hash.hpp"

namespace firsthit {

void Totals::append(const Outcome& part) {
    outcome.append(part);
    note_returning_queries();
}

void Totals::append_records(const Outcome& part) {
    outcome.append(part, outcome.records, outcome.records);
    note_returning_queries();
}

void Totals::append_rankings(const Outcome& part) {
    outcome.append(part, 0, 0);
    note_returning_queries();
}

// A query whose ranking was closed and that comes back makes the run scattered.
void Totals::note_returning_queries() {
    for (; checked_ < outcome.rankings.size(); ++checked_) {
        std::int32_t query = outcome.rankings[checked_].query;
        if (query >= 0) {
            scattered = scattered || seen_[static_cast<std::size_t>(query)];
            seen_[static_cast<std::size_t>(query)] = true;
            continue;
        }
        std::string_view id = outcome.unlabelled[checked_unlabelled_++];
        scattered = scattered || seen_unlabelled_.find(id, hash_bytes(id)) != Interner::none;
        seen_unlabelled_.add(id, hash_bytes(id));
    }
}

namespace {

// Where a ranking's parts lie in the outcome.
struct Place {
    std::size_t ranking = 0, hits = 0, head = 0, bytes = 0;
    bool present = false;
};

std::vector<Place> places_of(const Outcome& outcome, std::size_t query_count) {
    std::vector<Place> places(query_count);
    Place next{.present = true};
    for (const RankedQuery& ranked : outcome.rankings) {
        if (ranked.query >= 0) places[static_cast<std::size_t>(ranked.query)] = next;
        ++next.ranking;
        next.hits += ranked.hits;
        next.head += ranked.head;
        next.bytes += ranked.head_bytes;
    }
    return places;
}

void add_hits(const Outcome& outcome, const Place& place, MatchArrays& to) {
    const RankedQuery& ranked = outcome.rankings[place.ranking];
    for (std::size_t i = place.hits; i < place.hits + ranked.hits; ++i) {
        const Hit& hit = outcome.hits[i];
        to.query.push_back(ranked.query);
        to.rank.push_back(hit.rank);
        to.row.push_back(hit.row);
        to.tie_first.push_back(hit.tie_first);
        to.tie_last.push_back(hit.tie_last);
    }
}

void add_head(const Outcome& outcome, const Place& place, MatchArrays& to) {
    const char* id = outcome.head_ids.data() + place.bytes;
    for (std::size_t i = place.head; i < place.head + outcome.rankings[place.ranking].head; ++i) {
        const HeadEntry& entry = outcome.head[i];
        to.head_record.push_back(entry.record);
        to.head_row.push_back(entry.row);
        to.head_tied.push_back(outcome.head_tied[i]);
        if (!outcome.head_passages.empty()) to.head_passages.push_back(outcome.head_passages[i]);
        to.head_ids.add({id, entry.id_size});
        id += entry.id_size;
    }
}

// Heads may be whole rankings: they are not moved to a larger place again and again.
void reserve_heads(const Outcome& outcome, MatchArrays& arrays) {
    arrays.head_record.reserve(outcome.head.size());
    arrays.head_row.reserve(outcome.head.size());
    arrays.head_tied.reserve(outcome.head.size());
    arrays.head_passages.reserve(outcome.head_passages.size());
    arrays.head_ids.offsets.reserve(outcome.head.size() + 1);
    arrays.head_ids.bytes.reserve(outcome.head_ids.size());
}

}  // namespace

MatchArrays arrays_of(const Outcome& outcome, std::size_t query_count) {
    MatchArrays arrays;
    std::vector<Place> places = places_of(outcome, query_count);
    arrays.head_offsets.push_back(0);
    reserve_heads(outcome, arrays);
    for (std::size_t query = 0; query < query_count; ++query) {
        const Place& place = places[query];
        arrays.retrieved.push_back(place.present ? std::int64_t{outcome.rankings[place.ranking].retrieved} : -1);
        if (place.present) {
            add_hits(outcome, place, arrays);
            add_head(outcome, place, arrays);
            if (outcome.rankings[place.ranking].tied) arrays.tied_queries.push_back(static_cast<std::int32_t>(query));
        }
        arrays.head_offsets.push_back(static_cast<std::int64_t>(arrays.head_record.size()));
    }
    for (const RankedQuery& ranked : outcome.rankings)
        if (ranked.query < 0) arrays.unlabelled_retrieved.push_back(ranked.retrieved);
    return arrays;
}

}  // namespace firsthit
