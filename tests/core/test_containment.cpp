#include <string>
#include <vector>

#include "check.hpp"
#include "containment.hpp"

namespace {

struct Held {
    std::string bytes;
    std::vector<std::int64_t> start, end;

    explicit Held(const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            start.push_back(static_cast<std::int64_t>(bytes.size()));
            bytes += text;
            end.push_back(static_cast<std::int64_t>(bytes.size()));
        }
    }
    firsthit::Slices view() const { return {bytes, start, end}; }
};

}  // namespace

TEST(words_are_found_inside_a_text_and_not_across_texts) {
    const Held texts({"one two", "o three", "", "two"}), words({"two", "", "twoo", "e two"});
    const std::vector<std::int32_t> text{0, 1, 2, 3, 0, 2, 0, 3, 0}, word{0, 0, 0, 0, 1, 1, 2, 2, 3};
    for (std::size_t threads : {1u, 2u})
        CHECK_EQUAL(firsthit::contained(texts.view(), words.view(), text, word, threads),
                    (std::vector<std::uint8_t>{1, 0, 0, 1, 0, 0, 0, 0, 1}));
}
