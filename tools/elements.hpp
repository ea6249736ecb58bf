// The types of array elements that are computed with, and conversions between them.
#pragma once

#include <cstddef>
#include <span>

#include "twiddle/half.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::tool {

// A scalar, or a complex number of two of them.
struct ElementType {
  Precision precision = Precision::float32;
  bool complex = false;
  bool operator==(const ElementType&) const = default;
};

[[nodiscard]] std::size_t element_bytes(ElementType type);

// Converts as many elements as `from` holds; `to` must have room for them (aligned for its type, as `from` is). Real
// numbers become complex ones without imaginary part; what is too large for a precision becomes infinite. Complex
// numbers do not become real (InvalidArgument).
void convert_elements(std::span<const std::byte> from, ElementType from_type, std::span<std::byte> to,
                      ElementType to_type);

// Calls `function` with a value of the scalar type that a precision stands for.
template <class Function>
decltype(auto) with_scalar_of(Precision precision, Function function) {
  switch (precision) {
    case Precision::float16:
      return function(Half{});
    case Precision::float32:
      return function(float{});
    case Precision::float64:
      return function(double{});
    case Precision::extended:
      break;
  }
  return function(static_cast<long double>(0));
}

}  // namespace twiddle::tool
