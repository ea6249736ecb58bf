// The stated bound beside FFTW's own error in the same precision, which it stands for.
#include "verify/bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/fftw_lines.hpp"
#include "verify/random.hpp"

namespace twiddle::verify {
namespace {

using test::fftw_lines;
using test::line_scalars;

// FFTW's relative L2 error forward, the mean over eight random lines.
template <class Real>
double fftw_error(Kind kind, std::size_t n) {
  constexpr Direction direction = Direction::forward;
  constexpr std::size_t lines = 8;
  Random random(n);
  const std::size_t read = line_scalars(kind, direction, n, false);
  std::vector<Real> input(lines * read);
  for (Real& value : input) value = static_cast<Real>(random.uniform());
  const std::vector<Real> actual = fftw_lines<Real>(kind, direction, n, input);
  const auto expected =
      fftw_lines<long double>(kind, direction, n, std::vector<long double>(input.begin(), input.end()));
  const std::size_t written = actual.size() / lines;
  double sum = 0;
  for (std::size_t line = 0; line < lines; ++line) {
    long double difference = 0, norm = 0;
    for (std::size_t i = line * written; i < (line + 1) * written; ++i) {
      difference += (actual[i] - expected[i]) * (actual[i] - expected[i]);
      norm += expected[i] * expected[i];
    }
    sum += static_cast<double>(std::sqrt(difference / norm));
  }
  return sum / lines;
}

// The bound is nowhere tighter than FFTW's error, and not much looser: FFTW takes a fifth of it at half of the lengths
// (it allows for much variation where results are few, and for two transforms where there are large prime factors) and
// nearly half of it somewhere.
template <class Real>
void expect_bounds_to_fit(Precision precision) {
  std::vector<std::size_t> lengths{509, 512, 1000, 1009, 2310, 4096, 6561, 10007, 16384};
  for (std::size_t n = 2; n <= 250; n += n < 24 ? 1 : 13) lengths.push_back(n);
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                          Kind::dst3, Kind::dst4, Kind::dht}) {
    std::vector<double> ratios;
    for (const std::size_t n : lengths) {
      const Problem problem{{.lengths = {n}, .kind = kind, .precision = precision}};
      ratios.push_back(fftw_error<Real>(kind, n) / arithmetic_bound(problem));
      EXPECT_LE(ratios.back(), 1) << to_string(problem);
    }
    std::ranges::sort(ratios);
    EXPECT_GT(ratios[ratios.size() / 2], 0.2) << to_string(kind);
    EXPECT_GT(ratios.back(), 0.45) << to_string(kind);
  }
}

TEST(ErrorBound, FitsFftwInSinglePrecision) { expect_bounds_to_fit<float>(Precision::float32); }
TEST(ErrorBound, FitsFftwInDoublePrecision) { expect_bounds_to_fit<double>(Precision::float64); }

}  // namespace
}  // namespace twiddle::verify
