#include "check.hpp"

int main() {
    for (const testing::Case& test : testing::cases()) {
        int before = testing::failures();
        test.run();
        if (testing::failures() != before) std::cerr << "FAILED " << test.name << "\n";
    }
    std::cout << testing::cases().size() << " cases, " << testing::failures() << " failed checks\n";
    return testing::failures() == 0 ? 0 : 1;
}
