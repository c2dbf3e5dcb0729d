// Columns of the Arrow C data interface, read in place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "arena.hpp"

extern "C" {
// The Arrow C data and stream interfaces, as their specification gives them.
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    struct ArrowSchema** children;
    struct ArrowSchema* dictionary;
    void (*release)(struct ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    struct ArrowArray** children;
    struct ArrowArray* dictionary;
    void (*release)(struct ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
    int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
    const char* (*get_last_error)(struct ArrowArrayStream*);
    void (*release)(struct ArrowArrayStream*);
    void* private_data;
};
}

namespace firsthit {

// A column or a value of a type that cannot be an id or a number.
struct TypeFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Arrow structs are released when their owner goes.
template <class T>
class Released {
public:
    Released() = default;
    explicit Released(T value) : value_(value) {}
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
    ~Released() {
        if (value_.release) value_.release(&value_);
    }
    T* get() { return &value_; }
    const T* operator->() const { return &value_; }

private:
    T value_{};
};

enum class ColumnUse : std::uint8_t { text, number };

// One column of one record batch.
class Column {
public:
    Column(const ArrowSchema& schema, const ArrowArray& array, std::int64_t parent_offset, ColumnUse use);

    bool may_hold_nulls() const {
        return storage_ == Storage::nothing || (array_->null_count != 0 && array_->n_buffers > 0 && array_->buffers[0]) || (dictionary_ && dictionary_->may_hold_nulls());
    }
    bool is_null(std::int64_t row) const;

    // The end of the rows from `row` on, before `end`, whose values equal its own. It may stop early: where two entries
    // of a dictionary are equal. Rows that may be null are not asked.
    std::int64_t end_of_equal(std::int64_t row, std::int64_t end) const;

    // What most columns hold is read without a call.
    std::string_view text(std::int64_t row, Arena& arena) const {  // an integer's decimal text goes to the arena
        return is_text() ? stored_text(row + offset_) : other_text(row, arena);
    }
    double number(std::int64_t row) const {
        return storage_ == Storage::float64 && !dictionary_ ? stored<double>(row + offset_) : other_number(row);
    }

private:
    enum class Storage : std::uint8_t {
        utf8, large_utf8, utf8_view, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, nothing,
    };

    std::string_view other_text(std::int64_t row, Arena& arena) const;
    double other_number(std::int64_t row) const;
    static constexpr std::size_t longest_inside = 12;  // of a view

    static Storage storage_of(const ArrowSchema& schema, ColumnUse use);
    bool is_text() const { return storage_ <= Storage::utf8_view; }
    std::int64_t integer(std::int64_t at) const;
    std::string_view stored_text(std::int64_t at) const {
        if (storage_ == Storage::utf8_view) return viewed_text(at);
        const char* bytes = static_cast<const char*>(array_->buffers[2]);
        const bool large = storage_ == Storage::large_utf8;
        const std::int64_t start = large ? stored<std::int64_t>(at) : stored<std::int32_t>(at);
        const std::int64_t end = large ? stored<std::int64_t>(at + 1) : stored<std::int32_t>(at + 1);
        return {bytes + start, static_cast<std::size_t>(end - start)};
    }
    // A view: 4 bytes of size, then 12 bytes of text, or 4 of prefix, buffer number and offset.
    std::string_view viewed_text(std::int64_t at) const {
        const auto view = stored<std::array<std::int32_t, 4>>(at);
        const auto size = static_cast<std::size_t>(view[0]);
        if (size <= longest_inside) return {static_cast<const char*>(array_->buffers[1]) + 16 * at + 4, size};
        return {static_cast<const char*>(array_->buffers[2 + view[2]]) + view[3], size};
    }
    template <class T>
    T stored(std::int64_t at) const {
        return static_cast<const T*>(array_->buffers[1])[at];
    }

    const ArrowArray* array_;
    Storage storage_;
    std::int64_t offset_;
    std::unique_ptr<Column> dictionary_;
};

// Record batches of a stream, and the wanted columns of each.
class ColumnStream {
public:
    struct Wanted {
        std::string column;
        ColumnUse use;
    };
    using Batch = std::shared_ptr<Released<ArrowArray>>;  // alive as long as text of it is in use

    // Takes the stream over. Throws std::invalid_argument for a column that is not there.
    ColumnStream(ArrowArrayStream& stream, std::vector<Wanted> wanted);

    Batch next();  // null at the end
    std::vector<Column> columns(Released<ArrowArray>& batch) const;

private:
    void check(int error);

    Released<ArrowArrayStream> stream_;
    Released<ArrowSchema> schema_;
    std::vector<Wanted> wanted_;
    std::vector<std::int64_t> places_;
};

}  // namespace firsthit
