// The maps of real transforms by half their points on single lines: all of a map or its beginning, at once or in
// pieces, between planar and interleaved memory.
#include "backend/host/mirrored_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "backend/host/settings.hpp"
#include "plan/numbers/half_spectrum.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::test {
namespace {

using backend::host::MirroredLine;
using backend::host::Planes;
using plan::LineMap;
using Exact = std::complex<long double>;

constexpr double untouched = 12345;

// Numbers as they lie in memory.
struct Line {
  Line(std::size_t count, bool planar) : numbers(2 * count, untouched), planar(planar) {}
  Planes<double> planes() {
    return planar ? Planes<double>{numbers.data(), numbers.data() + numbers.size() / 2}
                  : Planes<double>{numbers.data(), nullptr};
  }
  double& part(std::size_t k, std::size_t imaginary) {
    return numbers[planar ? k + imaginary * numbers.size() / 2 : 2 * k + imaginary];
  }
  std::vector<double> numbers;
  bool planar;
};

class MirroredLineTest : public testing::TestWithParam<LineMap::Rule> {
 protected:
  [[nodiscard]] bool load() const { return GetParam() != LineMap::Rule::r2c_store; }
  // Both real ends of the spectrum as one complex number.
  [[nodiscard]] bool packs_ends() const { return GetParam() == LineMap::Rule::half_spectrum_load; }

  // `pieces` of the first half of the line, one after the other.
  void expect_map(std::size_t half, std::size_t count, std::size_t pieces, bool planar_source, bool planar_result,
                  std::int64_t targets) {
    SCOPED_TRACE(std::to_string(half) + ", " + std::to_string(count) + " of them, in " + std::to_string(pieces));
    LineMap map;
    map.rule = GetParam();
    map.length = 2 * half;
    map.source_count = load() && !packs_ends() ? half + 1 : half;
    map.count = count;
    constexpr double scale = 0.75;
    const auto line = MirroredLine<double>::make(map, scale, targets);
    ASSERT_TRUE(line.has_value());
    ASSERT_EQ(line->count(), count);

    Line source(map.source_count, planar_source);
    for (double& number : source.numbers) number = distribution_(random_);
    Line result(count + 3, planar_result);
    const Planes<double> from = source.planes();
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      line->apply({from.real, from.imaginary}, result.planes(), piece * line->pairs() / pieces,
                  (piece + 1) * line->pairs() / pieces);
    }
    const plan::NearestRoots roots{map.length};
    const auto element = [&](std::size_t k) {
      if (!load()) k %= half;
      const bool end = load() && (k == 0 || k == half);
      if (packs_ends() && end) return Exact(source.part(0, k == 0 ? 0 : 1), 0);
      return Exact(source.part(k, 0), end ? 0 : source.part(k, 1));
    };
    for (std::size_t k = 0; k < count; ++k) {
      const auto a = plan::half_spectrum_factor(load() ? LineMap::Rule::c2r_load : map.rule, Exact(roots(k)));
      const Exact mirror = std::conj(element(half - k));
      const Exact expected =
          static_cast<long double>(scale) * (mirror * (load() ? 2.0L : 1.0L) + a * (element(k) - mirror));
      EXPECT_NEAR(result.part(k, 0), static_cast<double>(expected.real()), 4e-15) << k;
      EXPECT_NEAR(result.part(k, 1), static_cast<double>(expected.imag()), 4e-15) << k;
    }
    for (std::size_t k = count; k < count + 3; ++k) {
      EXPECT_EQ(result.part(k, 0), untouched) << k;
      EXPECT_EQ(result.part(k, 1), untouched) << k;
    }
  }

  std::mt19937 random_{7};
  std::uniform_real_distribution<double> distribution_{-1, 1};
};

TEST_P(MirroredLineTest, MakesElementsAndMirrorImages) {
  const std::int64_t best = backend::host::simd_targets();
  for (const std::int64_t targets : {best, best & (best - 1)}) {
    if (targets == 0) continue;
    for (const std::size_t half : {1, 2, 3, 7, 8, 9, 16, 17, 31, 64, 101, 200}) {
      const std::size_t all = load() ? half : half + 1;
      for (const std::size_t count : {all, (all + 3) / 4, all / 2 + 1, all - all / 5}) {
        for (const std::size_t pieces : {1, 3}) {
          for (const bool planar : {false, true}) {
            expect_map(half, std::min(count, all), pieces, planar, !planar, targets);
            expect_map(half, std::min(count, all), pieces, planar, planar, targets);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, MirroredLineTest,
                         testing::Values(LineMap::Rule::r2c_store, LineMap::Rule::c2r_load,
                                         LineMap::Rule::half_spectrum_load));

}  // namespace
}  // namespace twiddle::test
