// Binding of containment.hpp: Python arrays as views; the interpreter is free while it searches.
#include "containment_bindings.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "containment.hpp"
#include "python_values.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Input<T>& array) {
    return {array.data(), array.size()};
}

firsthit::Slices slices_of(const nb::tuple& source) {
    const auto bytes = nb::cast<nb::bytes>(source[0]);
    const auto start = nb::cast<Input<std::int64_t>>(source[1], false);  // no copy: the view must outlive this call
    const auto end = nb::cast<Input<std::int64_t>>(source[2], false);
    const firsthit::Slices slices{{bytes.c_str(), bytes.size()}, span_of(start), span_of(end)};
    bool fits = slices.start.size() == slices.end.size();
    for (std::size_t i = 0; fits && i < slices.size(); ++i)
        fits = slices.start[i] >= 0 && slices.start[i] <= slices.end[i] &&
               static_cast<std::size_t>(slices.end[i]) <= slices.bytes.size();
    if (!fits) throw std::invalid_argument("a text does not lie in its bytes");
    return slices;
}

void must_be_below(std::span<const std::int32_t> numbers, std::size_t count) {
    const bool fits = std::all_of(numbers.begin(), numbers.end(), [&](std::int32_t number) {
        return number >= 0 && static_cast<std::size_t>(number) < count;
    });
    if (!fits) throw std::invalid_argument("a pair names no text");
}

// The tuples hold the arrays that the views look at, for as long as the call lasts.
nb::object contained(const nb::tuple& texts, const nb::tuple& words, const Input<std::int32_t>& text,
                     const Input<std::int32_t>& word, std::size_t threads) {
    const auto whole = slices_of(texts), wanted = slices_of(words);
    if (text.size() != word.size()) throw std::invalid_argument("a pair has a text and a word");
    must_be_below(span_of(text), whole.size());
    must_be_below(span_of(word), wanted.size());
    std::vector<std::uint8_t> found;
    {
        nb::gil_scoped_release free;
        found = firsthit::contained(whole, wanted, span_of(text), span_of(word), std::max<std::size_t>(threads, 1));
    }
    return firsthit::python::to_array(std::move(found));
}

}  // namespace

void bind_containment(nb::module_& module) {
    module.def("contained", &contained, "texts"_a, "words"_a, "text"_a, "word"_a, "threads"_a = 1);
}
