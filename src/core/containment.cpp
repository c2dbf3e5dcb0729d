#include "containment.hpp"

#include <algorithm>
#include <functional>

#include "parallel.hpp"

namespace firsthit {

namespace {

constexpr std::size_t pairs_a_job = 1 << 14;
constexpr std::size_t ahead = 8;  // pairs; texts lie all over memory, and waiting for them took more than half the time

// Asks for the bytes of a text that a search for `size` bytes looks at first: one in each stretch of that size.
void fetch(std::string_view text, std::size_t size) {
#if defined(__GNUC__)
    for (std::size_t at = size - 1; at < text.size(); at += size) __builtin_prefetch(text.data() + at);
#else
    (void)text, (void)size;
#endif
}

// The pairs from `at` on that have the same word.
std::size_t end_of_run(std::span<const std::int32_t> word, std::size_t at, std::size_t last) {
    return static_cast<std::size_t>(
        std::find_if(word.begin() + static_cast<std::ptrdiff_t>(at), word.begin() + static_cast<std::ptrdiff_t>(last),
                     [&](std::int32_t other) { return other != word[at]; }) -
        word.begin());
}

}  // namespace

std::vector<std::uint8_t> contained(const Slices& texts, const Slices& words, std::span<const std::int32_t> text,
                                    std::span<const std::int32_t> word, std::size_t threads) {
    std::vector<std::uint8_t> found(text.size());
    const std::size_t jobs = (text.size() + pairs_a_job - 1) / pairs_a_job;
    run_parallel(jobs, threads, [&](std::size_t job, std::size_t) {
        const std::size_t last = std::min(text.size(), (job + 1) * pairs_a_job);
        for (std::size_t at = job * pairs_a_job; at < last;) {
            const std::size_t next = end_of_run(word, at, last);
            const std::string_view wanted = words[static_cast<std::size_t>(word[at])];
            if (!wanted.empty()) {
                const std::boyer_moore_horspool_searcher search(wanted.begin(), wanted.end());
                for (std::size_t i = at; i < next; ++i) {
                    if (i + ahead < last) fetch(texts[static_cast<std::size_t>(text[i + ahead])], wanted.size());
                    const std::string_view whole = texts[static_cast<std::size_t>(text[i])];
                    found[i] = search(whole.begin(), whole.end()).first != whole.end();
                }
            }
            at = next;
        }
    });
    return found;
}

}  // namespace firsthit
