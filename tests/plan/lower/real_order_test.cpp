// The orders of reals around complex transforms do what they are for.
#include "plan/lower/real_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <set>
#include <vector>

namespace twiddle::plan {
namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

// With nothing but the definitions of dct4, dst4 and the Fourier transform.
TEST(RealOrder, QuarterShiftedRealsBecomeCosinesAndSines) {
  for (const std::uint64_t n : {1, 3, 5, 7, 9, 15, 33, 101}) {
    for (const bool sine : {false, true}) {
      std::vector<long double> user(n);
      for (std::uint64_t j = 0; j < n; ++j) user[j] = std::sin(1 + 7 * static_cast<long double>(j * j));
      std::vector<long double> placed(n);
      std::set<std::int64_t> places;
      std::set<std::int64_t> moved;
      for (const RealRun& run : quarter_shifted(n, sine)) {
        for (std::uint64_t i = 0; i < run.count; ++i) {
          const std::int64_t from = run.user + static_cast<std::int64_t>(i) * run.user_step;
          const std::int64_t to = run.place + static_cast<std::int64_t>(i) * run.place_step;
          placed.at(static_cast<std::size_t>(to)) = (run.negated ? -1 : 1) * user.at(static_cast<std::size_t>(from));
          places.insert(to);
          moved.insert(from);
        }
      }
      ASSERT_EQ(places.size(), n);
      ASSERT_EQ(moved.size(), n);
      const auto middle = static_cast<std::int64_t>(n / 2);
      const auto points = static_cast<long double>(n);
      const auto expected = [&](std::int64_t k) {
        long double sum = 0;
        for (std::uint64_t j = 0; j < n; ++j) {
          const long double angle =
              pi * (2 * static_cast<long double>(j) + 1) * (2 * static_cast<long double>(k) + 1) / (4 * points);
          sum += 2 * user[j] * (sine ? std::sin(angle) : std::cos(angle));
        }
        return sum;
      };
      for (std::int64_t f = -middle; f <= middle; ++f) {
        std::complex<long double> frequency = 0;
        for (std::uint64_t a = 0; a < n; ++a) {
          frequency += placed[a] *
                       std::polar(1.0L, -2 * pi * static_cast<long double>(a) * static_cast<long double>(f) / points);
        }
        const long double sign = sine && (f + middle) % 2 != 0 ? -1 : 1;
        const std::complex<long double> turned =
            2 * sign * frequency * std::polar(1.0L, -2 * pi * (1 + 2 * points * static_cast<long double>(f)) / 8);
        EXPECT_NEAR(static_cast<double>(turned.real()), static_cast<double>(expected(middle + f)), 1e-12)
            << n << ", " << f;
        EXPECT_NEAR(static_cast<double>(-turned.imag()), static_cast<double>(expected(middle - f)), 1e-12)
            << n << ", " << f;
      }
    }
  }
}

}  // namespace
}  // namespace twiddle::plan
