// Memory for text that must stay where it is while records point at it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace firsthit {

class Arena {
public:
    Arena() = default;
    Arena(Arena&&) = default;
    Arena& operator=(Arena&&) = default;

    // `size` bytes that stay in place until clear().
    char* take(std::size_t size) {
        if (free_ < size) grow(size);
        char* at = next_;
        next_ += size;
        free_ -= size;
        return at;
    }

    std::string_view keep(std::string_view text) {
        char* at = take(text.size());
        std::copy(text.begin(), text.end(), at);
        return {at, text.size()};
    }

    // Forgets everything; the newest page is used again.
    void clear() {
        if (pages_.empty()) return;
        if (pages_.size() > 1) pages_.erase(pages_.begin(), pages_.end() - 1);
        next_ = pages_.back().first.get();
        free_ = pages_.back().second;
    }

private:
    static constexpr std::size_t page = std::size_t{1} << 16;

    void grow(std::size_t size) {
        std::size_t room = std::max(page, size);
        pages_.emplace_back(std::make_unique_for_overwrite<char[]>(room), room);
        next_ = pages_.back().first.get();
        free_ = room;
    }

    std::vector<std::pair<std::unique_ptr<char[]>, std::size_t>> pages_;
    char* next_ = nullptr;
    std::size_t free_ = 0;
};

}  // namespace firsthit
