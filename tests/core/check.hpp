// The smallest test frame: cases register themselves, a failed check says where and goes on.
#pragma once

#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace testing {

struct Case {
    std::string name;
    std::function<void()> run;
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

inline int& failures() {
    static int count = 0;
    return count;
}

struct Registration {
    Registration(const char* name, std::function<void()> run) { cases().push_back({name, std::move(run)}); }
};

template <class A, class B>
void check_equal(const A& a, const B& b, const char* text, const char* file, int line) {
    if (a == b) return;
    ++failures();
    std::cerr << file << ":" << line << ": " << text << "\n";
}

}  // namespace testing

#define TEST(name)                                                  \
    static void name();                                             \
    static const testing::Registration name##_registered{#name, name}; \
    static void name()
#define CHECK_EQUAL(a, b) testing::check_equal((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK(a) testing::check_equal(static_cast<bool>(a), true, #a, __FILE__, __LINE__)
