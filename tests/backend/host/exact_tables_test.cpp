// Tables of convolutions in double-double arithmetic are those in long double, rounded once.
#include "backend/host/exact_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "backend/host/double_double.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/twiddle_tables.hpp"
#include "backend/host/vector_roots.hpp"
#include "plan/numbers/tables.hpp"
#include "support/sample.hpp"

namespace twiddle::test {
namespace {

using plan::Convolution;
using Algorithm = Convolution::Algorithm;

// Half of the last place, and what long double is off by.
void expect_rounded(const std::vector<std::complex<double>>& values,
                    const std::vector<std::complex<long double>>& expected, const char* what) {
  ASSERT_EQ(values.size(), expected.size()) << what;
  long double largest = 0;
  for (const auto& value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto near = [&](double value, long double exact) {
      EXPECT_LE(std::abs(value - exact), 0x1.001p-53L * std::abs(exact) + 0x1p-60L * largest) << what << ' ' << k;
    };
    near(values[k].real(), expected[k].real());
    near(values[k].imag(), expected[k].imag());
  }
}

void expect_exact(const Convolution& convolution, std::uint64_t length, std::int64_t targets) {
  SCOPED_TRACE(length);
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const auto exact = backend::host::exact_tables(convolution, length, direction, targets);
    const auto expected = plan::convolution_tables<long double>(convolution, length, direction);
    ASSERT_TRUE(exact.has_value());
    expect_rounded(exact->spectrum, expected.spectrum, "spectrum");
    expect_rounded(exact->chirp, expected.chirp, "chirp");
    EXPECT_EQ(exact->load_order, expected.load_order);
    EXPECT_EQ(exact->store_order, expected.store_order);
  }
}

// All radices, first where runs are shorter than a vector and later; lines that are cut; and memory of its own.
TEST(ExactTablesTest, AreRoundedOnce) {
  std::int64_t served = 0;
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0; targets &= targets - 1) {
    if (backend::host::find_double_double(targets) == nullptr) continue;
    ++served;
    SCOPED_TRACE(targets);
    for (const std::uint64_t prime : {131, 157, 271, 281, 331, 631, 1009, 4621}) {
      expect_exact({Algorithm::rader, prime - 1}, prime, targets);
    }
    for (const std::uint64_t points : {288, 360, 416, 525, 600, 1024, 1155, 1716, 8192}) {
      expect_exact({Algorithm::bluestein, points}, points / 2 - 1, targets);
    }
    expect_exact({Algorithm::bluestein, 1728}, 865, targets);  // the last two elements of the chirp are one
    expect_exact({Algorithm::bluestein, 1536, 0, 510}, 1019, targets);
    expect_exact({Algorithm::bluestein, 1536, 510, 0}, 1019, targets);
  }
  if (served == 0) GTEST_SKIP() << "none of this machine's instruction sets fuses products and sums";
}

// By columns and rows, of odd and even numbers; where the chirp is its own mirror image, whose ends may be one element,
// and where it is not.
TEST(ExactTablesTest, OfManyPointsAreRoundedOnce) {
  const std::pair<Convolution, std::uint64_t> cases[] = {{{Algorithm::bluestein, 262144}, 131071},
                                                         {{Algorithm::bluestein, 91125}, 40009},
                                                         {{Algorithm::bluestein, 93312}, 46657},
                                                         {{Algorithm::bluestein, 151200, 0, 50006}, 100011},
                                                         {{Algorithm::bluestein, 151263, 50006, 0}, 100011}};
  std::size_t index = 0;
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0; targets &= targets - 1) {
    if (backend::host::find_double_double(targets) == nullptr) continue;
    SCOPED_TRACE(targets);
    for (const auto& [convolution, length] : cases) {
      if (is_sampled(index++, 2)) expect_exact(convolution, length, targets);
    }
  }
}

// Roots anywhere are those in long double but for the roundings of these. Block after block they are products, which
// are right beside the whole root, whose length is one, and not beside the smaller of its parts.
TEST(VectorRootsTest, AreThoseInLongDouble) {
  using backend::host::RootBlocks;
  std::array<double, RootBlocks::size> powers;
  std::array<std::array<double, RootBlocks::size>, 4> parts;
  const std::array<double*, 4> places{parts[0].data(), parts[1].data(), parts[2].data(), parts[3].data()};
  const auto expect_roots = [&](std::uint64_t n, std::size_t count, bool products) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::complex<long double> exact = plan::root_of_unity(static_cast<std::uint64_t>(powers[i]), n);
      for (const auto& [part, value] : {std::pair{0, exact.real()}, {2, exact.imag()}}) {
        const double high = parts[part][i];
        const double low = parts[part + 1][i];
        EXPECT_EQ(high + low, high);
        EXPECT_LE(std::abs(static_cast<long double>(high) + low - value), 0x1p-62L * (products ? 1 : std::abs(value)))
            << powers[i] << " of " << n;
      }
    }
  };
  std::minstd_rand generator;
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0; targets &= targets - 1) {
    const auto* const kernels = backend::host::find_double_double(targets);
    if (kernels == nullptr) continue;
    for (const std::uint64_t n : {1ULL, 2ULL, 3ULL, 7ULL, 8ULL, 12ULL, 1000ULL, 4076ULL, 1048573ULL, 1ULL << 45}) {
      for (double& power : powers) power = static_cast<double>(generator() * std::uint64_t{2654435761} % n);
      kernels->roots(backend::host::RootSteps(n), powers.data(), powers.size(), places);
      expect_roots(n, powers.size(), false);
    }
    using Case = std::array<std::uint64_t, 3>;
    for (const auto& [n, step, first] : {Case{5, 1, 0}, Case{64, 1, 0}, Case{9001, 1, 0}, Case{9001, 8999, 0},
                                         Case{16 * 520, 8, 1}, Case{9001, 8999, 9000}}) {
      RootBlocks blocks(n, step, n, *kernels, first);
      for (std::uint64_t begin = 0; begin < n; begin += powers.size()) {
        const std::size_t count = std::min<std::uint64_t>(powers.size(), n - begin);
        for (std::size_t i = 0; i < count; ++i) powers[i] = static_cast<double>((first + (begin + i) * step) % n);
        blocks.next(count, places);
        expect_roots(n, count, true);
      }
    }
  }
}

// The roots that all tables of passes are made of: those of angles with equal parts from one of them.
template <class T>
void expect_all_roots(std::uint64_t n) {
  SCOPED_TRACE(n);
  const backend::host::AllRoots<T> roots = backend::host::all_roots<T>(n, backend::host::simd_targets());
  ASSERT_EQ(roots.size(), n);
  for (std::uint64_t k = 0; k < n; ++k) {
    const std::complex<long double> exact = plan::root_of_unity(k, n);
    // Rounded once, but for what a product of two roots in the longer precision is off by; what is exact beside long
    // double is off by a rounding itself.
    const bool longest = std::is_same_v<T, long double>;
    const long double unit = std::numeric_limits<T>::epsilon() / 2 * (longest ? 2 : 1.002L);
    EXPECT_LE(std::abs(roots[k].real - exact.real()), unit * std::abs(exact.real())) << k;
    EXPECT_LE(std::abs(roots[k].imaginary - exact.imag()), unit * std::abs(exact.imag())) << k;
  }
}

TEST(TwiddleTablesTest, RootsAreRoundedOnceAtEveryAngle) {
  for (std::uint64_t n = 1; n <= 64; ++n) {
    expect_all_roots<float>(n);
    expect_all_roots<double>(n);
    expect_all_roots<long double>(n);
  }
  for (const std::uint64_t n : {729, 1000, 1001, 1002, 1004, 1024, 15625, 30030}) {
    expect_all_roots<float>(n);
    expect_all_roots<double>(n);
  }
}

// The twiddles between two stages, of rows that are made in blocks and of shorter ones: rounded once, less 1 as well,
// twice if times a scale, and exact at quarter turns, whose products of two roots are not. Lanes hold the rows
// backwards.
template <class T>
void expect_stage_twiddles(std::size_t length, std::size_t rows, std::size_t step, std::uint64_t modulus,
                           std::int64_t targets) {
  SCOPED_TRACE(testing::Message() << length << " x " << rows << " of " << modulus << ", targets " << targets);
  const auto plain = backend::host::block_twiddles<T>(length, rows, step, {modulus}, 1, targets);
  const auto turned =
      backend::host::block_twiddles<T>(length, rows, step, {.modulus = modulus, .times_i = true}, 1, targets);
  constexpr long double scale = 0.3L;
  const auto scaled = backend::host::block_twiddles<T>(length, rows, step, {modulus}, scale, targets);
  std::vector<std::size_t> lanes(rows);
  for (std::size_t lane = 0; lane < rows; ++lane) lanes[lane] = rows - 1 - lane;
  const auto less_one = backend::host::lane_twiddles<T>(length, lanes, {modulus}, targets);
  const auto hermitian = backend::host::block_twiddles<T>(
      length, rows, step, {.modulus = modulus, .times_i = true, .hermitian = true}, 1, targets);
  const auto expect_near = [](T value, long double exact, int roundings = 1) {
    const long double rounding = std::numeric_limits<T>::epsilon() / 2 * 1.002L * roundings;
    EXPECT_LE(std::abs(value - exact), rounding * std::abs(exact) + 0x1p-63L);
    if (exact == 0) {
      EXPECT_EQ(value, 0);
    }
  };
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < length; ++k) {
      const std::complex<long double> root = plan::root_of_unity(row * step * k, modulus);
      const std::size_t at = 2 * (row * length + k);
      expect_near(plain[at], root.real());
      expect_near(plain[at + 1], root.imag());
      expect_near(scaled[at], scale * root.real(), 2);
      expect_near(scaled[at + 1], scale * root.imag(), 2);
      expect_near(turned[at], -root.imag());
      expect_near(turned[at + 1], root.real());
      const std::size_t lower = 2 * k <= length ? at : 2 * (row * length + length - k);
      EXPECT_EQ(hermitian[at], turned[lower]);
      EXPECT_EQ(hermitian[at + 1], lower == at ? turned[lower + 1] : -turned[lower + 1]);
      const std::complex<long double> of_lane = plan::root_of_unity(row * k, modulus);
      const std::size_t lane = rows - 1 - row;
      expect_near(less_one[2 * k * rows + lane], of_lane.real() - 1);
      expect_near(less_one[(2 * k + 1) * rows + lane], of_lane.imag());
    }
  }
}

TEST(TwiddleTablesTest, StageTwiddlesAreRoundedOnce) {
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0; targets &= targets - 1) {
    for (const auto& [length, rows] : {std::pair{6, 167}, {2, 3}, {64, 16}, {63, 5}, {324, 20}}) {
      const std::uint64_t modulus = std::uint64_t(length) * rows;
      expect_stage_twiddles<float>(length, rows, 1, modulus, targets);
      expect_stage_twiddles<double>(length, rows, 1, modulus, targets);
      expect_stage_twiddles<double>(length, rows, 16, 16 * modulus, targets);
    }
  }
}

TEST(ExactTablesTest, LeaveOthersAlone) {
  const auto has = [](const Convolution& convolution, std::uint64_t length, std::int64_t targets) {
    return backend::host::exact_tables(convolution, length, Direction::forward, targets).has_value();
  };
  const std::int64_t targets = backend::host::simd_targets();
  EXPECT_FALSE(has({Algorithm::bluestein, 17 * 64}, 251, targets));
  EXPECT_FALSE(has({Algorithm::bluestein, 12}, 5, targets));
  EXPECT_FALSE(has({Algorithm::rader, 786432}, 786433, targets));
}

// Fewer columns than a vector has lanes: the others' places hold roots as well, of the last column.
TEST(ColumnTwiddles, StayWithinTheRootsWhereLanesHaveNoColumn) {
  constexpr std::size_t columns = 5, lanes = 16;
  constexpr unsigned radix = 5;
  const auto roots = backend::host::all_roots<float>(columns * radix, backend::host::simd_targets());
  const auto table = backend::host::column_twiddles(roots, columns, radix, radix, lanes);
  ASSERT_EQ(table.size(), 2 * lanes * (radix - 1));
  for (unsigned k = 1; k < radix; ++k) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto& root = roots[std::min(lane, columns - 1) * k];
      EXPECT_EQ(table[2 * lanes * (k - 1) + lane], root.real) << k << ' ' << lane;
      EXPECT_EQ(table[2 * lanes * (k - 1) + lanes + lane], root.imaginary) << k << ' ' << lane;
    }
  }
}

template <class T>
void expect_parts(std::size_t columns, unsigned radix, const std::vector<std::size_t>& lane_columns) {
  constexpr std::size_t lanes = 8;
  constexpr T most = T{0.75} * std::numeric_limits<T>::epsilon();  // two roundings of a number below 1
  const std::int64_t targets = backend::host::simd_targets();
  const auto roots = backend::host::all_roots<T>(columns * radix, targets);
  const auto firsts = backend::host::first_column_twiddles(roots, columns, radix, lanes);
  const auto differences = backend::host::lane_twiddles<T>(radix, lane_columns, {.modulus = columns * radix}, targets);
  ASSERT_EQ(firsts.size(), (columns + lanes - 1) / lanes * (radix - 1) * 2);
  ASSERT_EQ(differences.size(), radix * lanes * 2);
  for (std::size_t vector = 0; vector * lanes < columns; ++vector) {
    for (unsigned k = 1; k < radix; ++k) {
      const T* const first = firsts.data() + 2 * (vector * (radix - 1) + k - 1);
      const std::complex<T> root(first[0], first[1]);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const T* const difference = differences.data() + 2 * k * lanes + lane;
        const std::complex<T> made = root + root * std::complex<T>(difference[0], difference[lanes]);
        const std::size_t column = std::min(vector * lanes, columns - lanes) + lane_columns[lane];
        const std::complex<long double> exact = plan::root_of_unity(column * k, columns * radix);
        EXPECT_NEAR(made.real(), static_cast<double>(exact.real()), most) << column << ' ' << k;
        EXPECT_NEAR(made.imag(), static_cast<double>(exact.imag()), most) << column << ' ' << k;
      }
    }
  }
}

// The last vector begins among the columns of the one before it where these are no whole vectors.
TEST(ColumnTwiddles, AreAsExactInTwoParts) {
  for (const std::vector<std::size_t>& lane_columns :
       {std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}, {0, 4, 1, 5, 2, 6, 3, 7}}) {
    for (const auto& [columns, radix] : {std::pair{2048, 16U}, {1500, 20U}, {1021, 5U}}) {
      expect_parts<double>(columns, radix, lane_columns);
      expect_parts<float>(columns, radix, lane_columns);
    }
  }
}

}  // namespace
}  // namespace twiddle::test
