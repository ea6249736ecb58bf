// Short lines, those of a butterfly sorted in registers by the host, those of other primes summed: every length, alone,
// in whole tiles of lines and with some left over, by each SIMD target; and results stored past the cache.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/environment.hpp"
#include "support/sample.hpp"
#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"
#include "verify/verify.hpp"

namespace twiddle::test {
namespace {

// All to 32, some that take two passes when alone, and larger primes without a butterfly.
std::vector<std::size_t> lengths() {
  std::vector<std::size_t> result = {36,   40,   49,   60,   64,   72,   80,   84,   100, 108, 112, 120,  121,
                                     128,  144,  160,  182,  200,  208,  210,  225,  243, 250, 252, 256,  288,
                                     320,  360,  450,  500,  512,  600,  625,  640,  720, 864, 936, 1000, 1024,
                                     1080, 1250, 1600, 1728, 1920, 2048, 2500, 4096, 37,  97,  127};
  for (std::size_t length = 2; length <= 32; ++length) result.push_back(length);
  return result;
}

class ShortLines : public testing::TestWithParam<const char*> {
 protected:
  ShortLines() : variable_("TWIDDLE_SIMD", GetParam()), share_(share_of_target(GetParam())) {}

  void SetUp() override {
    try {
      device_ = Device::host();
    } catch (const InvalidArgument& error) {
      GTEST_SKIP() << error.what();
    }
  }

  // The problem, if it is in the target's share: the reference takes most of the time.
  void verify_its_share(const Problem& problem) {
    if (!share_.takes_next()) return;
    const verify::Outcome outcome = verify::verify(*device_, problem, problem.transform.lengths[0]);
    EXPECT_TRUE(outcome.within) << to_string(problem) << ": " << outcome.complaint;
  }

  ScopedVariable variable_;
  std::optional<Device> device_;
  Share share_;
};

// Lines of one butterfly have code of their own where nothing is scaled.
TEST_P(ShortLines, ScaledBothWays) {
  for (const Kind kind : {Kind::c2c, Kind::r2c}) {
    for (const std::size_t length : {8, 12, 20, 24, 30, 36, 40, 42, 48}) {
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
          for (const Normalization normalization : {Normalization::ortho, Normalization::none}) {
            for (const Precision precision : {Precision::float32, Precision::float64}) {
              const Problem problem{.transform = {.lengths = {length},
                                                  .normalization = normalization,
                                                  .kind = kind,
                                                  .precision = precision},
                                    .direction = direction,
                                    .placement = placement};
              verify_its_share(problem);
            }
          }
        }
      }
    }
  }
}

TEST_P(ShortLines, EveryLength) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const Kind kind : {Kind::c2c, Kind::r2c}) {
      for (const std::size_t length : lengths()) {
        for (const std::size_t batch : {1, 2, 37}) {
          for (const Direction direction : {Direction::forward, Direction::inverse}) {
            const Problem problem{
                .transform = {.lengths = {length}, .batch = batch, .kind = kind, .precision = precision},
                .direction = direction};
            verify_its_share(problem);
          }
        }
      }
    }
  }
}

// In place, rows of reals are padded to those of their spectra.
TEST_P(ShortLines, RealsInPlace) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    std::vector<std::size_t> some = {40, 42, 48, 56, 66, 70, 80, 96, 120, 126, 128, 200, 256};
    for (std::size_t length = 2; length <= 36; ++length) some.push_back(length);
    for (const std::size_t length : some) {
      for (const std::size_t batch : {37, 2, 1100}) {
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
          const Problem problem{
              .transform = {.lengths = {length}, .batch = batch, .kind = Kind::r2c, .precision = precision},
              .direction = direction,
              .placement = Placement::in_place};
          verify_its_share(problem);
        }
      }
    }
  }
}

// Rows of reals whose passes are one call are computed as each is alone, several at a time: 37 of them, and one and two
// more than whole blocks.
TEST_P(ShortLines, RealsAmongOthersAsAlone) {
  if (GetParam() != std::string("avx512") && GetParam() != std::string("avx2")) GTEST_SKIP() << "no such passes";
  for (const std::size_t length : {48, 56, 60, 80, 112, 128}) {
    const std::size_t numbers = length / 2 + 1;
    for (const std::size_t batch : {37, 2, 3, 4, 5, 6, 7, 8, 9}) {
      std::vector<double> reals(length * batch);
      for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = static_cast<double>(i % 17) + 0.1;
      std::vector<std::complex<double>> together(numbers * batch), apart(numbers * batch);
      std::vector<double> back_together(reals.size()), back_apart(reals.size());
      const Plan many(*device_,
                      {.lengths = {length}, .batch = batch, .kind = Kind::r2c, .precision = Precision::float64});
      const Plan one(*device_, {.lengths = {length}, .kind = Kind::r2c, .precision = Precision::float64});
      many.forward(std::span<const double>(reals), std::span(together));
      many.inverse(std::span<const std::complex<double>>(together), std::span(back_together));
      for (std::size_t line = 0; line < batch; ++line) {
        one.forward(std::span<const double>(reals).subspan(line * length, length),
                    std::span(apart).subspan(line * numbers, numbers));
        one.inverse(std::span<const std::complex<double>>(apart).subspan(line * numbers, numbers),
                    std::span(back_apart).subspan(line * length, length));
      }
      EXPECT_EQ(together, apart) << batch << " lines of " << length;
      EXPECT_EQ(back_together, back_apart) << batch << " lines of " << length << ", back";
    }
  }
}

// No such line is taken for one of adjacent elements, also where its stage has a single one behind a map.
TEST_P(ShortLines, GapsBetweenElements) {
  for (const Kind kind : {Kind::c2c, Kind::r2c}) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      for (std::size_t length = 1; length <= 9; ++length) {
        for (const auto& [input_stride, output_stride] : {std::pair{3, 1}, std::pair{1, 3}, std::pair{2, 2}}) {
          const Problem problem{.transform = {.lengths = {length},
                                              .kind = kind,
                                              .input = {.strides = {input_stride}},
                                              .output = {.strides = {output_stride}}},
                                .direction = direction};
          const verify::Outcome outcome = verify::verify(*device_, problem, length);
          EXPECT_TRUE(outcome.within) << to_string(problem) << ": " << outcome.complaint;
        }
      }
    }
  }
}

// Two passes meet where the results go if these begin with a cache line: they are the same elsewhere and in place, and
// nothing behind them is written.
template <class T>
void expect_the_same_bits_anywhere(const Device& device, std::size_t length) {
  constexpr std::size_t step = 64 / sizeof(std::complex<T>);  // of a cache line
  const Plan plan(device, {.lengths = {length}, .precision = sizeof(T) > 4 ? Precision::float64 : Precision::float32});
  std::vector<std::complex<T>> input(length);
  for (std::size_t i = 0; i < length; ++i) input[i] = {static_cast<T>(i % 19), static_cast<T>(i % 7) - T{1.1F}};
  std::vector<std::complex<T>> expected = input;
  plan.forward(std::span(expected));
  const std::complex<T> untouched{-7, 7};
  for (std::size_t offset = 0; offset < step; ++offset) {
    std::vector<std::complex<T>> memory(length + 8 * step, untouched);
    const std::span results(memory.data() + offset, length);
    plan.forward(std::span<const std::complex<T>>(input), results);
    EXPECT_TRUE(std::ranges::equal(results, expected)) << length << " points, " << offset << " on";
    EXPECT_EQ(std::ranges::count(memory, untouched), 8 * step) << length << " points, " << offset << " on";
  }
}

TEST_P(ShortLines, ResultsAnywhereAreTheSame) {
  for (const std::size_t length : {60, 200, 240, 256, 600, 800, 1000, 1024, 1200, 2048, 4096}) {
    expect_the_same_bits_anywhere<float>(*device_, length);
    expect_the_same_bits_anywhere<double>(*device_, length);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ShortLines, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& parameter) { return std::string(parameter.param); });

// More than the last cache holds, whether the results are aligned or not, gives the bits that few lines give: lines
// that end within a vector and such that do not, of one pass and of two, an odd number of them.
template <class T>
class ShortLinesPastTheCache : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(ShortLinesPastTheCache, Scalars);

TYPED_TEST(ShortLinesPastTheCache, SameBitsAsFewLines) {
  using Number = std::complex<TypeParam>;
  constexpr std::size_t few = 1009;
  constexpr std::size_t points = 3'000'000;
  constexpr Precision precision = sizeof(TypeParam) == sizeof(float) ? Precision::float32 : Precision::float64;
  for (const std::size_t length : sampled<std::size_t>({2, 3, 8, 13, 20, 25, 30, 36, 42, 49, 64, 120, 128, 256}, 3)) {
    std::vector<Number> input(length * few);
    for (std::size_t i = 0; i < input.size(); ++i) {
      input[i] = {static_cast<TypeParam>(i % 17), static_cast<TypeParam>(i % 23)};
    }
    std::vector<Number> expected(input.size());
    Plan(Device::host(), {.lengths = {length}, .batch = few, .precision = precision})
        .forward(std::span<const Number>(input), std::span(expected));

    const std::size_t many = few * (points / input.size() | 1);
    std::vector<Number> inputs(length * many);
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = input[i % input.size()];
    const Plan plan(Device::host(), {.lengths = {length}, .batch = many, .precision = precision});
    std::vector<Number> memory(inputs.size() + 8);
    for (const std::size_t offset : {0, 1}) {
      const auto aligned = (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64 / sizeof(Number);
      const std::span<Number> output = std::span(memory).subspan((aligned + offset) % 8, inputs.size());
      plan.forward(std::span<const Number>(inputs), output);
      for (std::size_t begin = 0; begin < inputs.size(); begin += input.size()) {
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), output.begin() + static_cast<std::ptrdiff_t>(begin)))
            << length << " points, elements from " << begin << " on, offset " << offset;
      }
    }
  }
}

// More rows of reals than the last cache holds, which go one after the other, in place, and past the cache in blocks.
TEST(ShortRealLinesPastTheCache, BothWays) {
  std::size_t problems = 0;
  for (const auto& [length, batch, precision] :
       {std::tuple{60, 41000, Precision::float64}, std::tuple{56, 44001, Precision::float64},
        std::tuple{70, 75001, Precision::float32}}) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
        if (!is_sampled(problems++, 5)) continue;
        const Problem problem{.transform = {.lengths = {static_cast<std::size_t>(length)},
                                            .batch = static_cast<std::size_t>(batch),
                                            .kind = Kind::r2c,
                                            .precision = precision},
                              .direction = direction,
                              .placement = placement};
        const verify::Outcome outcome = verify::verify(Device::host(), problem, 1);
        EXPECT_TRUE(outcome.within) << to_string(problem) << ": " << outcome.complaint;
      }
    }
  }
}

}  // namespace
}  // namespace twiddle::test
