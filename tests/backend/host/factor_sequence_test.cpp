// Sequences of factors in the host's scalars: their values, and who shares them.
#include "backend/host/factor_sequence.hpp"

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "backend/host/settings.hpp"
#include "support/factor_sequence.hpp"

namespace twiddle::test {
namespace {

using backend::host::factor_sequence;
using plan::Factor;

template <class T>
void expect_values(const Factor& factor) {
  const auto values = factor_sequence<T>(factor, backend::host::simd_targets());
  const Spectrum expected = test::factor_sequence(factor);
  ASSERT_EQ(values->size(), expected.size());
  long double largest = 0;
  for (const auto& value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_LE(std::abs(std::complex<long double>((*values)[k]) - expected[k]),
              largest * std::numeric_limits<T>::epsilon() * (sizeof(T) == sizeof(long double) ? 64 : 1))
        << k;
  }
}

TEST(FactorSequence, IsThatOfThePlan) {
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    for (const auto sequence :
         {Factor::Sequence::chirp, Factor::Sequence::chirp_spectrum, Factor::Sequence::half_spectrum_chirp,
          Factor::Sequence::half_spectrum, Factor::Sequence::quarter_points, Factor::Sequence::quarter_turn,
          Factor::Sequence::half_turn, Factor::Sequence::odd_half_turn, Factor::Sequence::half_spectrum_turn,
          Factor::Sequence::eighth_turns, Factor::Sequence::alternating_eighth_turns, Factor::Sequence::oblique,
          Factor::Sequence::diagonal}) {
      for (const auto& [length, padded] : {std::pair<std::uint64_t, std::uint64_t>{145, 240}, {10007, 15120}}) {
        Factor factor{sequence, length, length / 2 + 1, length, padded, direction, 1, {}};
        factor.first_weight = 0.75L;
        expect_values<float>(factor);
        expect_values<double>(factor);
        expect_values<long double>(factor);
      }
    }
  }
}

// By all that its values depend on, whatever the strides; for as long as somebody has it.
TEST(FactorSequence, IsShared) {
  const Factor factor{Factor::Sequence::chirp, 37, 37, 37, 73, Direction::forward, 5, {1, 0}};
  Factor elsewhere = factor;
  elsewhere.element_stride = 2;
  elsewhere.loop_strides = {3};
  Factor back = factor;
  back.direction = Direction::inverse;
  Factor weighted = factor;
  weighted.sequence = Factor::Sequence::quarter_turn;
  Factor unweighted = weighted;
  weighted.first_weight = 2;
  EXPECT_NE(factor_sequence<double>(weighted, backend::host::simd_targets())->front(),
            factor_sequence<double>(unweighted, backend::host::simd_targets())->front());
  auto one = factor_sequence<double>(factor, backend::host::simd_targets());
  auto other = factor_sequence<double>(elsewhere, backend::host::simd_targets());
  EXPECT_EQ(one, other);
  EXPECT_NE(one, factor_sequence<double>(back, backend::host::simd_targets()));
  const std::weak_ptr<const plan::LongVector<std::complex<double>>> gone = one;
  one.reset();
  other.reset();
  EXPECT_TRUE(gone.expired());
}

// Long ones are made by all threads of an arena, also where each of these asks for one.
TEST(FactorSequence, IsTheSameByAnyThreads) {
  const auto chirp_of = [](std::uint64_t length, Factor::Sequence sequence) {
    const Factor factor{sequence, length, length, length, 131072, Direction::forward, 1, {}};
    return *factor_sequence<double>(factor, backend::host::simd_targets());
  };
  for (const auto sequence : {Factor::Sequence::chirp, Factor::Sequence::chirp_spectrum}) {
    tbb::task_arena alone(1);
    tbb::task_arena two(2);
    const auto expected = alone.execute([&] { return chirp_of(50021, sequence); });
    EXPECT_EQ(two.execute([&] { return chirp_of(50021, sequence); }), expected);
    std::array<std::size_t, 12> sizes{};
    two.execute([&] {
      tbb::parallel_for(std::size_t{0}, sizes.size(),
                        [&](std::size_t i) { sizes[i] = chirp_of(40000 + i, sequence).size(); });
    });
    EXPECT_TRUE(std::ranges::all_of(sizes, [](std::size_t size) { return size >= 40000; }));
  }
}

}  // namespace
}  // namespace twiddle::test
