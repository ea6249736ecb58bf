// Which lines a group stores as one run.
#include "plan/shape/store_together.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"

namespace twiddle::plan {
namespace {

using test::first_stage;
using ::testing::HasSubstr;

bool stores_together(const char* text, const DeviceLimits& limits = named_limits("nvidia-cuda")) {
  return first_stage(text, limits).shape.stores_together;
}

TEST(StoreTogether, IsDoneForMeasuredLines) {
  for (const char* text : {"c2c:f32:1118481*60:inplace", "c2c:f32:818400*82", "c2c:f32:554618*121:inverse",
                           "c2c:f64:277309*121:inplace", "c2c:f64:198546*169", "c2c:f32:1000x60:axes=1",
                           "c2c:f32:528416*127:inplace", "c2c:f64:550072*61:inverse", "c2c:f64:264208*127"}) {
    EXPECT_TRUE(stores_together(text)) << text;
  }
  EXPECT_THAT(to_string(first_stage("c2c:f32:1000*60")), HasSubstr("results stored as one run"));
}

// Other lengths, precisions and uses, gaps between lines, and what else happens to elements.
TEST(StoreTogether, IsNotDoneForOthers) {
  for (const char* text : {"c2c:f32:691843*97", "r2c:f64:550072*61", "c2c:f64:133682*251", "c2c:f32:1118481*64",
                           "c2c:f32:671088*100", "c2c:f32:397093*169", "r2c:f32:1118481*120", "c2c:f32:60x1000:axes=0",
                           "c2c:f64:1000*60", "c2c:f32:1000*60:in=1/batch=61", "c2c:f32:1000*60:nonzero=50",
                           "c2c:f32:1000*60:store=power", "c2c:f32:1000*60:out=planar", "c2c:f16:1000*60"}) {
    EXPECT_FALSE(stores_together(text)) << text;
  }
  EXPECT_TRUE(stores_together("c2c:f32:1000*60", named_limits("nvidia-opencl")));
  EXPECT_FALSE(stores_together("c2c:f32:1000*60", named_limits("small")));
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.strategy.vector = 1;
  EXPECT_FALSE(stores_together("c2c:f32:1000*60", limits));
}

TEST(StoreTogether, IsNotDoneWhereTheLineWasTuned) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  ChoiceTable choices;
  choices.set(line_key(60, LineUse::rows, Precision::float32), {.stage = {{6, 10}, 10, 4}});
  limits.choices = std::make_shared<const ChoiceTable>(choices);
  EXPECT_FALSE(stores_together("c2c:f32:1000*60", limits));
  EXPECT_TRUE(stores_together("c2c:f64:1000*121", limits));
}

}  // namespace
}  // namespace twiddle::plan
