// What a transform should give, in long double, straight from the definitions in transform.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "twiddle/problem.hpp"
#include "verify/long_fourier.hpp"

namespace twiddle::verify {

// The shape of the array that a problem reads or writes where nothing is pruned, batch first.
[[nodiscard]] std::vector<std::uint64_t> full_shape(const Problem& problem, bool written);

// `values` is the array that is read, row-major in its full shape, with zeros where nothing is stored; the result is
// the array that is written, in its full shape, scaled as the transform says. Real-to-real kinds are taken from the
// complex transform of the line extended, evenly or oddly, to a whole period: 2(n-1), 2(n+1), 4n or 8n points.
[[nodiscard]] std::vector<Value> reference_transform(const Problem& problem, std::vector<Value> values);

// The kind that is executed along each axis: that of the transform, or the one that undoes it.
[[nodiscard]] Kind executed_kind(const Problem& problem);

// Points of the complex transform in which the definition of a kind for lines of n sees one period, such as 4n for
// dct2.
[[nodiscard]] std::size_t period(Kind kind, std::size_t n);

// The product of scaling factor and normalization, worked out here and not by the library.
[[nodiscard]] long double expected_scale(const Problem& problem);

}  // namespace twiddle::verify
