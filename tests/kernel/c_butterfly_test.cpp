// The OpenCL C text of every butterfly, and CUDA's of doubles, compiled as C++ and run. Floats through CUDA have the
// same text as through OpenCL, or are in PTX (ptx_butterfly_test.cpp).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "kernel/butterfly.hpp"
#include "kernel/direct_transform.hpp"

namespace twiddle::kernel {
namespace {

struct Float2 {
  float x, y;
};
struct Double2 {
  double x, y;
};

#define TW_INLINE static inline
#define TW_FMA(a, b, c) std::fma(a, b, c)
#define TW_REAL float
#define TW_COMPLEX Float2

namespace opencl {
#include "opencl_float_butterflies.inc"
}

#undef TW_REAL
#undef TW_COMPLEX
#define TW_REAL double
#define TW_COMPLEX Double2

namespace cuda_doubles {
#include "cuda_double_butterflies.inc"
}

struct Row {
  unsigned radix;
  Direction direction;
  void (*opencl)(Float2*);
  void (*cuda_doubles)(Double2*);
};

#define ROW(radix, way) \
  Row { radix, Direction::way, opencl::butterfly_##radix##_##way, cuda_doubles::butterfly_##radix##_##way }
#define BOTH(radix) ROW(radix, forward), ROW(radix, inverse)

constexpr std::array rows{BOTH(2),  BOTH(3),  BOTH(4),  BOTH(5),  BOTH(6),  BOTH(7),  BOTH(8),  BOTH(9),
                          BOTH(10), BOTH(11), BOTH(12), BOTH(13), BOTH(14), BOTH(15), BOTH(16), BOTH(17),
                          BOTH(18), BOTH(19), BOTH(20), BOTH(21), BOTH(22), BOTH(23), BOTH(24), BOTH(25),
                          BOTH(26), BOTH(27), BOTH(28), BOTH(29), BOTH(30), BOTH(31), BOTH(32), BOTH(37),
                          BOTH(41), BOTH(43), BOTH(47), BOTH(49), BOTH(61), BOTH(81)};
static_assert(rows.size() == 2 * (largest_radix - 1 + 4 + plan::longest_radices.size()) && largest_prime_radix == 47);

// Of sample values, beside the definition.
template <class Real, class Number>
long double error(unsigned radix, Direction direction, void (*function)(Number*)) {
  std::vector<Number> data;
  std::vector<test::Extended> exact;
  for (const auto& value : test::sample_values(radix)) {
    const std::complex<Real> rounded(value);
    data.push_back({rounded.real(), rounded.imag()});
    exact.emplace_back(rounded);
  }
  function(data.data());
  std::vector<std::complex<Real>> result;
  for (const Number& value : data) result.emplace_back(value.x, value.y);
  return test::relative_error(result, test::direct_transform(exact, direction));
}

TEST(CButterflies, MatchTheDefinition) {
  for (const Row& row : rows) {
    EXPECT_LT(error<float>(row.radix, row.direction, row.opencl), 2.5e-7) << row.radix;
    EXPECT_LT(error<double>(row.radix, row.direction, row.cuda_doubles), 5e-16) << row.radix;
  }
}

}  // namespace
}  // namespace twiddle::kernel
