// Scratch memory of all kinds in many shapes is what docs/verification.md states.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {
namespace {

// One line along the longest dimension, few of them, or more.
struct Bounds {
  double one;
  double few;
  double many;
};

// At most, in times the data.
Bounds bounds_of(const Transform& transform, const ScratchSizes& sizes, const DeviceLimits& limits) {
  const bool staged = limits.shape == DeviceLimits::Shape::staged;
  const bool halves = transform.precision == Precision::float16;
  const bool extended = transform.kind == Kind::dct1 || transform.kind == Kind::dst1;
  const bool columns = transform.kind == Kind::r2c && transform.axes == std::vector<std::size_t>{0};
  if (transform.kind == Kind::c2c) {
    if (sizes.bluestein) return halves ? Bounds{4.2, 2.41, 1.25} : Bounds{2.1, 1.08, 1.08};
    return {1, 1, 1};
  }
  if (sizes.bluestein) {
    if (halves) return {extended ? 8.4 : 6.3, 4.2, 2.43};
    return {extended ? 4.2 : 3.15, 2.11, columns ? 2.23 : staged ? 2.13 : 1.1};
  }
  // In more than two stages.
  constexpr std::size_t least_memory = 32768;  // for two stages of all these lengths, of which floats may be in place
  const bool on_chip = limits.shape == DeviceLimits::Shape::on_chip;
  if (extended && staged) return halves ? Bounds{3.06, 2.67, 1.76} : Bounds{2.51, 1, 1};  // floats in place
  if (extended && on_chip && limits.local_memory < least_memory) {
    return halves ? Bounds{3.06, 2.37, 1.21} : Bounds{2.06, 1.06, 1.06};
  }
  if (extended && !halves && on_chip && limits.local_memory < 2 * least_memory) return {1.51, 1.07, 1.07};  // four rows
  // Back to reals beside an axis in several stages.
  const bool back = transform.kind == Kind::dct3 || transform.kind == Kind::dst3;
  if (staged) return {1, 1, !halves ? 1 : transform.kind == Kind::r2c ? 2.21 : back ? 1.81 : 1};
  // An edge of the rows of half of a spectrum.
  if (halves) return {1, 1.04, 1};
  return extended ? Bounds{1.07, 1.07, 1.07} : Bounds{1.04, 1.04, 1.06};
}

double most_scratch(const Transform& transform, const ScratchSizes& sizes, const DeviceLimits& limits) {
  const std::size_t lines = total_elements(transform) / *std::ranges::max_element(transform.lengths);
  const Bounds bounds = bounds_of(transform, sizes, limits);
  const double bound = lines == 1 ? bounds.one : lines < 16 ? bounds.few : bounds.many;
  // Where each slice is a launch, padded halves have slices of half a megabyte for each compute unit or none.
  if (!sizes.bluestein || transform.precision != Precision::float16 || limits.shape == DeviceLimits::Shape::owned)
    return bound;
  constexpr double without_slices = 4.4;
  const double slice = static_cast<double>(limits.compute_units << 19) / static_cast<double>(sizes.data);
  return std::max(bound, std::min(1 + slice, without_slices));
}

// Short, smooth, prime and composite lengths in shapes of one line to many.
class ScratchGrid : public testing::TestWithParam<std::string> {
 protected:
  // Each `every`th problem.
  static void hold(std::size_t every) {
    const DeviceLimits limits = plan::named_limits(GetParam());
    std::size_t problems = 0;
    for (const char* kind :
         {"c2c", "r2c", "c2r", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht"}) {
      for (const char* precision : {"f16", "f32", "f64"}) {
        for (const char* form : {"{}", "{}:inplace", "2*{}", "{}x3", "3x{}:inplace", "{}x17:axes=0",
                                 "{}x17:axes=0:inplace", "20x{}", "16*{}", "4*{}"}) {
          for (const int n :
               {17, 263, 2048, 3721, 16384, 30031, 59049, 65536, 65537, 100001, 226981, 268126, 1000003}) {
            if (++problems % every != 0) continue;
            const std::string shape = fmt::format(fmt::runtime(form), n);
            const std::string text = fmt::format("{}:{}:{}", kind, precision, shape);
            const ScratchSizes sizes = scratch_sizes(text, limits);
            EXPECT_LE(sizes.scratch / sizes.data, most_scratch(parse_problem(text).transform, sizes, limits)) << text;
          }
        }
      }
    }
  }
};

TEST_P(ScratchGrid, IsWhatIsStated) { hold(17); }

TEST_P(ScratchGrid, LongIsWhatIsStated) { hold(1); }

INSTANTIATE_TEST_SUITE_P(NamedLimits, ScratchGrid,
                         testing::Values("host", "nvidia-opencl", "nvidia-cuda", "small", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
