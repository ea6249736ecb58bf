// The search on a device: what it finds is right and used, and what is slower is not chosen.
#include "twiddle/tune.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "plan/choice/choice_table.hpp"
#include "support/device_test.hpp"
#include "support/sample.hpp"
#include "twiddle/convolution_plan.hpp"
#include "twiddle/convolution_text.hpp"
#include "twiddle/plan.hpp"
#include "verify/verify.hpp"

namespace twiddle {
namespace {

class Tune : public test::DeviceTest {
 protected:
  // Few ways, because on OpenCL each is a compilation; time enough for them on a machine that is busy with other tests.
  static TuneOptions short_options() { return {.seconds = 300, .candidates = 4}; }
};

TEST_F(Tune, TriesEveryCandidateOnceAndReportsThem) {
  TuneOptions options = short_options();
  std::size_t reports = 0;
  options.progress = [&](const TuneProgress& progress) {
    ++reports;
    EXPECT_LE(progress.tried, progress.of);
    EXPECT_EQ(progress.line, "360, rows, f32");
    EXPECT_GE(progress.speedup, 1);
  };
  const Tuning tuning = tune(device(), parse_problem("c2c:f32:16*360"), options);
  EXPECT_GE(tuning.tried, 4u);  // and refinements, where one of them is faster
  EXPECT_EQ(reports, tuning.tried);
  EXPECT_EQ(tuning.wrong, 0u);
  EXPECT_TRUE(tuning.complete);
  EXPECT_GT(tuning.before_milliseconds, 0);
  EXPECT_GE(tuning.speedup(), 1);
  EXPECT_EQ(tuning.choices != nullptr, tuning.speedup() > 1);
}

// A bad choice to begin with: the search leaves it behind.
TEST_F(Tune, FindsWhatIsFasterThanABadChoice) {
  plan::ChoiceTable bad;
  const bool host = device().info().backend == BackendKind::host;
  const plan::LineKey key{1024, plan::LineUse::rows, Precision::float32};
  bad.set(key, {0, {std::vector<unsigned>(10, 2), host ? 0U : 32U, host ? 0U : 1U}});
  const Device begun = device().with_choices(std::make_shared<const plan::ChoiceTable>(bad));
  const Problem problem = parse_problem("c2c:f32:256*1024");
  Tuning tuning = tune(begun, problem, short_options());
  // Where other programs take the cores meanwhile, times may not be certain enough to choose by.
  for (int repeated = 0; repeated < 5 && tuning.choices == nullptr; ++repeated) {
    tuning = tune(begun, problem, short_options());
  }
  ASSERT_NE(tuning.choices, nullptr);
  EXPECT_GT(tuning.speedup(), 1.03);
  const plan::LineChoice* found = tuning.choices->find(key);
  ASSERT_NE(found, nullptr);
  EXPECT_LT(found->stage.radices.size(), 10u);
  const Device tuned = device().with_choices(tuning.choices);
  EXPECT_NE(Plan(tuned, problem.transform).describe(), Plan(begun, problem.transform).describe());
  EXPECT_TRUE(verify::verify(tuned, problem, 1).within);
}

TEST_F(Tune, WorksInPlaceInHalfPrecisionAndBothWays) {
  for (const char* text :
       test::sampled_on_devices<const char*>({"r2c:f16:8*120:inplace", "c2c:f32:8*120:inplace", "c2r:f32:8*120"}, 3)) {
    const Tuning tuning = tune(device(), parse_problem(text), {.seconds = 300, .candidates = 2});
    EXPECT_GE(tuning.tried, 2u) << text;
    EXPECT_EQ(tuning.wrong, 0u) << text;
  }
}

// Bundles of columns, narrower than usual, on one side and on both.
TEST_F(Tune, LeavesColumnsRightHoweverManyAreTakenTogether) {
  if (device().info().backend != BackendKind::host) GTEST_SKIP() << "the host's bundles";
  for (const std::uint32_t bundle : {2U, 8U, 16U, 32U, 64U}) {
    plan::ChoiceTable table;
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      table.set({512, plan::LineUse::columns, precision}, {0, {{8, 8, 8}, 0, bundle}});
    }
    const Device tuned = device().with_choices(std::make_shared<const plan::ChoiceTable>(table));
    for (const char* text : {"c2c:f32:262144", "c2c:f64:262144:inplace", "c2c:f32:512x300:axes=0", "r2c:f32:524288"}) {
      EXPECT_TRUE(verify::verify(tuned, parse_problem(text), 1).within) << text << ", " << bundle;
    }
  }
}

TEST_F(Tune, StopsInTime) {
  const Tuning tuning = tune(device(), parse_problem("c2c:f32:1000"), {.seconds = 1e-9});
  EXPECT_EQ(tuning.tried, 0u);
  EXPECT_FALSE(tuning.complete);
  EXPECT_EQ(tuning.choices, nullptr);
}

TEST_F(Tune, TriesThePassesOfConvolutions) {
  const Tuning tuning = tune(device(), parse_problem("c2c:f32:101"), short_options());
  EXPECT_GT(tuning.tried, 0u);
  EXPECT_EQ(tuning.wrong, 0u);
}

TEST_F(Tune, HasNothingToTryForSinglePoints) {
  const Tuning tuning = tune(device(), parse_problem("c2c:f32:9*1"), short_options());
  EXPECT_EQ(tuning.tried, 0u);
  EXPECT_EQ(tuning.speedup(), 1);
}

// All shapes that are tried give the definition's results, also where the filters' spectra are many and maxima wanted.
TEST_F(Tune, TriesSegmentsOfBanks) {
  const bool host = device().info().backend == BackendKind::host;
  const std::size_t ways = host ? 6 : 2;  // others compile each of them
  for (const char* text :
       {"conv:complex:f32:20000:3*33:method=overlap-save", "conv:real:f64:9000:2*17:method=overlap-save",
        "conv:real:f32:20000:17*65:post=derivative:maximum:method=overlap-save"}) {
    const Convolution convolution = parse_convolution(text);
    if (!host && !convolution.post.maximum) continue;
    const Tuning tuning = tune(device(), convolution, {.seconds = 300, .candidates = ways});
    EXPECT_GE(tuning.tried, ways) << text;
    EXPECT_EQ(tuning.wrong, 0u) << text;
    EXPECT_EQ(tuning.refused, 0u) << text;
    EXPECT_TRUE(tuning.complete) << text;
  }
}

TEST_F(Tune, LeavesABadSegmentBehind) {
  const Convolution bank = parse_convolution("conv:complex:f32:50000:2*33:method=overlap-save");
  const bool host = device().info().backend == BackendKind::host;
  if (!host && !test::every_case()) GTEST_SKIP() << "in the long tests";
  plan::ChoiceTable bad;
  bad.set(plan::bank_key(bank), host ? plan::BankChoice{.segment = 96}
                                     : plan::BankChoice{.segment = 128, .radices = {2, 4, 4, 4}, .items = 16});
  const Device begun = device().with_choices(std::make_shared<const plan::ChoiceTable>(bad));
  const TuneOptions options{.seconds = 300, .candidates = host ? 4U : 2U};
  const auto segment_of = [&](const plan::ChoiceTable& choices) {
    const plan::BankChoice& choice = *choices.find(plan::bank_key(bank));
    return std::pair(choice.segment, choice.radices);
  };
  const auto is_better = [&](const Tuning& tuning) {
    return tuning.choices != nullptr && segment_of(*tuning.choices) != segment_of(bad);
  };
  Tuning tuning = tune(begun, bank, options);
  for (int repeated = 0; repeated < 5 && !is_better(tuning); ++repeated) tuning = tune(begun, bank, options);
  ASSERT_TRUE(is_better(tuning));  // on a busy machine not each time
  EXPECT_EQ(tuning.choices->size(), 1u);
  const Device tuned = device().with_choices(tuning.choices);
  EXPECT_NE(ConvolutionPlan(tuned, bank).describe(), ConvolutionPlan(begun, bank).describe());
}

TEST_F(Tune, HasNothingToTryForOtherMethods) {
  const Tuning tuning = tune(device(), parse_convolution("conv:real:f32:3000:3:method=direct"), short_options());
  EXPECT_EQ(tuning.tried, 0u);
  EXPECT_EQ(tuning.choices, nullptr);
}

}  // namespace
}  // namespace twiddle
