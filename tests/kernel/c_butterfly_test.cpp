// The OpenCL C and CUDA C++ text of every butterfly, compiled as C++ and run.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "kernel/butterfly.hpp"
#include "kernel/direct_transform.hpp"

namespace twiddle::kernel {
namespace {

struct Float2 {
  float x, y;
};

#define TW_INLINE static inline
#define TW_REAL float
#define TW_COMPLEX Float2
#define TW_FMA(a, b, c) std::fma(a, b, c)

namespace opencl {
#include "opencl_butterflies.inc"
}
namespace cuda {
#include "cuda_butterflies.inc"
}

using Function = void (*)(Float2*);
struct Row {
  unsigned radix;
  Direction direction;
  Function opencl_function;
  Function cuda_function;
};

#define BOTH(radix)                                                                                             \
  Row{radix, Direction::forward, opencl::butterfly_##radix##_forward, cuda::butterfly_##radix##_forward}, Row { \
    radix, Direction::inverse, opencl::butterfly_##radix##_inverse, cuda::butterfly_##radix##_inverse           \
  }

constexpr std::array rows{BOTH(2),  BOTH(3),  BOTH(4),  BOTH(5),  BOTH(6),  BOTH(7),  BOTH(8),  BOTH(9),
                          BOTH(10), BOTH(11), BOTH(12), BOTH(13), BOTH(14), BOTH(15), BOTH(16), BOTH(17),
                          BOTH(18), BOTH(19), BOTH(20), BOTH(21), BOTH(22), BOTH(23), BOTH(24), BOTH(25),
                          BOTH(26), BOTH(27), BOTH(28), BOTH(29), BOTH(30), BOTH(31), BOTH(32), BOTH(37),
                          BOTH(41), BOTH(43), BOTH(47), BOTH(49), BOTH(61), BOTH(81)};
static_assert(rows.size() == 2 * (largest_radix - 1 + 4 + plan::longest_radices.size()) && largest_prime_radix == 47);

std::vector<std::complex<float>> run(Function function, const std::vector<std::complex<float>>& values) {
  std::vector<Float2> data;
  for (const auto& value : values) data.push_back({value.real(), value.imag()});
  function(data.data());
  std::vector<std::complex<float>> result;
  for (const Float2& value : data) result.emplace_back(value.x, value.y);
  return result;
}

TEST(CButterflies, MatchTheDefinition) {
  for (const Row& row : rows) {
    std::vector<std::complex<float>> values;
    std::vector<test::Extended> exact;
    for (const auto& value : test::sample_values(row.radix)) {
      values.emplace_back(value);
      exact.emplace_back(values.back());
    }
    const auto expected = test::direct_transform(exact, row.direction);
    EXPECT_LT(test::relative_error(run(row.opencl_function, values), expected), 2.5e-7) << row.radix;
    EXPECT_LT(test::relative_error(run(row.cuda_function, values), expected), 2.5e-7) << row.radix;
  }
}

}  // namespace
}  // namespace twiddle::kernel
