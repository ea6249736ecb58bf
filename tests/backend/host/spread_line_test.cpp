// Short lines on strided and planar numbers: what adjacent numbers give, for every SIMD target, and which lines these
// are.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backend/host/line_difference.hpp"
#include "backend/host/packed_passes.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/spread_lines.hpp"
#include "backend/host/stage_worker.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {
namespace {

template <class T>
class SpreadLinesTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SpreadLinesTest, Scalars);

template <class T>
std::string problem(const std::string& kind, std::size_t length) {
  return kind + (sizeof(T) == 4 ? ":f32:" : ":f64:") + std::to_string(length);
}

// One line and two, from and to all that it may be apart, beside adjacent numbers.
template <class T>
void expect_lines(const std::string& problem, std::int64_t targets, bool complex_read, bool complex_written) {
  const double rounding = sizeof(T) == 4 ? 3e-7 : 5e-16;
  const std::vector<NumbersApart> layouts{{1}, {3}, {1, true}, {2, true}};
  for (const NumbersApart& read : layouts) {
    for (const NumbersApart& written : layouts) {
      if ((read.planes && !complex_read) || (written.planes && !complex_written)) continue;
      for (const std::size_t lines : {1, 2}) {
        EXPECT_LT(line_difference<T>({problem, read, written, lines, targets}), rounding)
            << problem << ", " << read.step << (read.planes ? " in planes" : "") << " to " << written.step
            << (written.planes ? " in planes, " : ", ") << lines << " lines";
      }
    }
  }
}

TYPED_TEST(SpreadLinesTest, AreThoseOfAdjacentNumbers) {
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0;
       targets = backend::host::without_widest(targets)) {
    for (std::size_t length = 2; length <= 20; ++length) {
      expect_lines<TypeParam>(problem<TypeParam>("c2c", length), targets, true, true);
      expect_lines<TypeParam>(problem<TypeParam>("c2c", length) + ":inverse:norm=none:factor=0.5", targets, true, true);
      expect_lines<TypeParam>(problem<TypeParam>("r2c", length), targets, false, true);
      expect_lines<TypeParam>(problem<TypeParam>("c2r", length), targets, true, false);
    }
  }
}

// Passes on packed numbers, in one call and in two, with whole vectors in the end and without.
TYPED_TEST(SpreadLinesTest, OfPassesAreThoseOfAdjacentNumbers) {
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0;
       targets = backend::host::without_widest(targets)) {
    for (const std::size_t length : {24,  25,  32,  36,  40,  50,  60,  64,  80,  96,  100, 120,  125,
                                     128, 150, 200, 256, 320, 400, 512, 600, 625, 768, 900, 1024, 1250}) {
      expect_lines<TypeParam>(problem<TypeParam>("c2c", length), targets, true, true);
    }
    expect_lines<TypeParam>(problem<TypeParam>("c2c", 64) + ":inverse", targets, true, true);
    expect_lines<TypeParam>(problem<TypeParam>("c2c", 512) + ":inverse", targets, true, true);
  }
}

TYPED_TEST(SpreadLinesTest, ManyInPlanesAreThoseOfAdjacentNumbers) {
  const double rounding = sizeof(TypeParam) == 4 ? 3e-7 : 5e-16;
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0;
       targets = backend::host::without_widest(targets)) {
    for (const std::size_t length : {32, 60, 64, 100, 256, 512}) {
      const std::string lines = problem<TypeParam>("c2c", length);
      EXPECT_LT(line_difference<TypeParam>({lines, {1, true}, {1, true}, 37, targets}), rounding) << lines;
    }
  }
}

template <class T>
bool has_worker(const std::string& problem) {
  const plan::Stage stage = backend::host::in_scalars(first_stage(problem, plan::named_limits("host")));
  return backend::host::make_spread_line_worker<T>(stage, {.targets = backend::host::simd_targets(),
                                                           .first_cache = std::size_t{32} << 10,
                                                           .core_cache = std::size_t{1} << 20}) != nullptr;
}

TEST(SpreadLines, AreFewAndShort) {
  const std::int64_t targets = backend::host::simd_targets();
  if (backend::host::find_spread_line<float>(backend::host::SpreadLineKind::pairs, 8, targets) == nullptr) {
    GTEST_SKIP() << "plain code";
  }
  EXPECT_TRUE(has_worker<float>("c2c:f32:8:in=planar:out=planar"));
  EXPECT_TRUE(has_worker<double>("c2c:f64:20:in=2/batch=40"));
  EXPECT_TRUE(has_worker<float>("r2c:f32:8:out=planar"));
  EXPECT_TRUE(has_worker<float>("r2c:f32:16:in=3/batch=48"));
  EXPECT_TRUE(has_worker<double>("c2r:f64:15:in=planar"));
  EXPECT_TRUE(has_worker<float>("r2c:f32:8*16:out=planar"));
  EXPECT_TRUE(has_worker<double>("c2c:f64:6*8:in=planar:out=planar"));
  EXPECT_FALSE(has_worker<double>("c2c:f64:8*8:in=planar:out=planar"));
  if (backend::host::find_packed_planes<float>(backend::host::PackedKind::first, 16, targets) != nullptr) {
    EXPECT_TRUE(has_worker<double>("c2c:f64:64:in=planar:out=planar"));
    EXPECT_TRUE(has_worker<float>("c2c:f32:1024:in=planar:out=planar"));
    EXPECT_TRUE(has_worker<double>("c2c:f64:100*64:in=planar:out=planar"));  // however many
  }
  EXPECT_FALSE(has_worker<float>("c2c:f32:1000*8:in=planar:out=planar"));  // enough for whole vectors
  EXPECT_FALSE(has_worker<float>("c2c:f32:17:in=planar"));                 // no butterfly
  EXPECT_FALSE(has_worker<float>("r2c:f32:1000:out=planar"));              // long
  EXPECT_FALSE(has_worker<float>("c2c:f16:8:in=planar"));                  // halves
  EXPECT_FALSE(has_worker<float>("c2c:f32:8:in=planar:nonzero=5"));        // pruned
}

}  // namespace
}  // namespace twiddle::test
