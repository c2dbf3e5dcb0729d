// A table (labels) read whole: text columns and number columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "fields.hpp"
#include "lines.hpp"
#include "problem.hpp"
#include "texts.hpp"

namespace firsthit {

struct Columns {
    Columns(std::size_t text_count, std::size_t number_count) : texts(text_count), numbers(number_count) {}

    std::vector<Texts> texts;
    std::vector<std::vector<double>> numbers;
    std::vector<std::int64_t> lines;
    std::int64_t blank_lines = 0;
    std::int64_t comment_lines = 0;
    Problems problems;
};

class Table {
public:
    // Of a role in `optional` a row may have nothing: an empty text, or NaN.
    Table(const Layout& layout, const std::vector<std::string>& texts, const std::vector<std::string>& numbers,
          const std::vector<std::string>& optional = {});

    void feed(std::string_view block, bool last);
    Columns finish();

    std::int64_t lines() const { return lines_; }
    std::int64_t bytes() const { return cutter_.bytes(); }

private:
    void read(std::string_view text);
    std::size_t read_alike(std::string_view text);
    bool add_split();
    void read_line(std::string_view line, bool ends_with_cr);
    std::string_view split_field(std::size_t role) const;

    Cutter cutter_;
    LineReader reader_;
    FieldScanner scanner_;
    Arena arena_;
    Columns columns_;
    std::size_t last_column_ = 0;
    std::vector<double> numbers_;  // of the line that is read
    std::int64_t lines_ = 0;
};

// An id column's name decides that its texts may not be empty.
bool is_id_role(std::string_view role);

}  // namespace firsthit
