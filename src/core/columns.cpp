#include "columns.hpp"

#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

namespace firsthit {

namespace {

bool is_valid(const ArrowArray& array, std::int64_t at) {
    if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return true;
    const auto* bits = static_cast<const unsigned char*>(array.buffers[0]);
    return (bits[at / 8] >> (at % 8) & 1) != 0;
}

std::string type_name(std::string_view format) {
    static const std::map<std::string_view, std::string_view> names = {
        {"b", "bool"}, {"e", "float16"}, {"z", "binary"}, {"Z", "large_binary"}, {"vz", "binary_view"},
        {"f", "float32"}, {"g", "float64"}, {"u", "utf8"}, {"U", "large_utf8"}, {"vu", "utf8_view"},
        {"+l", "list"}, {"+L", "large_list"}, {"+s", "struct"}, {"+m", "map"},
    };
    auto found = names.find(format);
    if (found != names.end()) return std::string(found->second);
    if (format.starts_with("ts")) return "timestamp";
    if (format.starts_with("td")) return "date";
    if (format.starts_with("d:")) return "decimal";
    return "Arrow format " + std::string(format);
}

}  // namespace

Column::Column(const ArrowSchema& schema, const ArrowArray& array, std::int64_t parent_offset, ColumnUse use)
    : array_(&array), storage_(storage_of(schema, use)), offset_(array.offset + parent_offset) {
    if (schema.dictionary) dictionary_ = std::make_unique<Column>(*schema.dictionary, *array.dictionary, 0, use);
}

Column::Storage Column::storage_of(const ArrowSchema& schema, ColumnUse use) {
    static const std::map<std::string_view, Storage> storages = {
        {"u", Storage::utf8}, {"U", Storage::large_utf8}, {"vu", Storage::utf8_view},
        {"c", Storage::int8}, {"s", Storage::int16}, {"i", Storage::int32}, {"l", Storage::int64},
        {"C", Storage::uint8}, {"S", Storage::uint16}, {"I", Storage::uint32}, {"L", Storage::uint64},
        {"f", Storage::float32}, {"g", Storage::float64},
    };
    if (std::string_view(schema.format) == "n") return Storage::nothing;  // a column of nulls has no type to be wrong
    auto found = storages.find(schema.format);
    bool known = found != storages.end();
    if (known && !schema.dictionary) {
        bool is_text = found->second <= Storage::utf8_view, is_real = found->second >= Storage::float32;
        known = use == ColumnUse::text ? !is_real : !is_text;
    }
    if (known) return found->second;
    std::string name = schema.name && *schema.name ? "column '" + std::string(schema.name) + "'" : "a dictionary";
    throw TypeFault(name + " has type " + type_name(schema.format) + ", which is no " + (use == ColumnUse::text ? "id" : "number"));
}

bool Column::is_null(std::int64_t row) const {
    if (storage_ == Storage::nothing) return true;
    std::int64_t at = row + offset_;
    if (!is_valid(*array_, at)) return true;
    return dictionary_ && dictionary_->is_null(integer(at));
}

std::int64_t Column::end_of_equal(std::int64_t row, std::int64_t end) const {
    auto until = [row, end](auto value_at) {
        const auto value = value_at(row);
        std::int64_t at = row + 1;
        while (at < end && value_at(at) == value) ++at;
        return at;
    };
    if (!is_text()) return until([this](std::int64_t at) { return integer(at + offset_); });
    if (storage_ == Storage::utf8_view && stored_text(row + offset_).size() <= longest_inside)  // the view is the text
        return until([this](std::int64_t at) { return stored<std::array<std::uint64_t, 2>>(at + offset_); });
    return until([this](std::int64_t at) { return stored_text(at + offset_); });
}

std::string_view Column::other_text(std::int64_t row, Arena& arena) const {
    std::int64_t at = row + offset_;
    if (dictionary_) return dictionary_->text(integer(at), arena);
    std::array<char, 24> digits;
    bool is_large = storage_ == Storage::uint64;
    auto end = is_large ? std::to_chars(digits.data(), digits.data() + digits.size(), stored<std::uint64_t>(at)).ptr
                        : std::to_chars(digits.data(), digits.data() + digits.size(), integer(at)).ptr;
    return arena.keep({digits.data(), end});
}

double Column::other_number(std::int64_t row) const {
    std::int64_t at = row + offset_;
    if (dictionary_) return dictionary_->number(integer(at));
    if (storage_ == Storage::float64) return stored<double>(at);
    if (storage_ == Storage::float32) return static_cast<double>(stored<float>(at));
    if (storage_ == Storage::uint64) return static_cast<double>(stored<std::uint64_t>(at));
    return static_cast<double>(integer(at));
}

std::int64_t Column::integer(std::int64_t at) const {
    switch (storage_) {
        case Storage::int8: return stored<std::int8_t>(at);
        case Storage::int16: return stored<std::int16_t>(at);
        case Storage::int32: return stored<std::int32_t>(at);
        case Storage::uint8: return stored<std::uint8_t>(at);
        case Storage::uint16: return stored<std::uint16_t>(at);
        case Storage::uint32: return stored<std::uint32_t>(at);
        default: return stored<std::int64_t>(at);
    }
}

ColumnStream::ColumnStream(ArrowArrayStream& stream, std::vector<Wanted> wanted)
    : stream_(stream), wanted_(std::move(wanted)) {
    stream.release = nullptr;
    check(stream_->get_schema(stream_.get(), schema_.get()));
    if (std::string_view(schema_->format) != "+s") throw TypeFault("the Arrow stream is no table");
    for (const Wanted& column : wanted_) {
        std::int64_t place = 0;
        while (place < schema_->n_children && schema_->children[place]->name != column.column) ++place;
        if (place == schema_->n_children) throw std::invalid_argument("the table has no column '" + column.column + "'");
        places_.push_back(place);
    }
}

void ColumnStream::check(int error) {
    if (error == 0) return;
    const char* reason = stream_->get_last_error(stream_.get());
    throw std::invalid_argument(std::string("the Arrow stream failed: ") + (reason ? reason : std::strerror(error)));
}

ColumnStream::Batch ColumnStream::next() {
    auto batch = std::make_shared<Released<ArrowArray>>();
    check(stream_->get_next(stream_.get(), batch->get()));
    return (*batch)->release ? batch : nullptr;
}

std::vector<Column> ColumnStream::columns(Released<ArrowArray>& batch) const {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        auto place = static_cast<std::size_t>(places_[i]);
        columns.emplace_back(*schema_->children[place], *batch->children[place], batch->offset, wanted_[i].use);
    }
    return columns;
}

}  // namespace firsthit
