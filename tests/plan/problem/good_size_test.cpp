// Fast lengths: they are what their documentation says, and none is passed over.
#include "twiddle/good_size.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/sample.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();

constexpr Kind all_kinds[] = {Kind::c2c,  Kind::r2c,  Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                              Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht};

// By division, unlike the library, which multiplies.
bool is_fast_complex(std::size_t n) {
  for (const std::size_t prime : {2, 3, 5, 7}) {
    while (n % prime == 0) n /= prime;
  }
  return n == 1 || n == 11 || n == 13;
}

bool is_fast(std::size_t n, Kind kind) {
  if (kind == Kind::r2c) return n == 1 || (n % 2 == 0 && is_fast_complex(n / 2));
  if (kind == Kind::dct1) return n >= 2 && is_fast_complex(n - 1);
  if (kind == Kind::dst1) return is_fast_complex(n + 1);
  return is_fast_complex(n);
}

TEST(GoodSize, IsTheNextFastLength) {
  for (const Kind kind : all_kinds) {
    std::size_t next = 0;
    for (std::size_t n = 20000; n > 0; --n) {
      if (is_fast(n, kind)) next = n;
      if (next == 0) continue;  // above the last fast one of these
      if (!test::is_sampled_if_instrumented(n + 1, 7)) continue;
      ASSERT_EQ(good_size(n, kind), next) << n << " points, " << to_string(kind);
    }
  }
}

TEST(GoodSize, KeepsItsPromisesForLongLines) {
  std::mt19937_64 generator(2026);
  for (const Kind kind : all_kinds) {
    for (int i = 0; i < 40; ++i) {
      const std::size_t n = 1 + (generator() >> (2 + generator() % 50));
      const std::size_t length = good_size(n, kind);
      ASSERT_GE(length, n);
      ASSERT_LE(length - n, n / 10 + 2) << "fast lengths lie close together";
      ASSERT_TRUE(is_fast(length, kind)) << length << " for " << n << " points, " << to_string(kind);
      ASSERT_EQ(good_size(length, kind), length);
      ASSERT_LE(length, good_size(n + 1 + generator() % n, kind));
    }
  }
}

TEST(GoodSize, ExamplesOfEachRule) {
  EXPECT_EQ(good_size(1), 1U);
  EXPECT_EQ(good_size(1021), 1024U);
  EXPECT_EQ(good_size(121), 125U);  // 11 * 11 has two large factors
  EXPECT_EQ(good_size(143), 144U);
  EXPECT_EQ(good_size(1, Kind::r2c), 1U);
  EXPECT_EQ(good_size(75, Kind::r2c), 78U);
  EXPECT_EQ(good_size(1, Kind::dct1), 2U);
  EXPECT_EQ(good_size(1000, Kind::dct1), 1001U);
  EXPECT_EQ(good_size(1000, Kind::dst1), 1007U);
}

TEST(GoodSize, TheEndOfTheNumbersIsSaid) {
  EXPECT_EQ(good_size(std::size_t{1} << 63), std::size_t{1} << 63);
  EXPECT_EQ(good_size(std::size_t{1} << 63, Kind::r2c), std::size_t{1} << 63);
  EXPECT_EQ(good_size((std::size_t{1} << 63) + 1, Kind::dct1), (std::size_t{1} << 63) + 1);
  EXPECT_EQ(good_size((std::size_t{1} << 63) - 1, Kind::dst1), (std::size_t{1} << 63) - 1);
  for (const Kind kind : all_kinds) {
    EXPECT_THROW(static_cast<void>(good_size(0, kind)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(good_size(largest, kind)), InvalidArgument) << to_string(kind);
  }
}

}  // namespace
}  // namespace twiddle
