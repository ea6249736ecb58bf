// Passes of a stage kernel in whose order of points some need no twiddles.
#include "kernel/point_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include "kernel/stage_layout.hpp"
#include "plan/numbers/tables.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::kernel {
namespace {

using Values = std::vector<std::complex<long double>>;

plan::Stage rader_stage(const std::vector<unsigned>& radices) {
  plan::Stage stage;
  stage.precision = Precision::float64;
  stage.radices = radices;
  stage.length = plan::product(radices) + 1;
  stage.convolution = plan::Convolution{plan::Convolution::Algorithm::rader, stage.length - 1};
  stage.shape.exchange = plan::KernelShape::Exchange::complex;
  stage.shape.load = stage.shape.store = plan::KernelShape::Lanes::transforms;
  return stage;
}

std::span<const Pass> there(const StageLayout& layout) { return std::span(layout.passes).first(layout.turn); }

// As stage_layout.hpp says.
Values carried_out(const StageLayout& layout, Values values) {
  const std::size_t points = values.size();
  for (const Pass& pass : there(layout)) {
    Values outputs(points);
    for (std::size_t b = 0; b < pass.butterflies; ++b) {
      const std::size_t q = b % pass.before;
      const std::size_t p = b / pass.before;
      for (std::size_t j = 0; j < pass.radix; ++j) {
        std::complex<long double> sum = 0;
        for (std::size_t k = 0; k < pass.radix; ++k) {
          sum += values[b + k * pass.butterflies] * plan::root_of_unity(j * k % pass.radix, pass.radix);
        }
        if (pass.has_twiddles() && j > 0) sum *= layout.tables.constants[pass.constants + (j - 1) * pass.groups + p];
        outputs[q + pass.before * (pass.radix * p + j)] = sum;
      }
    }
    values = outputs;
  }
  return values;
}

void expect_transform(const std::vector<unsigned>& radices, const std::vector<bool>& twiddles) {
  const StageLayout layout = lay_out(rader_stage(radices), 1);
  const std::size_t points = plan::product(radices);
  std::vector<bool> has(radices.size());
  std::transform(there(layout).begin(), there(layout).end(), has.begin(), std::mem_fn(&Pass::has_twiddles));
  EXPECT_EQ(has, twiddles) << radices.front();
  Values x(points);
  for (std::size_t n = 0; n < points; ++n) x[n] = {std::sin(1.0L + n * n), std::cos(2.0L * n)};
  const PointOrder order = point_order(there(layout));
  Values values(points);
  for (std::size_t n = 0; n < points; ++n) values[n] = x[order.elements[n]];
  values = carried_out(layout, values);
  for (std::size_t i = 0; i < points; ++i) {
    std::complex<long double> expected = 0;
    for (std::size_t n = 0; n < points; ++n) {
      expected += x[n] * plan::root_of_unity(n * order.frequencies[i] % points, points);
    }
    EXPECT_LT(std::abs(values[i] - expected), 1e-14L) << radices.front() << ", " << i;
  }
}

TEST(PointOrder, NeedsTwiddlesWherePassesShareAFactorWithLaterOnes) {
  expect_transform({4, 15}, {false, false});
  expect_transform({9, 16, 7}, {false, false, false});
  expect_transform({10, 6}, {true, false});
  expect_transform({10, 6, 7}, {true, false, false});
  expect_transform({7, 4, 6}, {false, true, false});
}

TEST(PointOrder, IsTheirOwnWherePassesDoNotGoBackByMirrorImages) {
  plan::Stage stage = rader_stage({4, 7, 4});
  stage.shape.same_way_back = true;
  const StageLayout layout = lay_out(stage, 1);
  EXPECT_TRUE(layout.passes[1].has_twiddles());
  const PointOrder order = point_order(there(layout));
  EXPECT_TRUE(std::ranges::is_sorted(order.elements));
  EXPECT_TRUE(std::ranges::is_sorted(order.frequencies));
}

}  // namespace
}  // namespace twiddle::kernel
