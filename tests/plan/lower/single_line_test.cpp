// Which single lines of reals are transformed by half of their points.
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>

#include "plan/device/limits.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"

namespace twiddle::test {
namespace {

// Two lines of reals are one complex line of all points; on the host one alone takes half of them, in one stage still,
// where that pays.
TEST(SingleLine, OfRealsTakesHalfOfThePointsOnTheHost) {
  const DeviceLimits limits = plan::named_limits("host");
  const auto form_and_points = [&](const char* text) {
    const plan::Recipe recipe = plan::make_recipe(parse_problem(text).transform, limits);
    return std::pair(recipe.axes.front().form, recipe.axes.front().line.length);
  };
  using Expected = std::pair<plan::LineForm, std::size_t>;
  for (const auto& [text, points] : {std::pair{"dct1:f32:65", 64},
                                     {"dst1:f64:511", 512},
                                     {"dht:f32:64", 32},
                                     {"dct2:f64:1024", 512},
                                     {"dct2:f64:34", 17},
                                     {"dct3:f32:62", 31},
                                     {"dht:f64:36", 18},
                                     {"dst3:f32:64", 32},
                                     {"dct2:f32:15*1024", 512},  // rows, whose maps go by vectors
                                     {"dct2:f64:5*36", 18},
                                     {"dht:f32:2x128", 64}}) {
    EXPECT_EQ(form_and_points(text), Expected(plan::LineForm::halved, points)) << text;
  }
  for (const auto& [text, points] : {std::pair{"dct1:f32:33", 64},
                                     {"dht:f32:6*64", 64},
                                     {"dct2:f64:32", 32},  // a product with a matrix
                                     {"dht:f32:32", 32},
                                     {"dct3:f32:128:nonzero=72", 128},  // whose maps have tables
                                     {"dct2:f64:1001", 1001},
                                     {"dct3:f16:1024", 1024},  // for the floats between its map and its stage
                                     {"dct1:f32:2*1025", 2048},
                                     {"dct2:f16:2*1024", 1024},
                                     {"dct2:f32:2*1024:in=2/batch=4096", 1024},
                                     {"dct2:f32:16x1024", 1024}}) {
    EXPECT_EQ(form_and_points(text), Expected(plan::LineForm::whole, points)) << text;
  }
  for (const char* text : {"dct1:f32:65", "dst1:f64:63", "dht:f32:64", "dct2:f64:256", "dst2:f32:256:inverse"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits, 3);
  }
}

}  // namespace
}  // namespace twiddle::test
