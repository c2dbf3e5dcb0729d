// The lines of a piece of a run become rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arena.hpp"
#include "fields.hpp"
#include "json_lines.hpp"
#include "lines.hpp"
#include "number.hpp"
#include "outcome.hpp"
#include "passages.hpp"
#include "ranking.hpp"
#include "rows.hpp"

namespace firsthit {

// Reads run lines as the ordering needs them: a column that it does not use is not parsed.
class RunLines {
public:
    static constexpr std::size_t query_role = 0;

    RunLines(const Layout& layout, const Ordering& ordering, const PassageSettings& passages = {});

    // From now on rows go to the table, too; `part` is the number of the text that is read next.
    void keep_passages(PassageTable& table) { passages_ = &table; }
    void start_part(std::uint32_t part) { part_ = part; }

    // Gives the rows of a text of whole lines to `rows`, and counts lines, records and problems from 0. Decoded text
    // goes to the arena. `Rows` is ContiguousRows or ScatteredRows.
    template <class Rows>
    void read(std::string_view text, Rows& rows, Arena& arena, Outcome& out);

    const LineReader& reader() const { return reader_; }
    bool has_rank() const { return has_rank_; }

private:
    template <class Rows>
    const char* read_regular(const char* at, const char* end, Rows& rows, Outcome& out);
    template <class Near, class Rows>
    const char* read_alike(const char* at, const char* end, Rows& rows, Outcome& out);
    template <class Near>
    bool split_near(const char* at, std::string_view& doc, const char*& next);
    template <class Rows>
    const char* read_objects(const char* at, const char* end, Rows& rows, Outcome& out);
    template <class Rows>
    bool split_any(const char* at, const char* end, std::string_view& doc, Rows& rows, Outcome& out);
    template <class Rows>
    void read_numbers(Rows& rows, Outcome& out);
    template <class Rows>
    void drop_bad_numbers(Rows& rows, std::size_t first, Outcome& out);
    Number read_key(const char* end, std::size_t size);
    double read_rank(const char* end, std::size_t size);
    double other_rank(std::string_view field);
    template <class Rows>
    const char* read_any(const char* at, const char* end, Rows& rows, Arena& arena, Outcome& out);
    Row row_of_reader(const Outcome& out) const;
    template <class Field>
    void note_passage(Field field);
    template <class Rows>
    void take_passages(Rows& rows, std::size_t first, Outcome& out);
    template <class Rows>
    void drop(Rows& rows, std::size_t first, std::size_t i);
    std::uint32_t passage_of_reader(const Row& row) const;

    // The numbers of a line that was split and not yet read.
    struct Unread {
        const char* key_end;
        const char* rank_end;
        std::uint32_t key_size;
        std::uint32_t rank_size;
    };

    Ordering ordering_;
    bool has_rank_;
    LineReader reader_;
    FieldScanner scanner_;
    JsonScanner objects_;
    std::size_t query_, doc_, key_, rank_, last_column_;
    std::array<Unread, 256> unread_;        // of the last records
    std::size_t unread_count_ = 0;
    simd::DecimalShape shape_;
    std::uint64_t next_rank_text_ = 0;      // the digits of the rank that most likely follows
    double last_rank_ = 0;
    std::size_t passage_role_;              // the first one of a passage's field
    std::vector<PassageRow> passage_rows_;  // of the last records, as unread_
    PassageTable* passages_ = nullptr;
    std::uint32_t part_ = 0;
};

}  // namespace firsthit
