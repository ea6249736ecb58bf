// In which order convolution plans submit what they do with filters and signals, and what they say of it. On no device.
#include <gtest/gtest.h>

#include <vector>

#include "plan/device/limits.hpp"
#include "run/recording_engine.hpp"
#include "twiddle/convolution_plan.hpp"

namespace twiddle {
namespace {

struct Operands {
  explicit Operands(const ConvolutionPlan& plan)
      : filters(plan.device(), plan.filter_bytes()),
        signal(plan.device(), plan.signal_bytes()),
        output(plan.device(), plan.output_bytes()) {}
  Buffer filters, signal, output;
};

std::vector<bool> follow_filters(const test::RecordingEngine& engine) {
  std::vector<bool> all;
  for (const auto& run : engine.runs) all.push_back(run.operands.follows_filters);
  return all;
}

Convolution convolution() {
  return {.signal_lengths = {5000},
          .kernel_lengths = {65},
          .filters = 3,
          .complex = true,
          .method = Convolution::Method::overlap_save};
}

TEST(BankConvolver, SaysWhichSegmentsFollowTheirFilters) {
  const auto engine = std::make_shared<test::RecordingEngine>(plan::named_limits("nvidia-cuda"));
  ConvolutionPlan plan(Device(engine), convolution());
  Operands operands(plan);
  plan.execute_with_filters(operands.filters, operands.signal, operands.output);
  ASSERT_EQ(engine->runs.size(), 2U);
  EXPECT_EQ(engine->runs[0].operands.input, &operands.filters.memory());
  EXPECT_EQ(engine->runs[1].operands.input, &operands.signal.memory());
  EXPECT_EQ(engine->runs[1].operands.output, &operands.output.memory());
  plan.execute(operands.signal, operands.output);  // anything may have been submitted in between
  plan.set_filters(operands.filters);
  plan.execute(operands.signal, operands.output);
  EXPECT_EQ(follow_filters(*engine), (std::vector<bool>{false, true, false, false, false}));
}

// What is made of results comes after the segments.
TEST(BankConvolver, SaysSoOfNothingElse) {
  const auto engine = std::make_shared<test::RecordingEngine>(plan::named_limits("nvidia-cuda"));
  Convolution asked{.signal_lengths = {50, 60}, .kernel_lengths = {3, 3}, .method = Convolution::Method::direct};
  asked.post.function = PostProcessing::Function::derivative;
  ConvolutionPlan plan(Device(engine), asked);
  Operands operands(plan);
  plan.execute_with_filters(operands.filters, operands.signal, operands.output);
  const std::vector<bool> all = follow_filters(*engine);
  ASSERT_GE(all.size(), 2U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i == 1) << i;
}

TEST(BankConvolver, RefusesOperandsThatOverlap) {
  const auto engine = std::make_shared<test::RecordingEngine>(plan::named_limits("nvidia-cuda"));
  Convolution asked = convolution();
  asked.filters = 1;
  asked.kernel_lengths = asked.signal_lengths;
  asked.mode = Convolution::Mode::same;
  ConvolutionPlan plan(Device(engine), asked);
  Operands operands(plan);
  EXPECT_THROW(plan.execute_with_filters(operands.filters, operands.output, operands.output), InvalidArgument);
  EXPECT_THROW(plan.execute_with_filters(operands.output, operands.signal, operands.output), InvalidArgument);
  EXPECT_TRUE(engine->runs.empty());
}

}  // namespace
}  // namespace twiddle
