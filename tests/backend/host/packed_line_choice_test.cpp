// Short lines alone: by vectors of which width.
#include "backend/host/packed_line_choice.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "plan/recipe/host_vectors.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {
namespace {

using backend::host::PackedLineChoice;

// For the vectors of this machine.
template <class T>
PackedLineChoice choice(const std::string& text) {
  const backend::host::WorkerOptions options{.targets = backend::host::simd_targets()};
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = backend::host::vector_lanes<float>(options.targets);
  const plan::Stage stage = backend::host::in_scalars(program_of(text, limits).stages.at(0));
  const auto chosen = backend::host::choose_packed_line<T>(stage, *backend::host::contiguous_line(stage), options);
  EXPECT_TRUE(chosen.has_value()) << text;
  return chosen.value_or(PackedLineChoice{});
}

TEST(PackedLineChoiceTest, ComplexFloatsThatFillHalfOfLongVectorsAreInHalves) {
  const std::int64_t targets = backend::host::simd_targets();
  if (backend::host::vector_lanes<float>(targets) * sizeof(float) != plan::long_vector_bytes) {
    GTEST_SKIP() << "vectors of 64 bytes alone";
  }
  for (const int length : {16, 20, 24, 32, 33}) {
    const PackedLineChoice chosen = choice<float>("c2c:f32:" + std::to_string(length));
    EXPECT_EQ(chosen.targets, backend::host::without_widest(targets)) << length;
  }
  for (const int length : {8, 12, 15, 25, 36, 64}) {
    EXPECT_EQ(choice<float>("c2c:f32:" + std::to_string(length)).targets, targets) << length;
  }
  EXPECT_EQ(choice<double>("c2c:f64:24").targets, targets);
  EXPECT_EQ(choice<float>("r2c:f32:48").targets, targets);
}

// The larger one first where results are whole cache lines so.
TEST(PackedLineChoiceTest, RadicesAre36And40Too) {
  const std::int64_t targets = backend::host::simd_targets();
  if (backend::host::vector_lanes<float>(targets) * sizeof(float) != plan::long_vector_bytes) {
    GTEST_SKIP() << "vectors of 64 bytes alone";
  }
  const auto radices = [](const PackedLineChoice& chosen) {
    return std::pair(chosen.radices.first, chosen.radices.last);
  };
  EXPECT_EQ(radices(choice<float>("c2c:f32:1000")), std::pair(40u, 25u));
  EXPECT_EQ(radices(choice<float>("c2c:f32:320")), std::pair(40u, 8u));
  EXPECT_EQ(radices(choice<float>("c2c:f32:936")), std::pair(26u, 36u));
  EXPECT_EQ(radices(choice<double>("c2c:f64:600")), std::pair(20u, 30u));
  EXPECT_EQ(radices(choice<float>("r2c:f32:1600")), std::pair(40u, 20u));
}

}  // namespace
}  // namespace twiddle::test
