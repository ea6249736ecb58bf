// NumPy arrays from vectors of C++ numbers, and back.
#pragma once

#include <complex>
#include <cstring>
#include <type_traits>
#include <vector>

#include "npy.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::test {

template <class T>
inline constexpr tool::ElementType element_type_of{precision_of<T>,
                                                   !std::is_same_v<T, Half> && !std::is_floating_point_v<T>};

template <class T>
[[nodiscard]] tool::NpyArray make_array(std::vector<std::size_t> shape, const std::vector<T>& values,
                                        bool fortran_order = false) {
  tool::NpyArray array{.shape = std::move(shape), .fortran_order = fortran_order, .type = element_type_of<T>};
  array.bytes.resize(values.size() * sizeof(T));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

// The elements, which must be of this type; none where they are not.
template <class T>
[[nodiscard]] std::vector<T> values_of(const tool::NpyArray& array) {
  if (array.type != element_type_of<T>) return {};
  std::vector<T> values(array.bytes.size() / sizeof(T));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

}  // namespace twiddle::test
