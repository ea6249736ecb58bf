// Filters of two dimensions that are products of a column and a row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "twiddle/convolution.hpp"

namespace twiddle::plan {

// Columns and rows of the filters of a convolution of two dimensions, as FilterBank::Kind::separable takes them (for
// correlation reversed and conjugated). None where the filter that is named is no such product: where its difference
// from that of the best column and row, rounded to T, is larger than 4 unit roundoffs of it, in the Frobenius norm.
// Products that are rounded to T are nearer than that. T: float or double, as the convolution's precision.
template <class T>
struct Separation {
  std::vector<T> taps;                     // empty where one is no product
  std::optional<std::size_t> inseparable;  // the first filter that is none
};
template <class T>
[[nodiscard]] Separation<T> separate_filters(const twiddle::Convolution& convolution, std::span<const T> filters);

}  // namespace twiddle::plan
