// Constants chosen together: near the exact ones, and with little gain left in the butterfly.
#include "kernel/round_constants.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernel/every_radix.hpp"
#include "kernel/real_butterfly.hpp"
#include "kernel/schedule.hpp"

namespace twiddle::kernel {
namespace {

using Numbers = std::map<long double, long double>;

long double unit(Precision precision) { return precision == Precision::float64 ? 0x1p-53L : 0x1p-24L; }

// To the nearest.
Numbers nearest_constants(const ButterflyGraph& butterfly, Precision precision) {
  Numbers numbers = rounded_constants(butterfly, precision);
  for (auto& [constant, number] : numbers) {
    number = precision == Precision::float64 ? static_cast<double>(constant) : static_cast<float>(constant);
  }
  return numbers;
}

// Column n of the butterfly's matrix, by its statements.
std::vector<long double> column(const ButterflyGraph& butterfly, std::size_t n, const Numbers* numbers) {
  std::vector<long double> values(butterfly.graph.size());
  for (std::uint32_t index = 0; index < values.size(); ++index) {
    const Node& node = butterfly.graph[{index}];
    values[index] = node.operation == Operation::input && node.input == n ? 1 : 0;
  }
  for (const Statement& statement : fuse(butterfly)) {
    const long double a = values[statement.a.index];
    const long double b = statement.b ? values[statement.b->index] : 0;
    const long double factor =
        numbers != nullptr && statement.factor != 0 ? numbers->at(statement.factor) : statement.factor;
    long double& result = values[statement.result.index];
    switch (statement.instruction) {
      case Instruction::add:
        result = a + b;
        break;
      case Instruction::subtract:
        result = a - b;
        break;
      case Instruction::multiply:
        result = factor * a;
        break;
      case Instruction::negate:
        result = -a;
        break;
      case Instruction::multiply_add:
        result = factor * a + b;
        break;
      case Instruction::negative_multiply_add:
        result = b - factor * a;
        break;
      case Instruction::multiply_subtract:
        result = factor * a - b;
        break;
    }
  }
  std::vector<long double> outputs;
  for (const Value output : butterfly.outputs) outputs.push_back(values[output.index]);
  return outputs;
}

// What rounded constants leave of errors, in roundings: their part along the exact results, and the squares of all.
struct Errors {
  double gain = 0;
  double squares = 0;
};

Errors errors(const ButterflyGraph& butterfly, const Numbers& numbers, Precision precision) {
  long double along = 0, squares = 0, size = 0;
  for (std::size_t n = 0; n < butterfly.outputs.size(); ++n) {
    const auto exact = column(butterfly, n, nullptr);
    const auto rounded = column(butterfly, n, &numbers);
    for (std::size_t k = 0; k < exact.size(); ++k) {
      along += exact[k] * (rounded[k] - exact[k]);
      squares += (rounded[k] - exact[k]) * (rounded[k] - exact[k]);
      size += exact[k] * exact[k];
    }
  }
  const long double u = unit(precision);
  return {static_cast<double>(along / size / u), static_cast<double>(squares / size / (u * u))};
}

TEST(RoundedConstants, AreOneOfTheTwoNearestNumbers) {
  for (const unsigned radix : test::every_radix()) {
    const ButterflyGraph butterfly = extract_factors(butterfly_graph(radix, Direction::forward));
    for (const auto& [constant, number] : rounded_constants(butterfly, Precision::float32)) {
      const auto single = static_cast<float>(number);
      EXPECT_EQ(single, number);
      if (number == constant) continue;
      const float beyond = std::nextafter(single, number < constant ? 2.0F : -2.0F);
      EXPECT_TRUE(number < constant ? beyond > constant : beyond < constant) << radix;
    }
  }
}

TEST(RoundedConstants, LeaveLessThanEachToTheNearest) {
  for (const unsigned radix : {2U, 3U, 4U, 5U, 7U, 8U, 9U, 13U, 15U, 16U, 25U, 32U}) {
    const ButterflyGraph plain = butterfly_graph(radix, Direction::forward);
    for (const ButterflyGraph& butterfly :
         {plain, extract_factors(plain), real_butterfly_graph(radix, Direction::forward)}) {
      for (const Precision precision : {Precision::float32, Precision::float64}) {
        const auto cost = [&](const Numbers& numbers) {
          const Errors result = errors(butterfly, numbers, precision);
          return result.squares + 4 * result.gain * result.gain;
        };
        EXPECT_LE(cost(rounded_constants(butterfly, precision)),
                  cost(nearest_constants(butterfly, precision)) * (1 + 1e-6))
            << radix;
      }
    }
  }
}

// Gains add up over the passes of a line: powers of 5 had 0.27, those of 9 0.18 and 0.40.
TEST(RoundedConstants, HaveLittleGain) {
  const auto gain = [](unsigned radix, Precision precision) {
    const ButterflyGraph butterfly = extract_factors(butterfly_graph(radix, Direction::forward));
    return std::abs(errors(butterfly, rounded_constants(butterfly, precision), precision).gain);
  };
  for (const unsigned radix : {5U, 7U, 9U, 10U, 11U, 13U, 16U, 25U}) {
    EXPECT_LT(gain(radix, Precision::float32), 0.1) << radix;
    EXPECT_LT(gain(radix, Precision::float64), 0.12) << radix;
  }
}

}  // namespace
}  // namespace twiddle::kernel
