// Half precision as storage: 16 bits, IEEE binary16, with conversions.
#pragma once

#include <cstdint>

namespace twiddle {

struct Half {
  std::uint16_t bits = 0;
  bool operator==(const Half&) const = default;
};

// A complex number of two halves, laid out as std::complex lays out its parts. In the place of one there may be a float
// while a transform is under way.
struct alignas(4) ComplexHalf {
  Half real;
  Half imaginary;
  bool operator==(const ComplexHalf&) const = default;
};

// Rounded to nearest even; overflow gives infinity, NaN stays NaN. (std::float16_t is C++23.)
[[nodiscard]] Half to_half(float value);
[[nodiscard]] float to_float(Half value);

}  // namespace twiddle
