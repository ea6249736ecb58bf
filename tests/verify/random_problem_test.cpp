// Random problems: valid, the same everywhere, and over all features.
#include "verify/random_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "plan/lower/view.hpp"

namespace twiddle::verify {
namespace {

TEST(RandomProblem, IsValidAndSurvivesTheGrammar) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Problem problem = random_problem(seed, {});
    const std::string text = to_string(problem);
    ASSERT_NO_THROW(validate(problem.transform)) << text;
    ASSERT_NO_THROW((void)plan::sides_of(problem.transform, problem.direction, problem.placement)) << text;
    EXPECT_EQ(parse_problem(text), problem) << text;
    EXPECT_LE(total_elements(problem.transform), Abilities{}.most_elements) << text;
  }
}

TEST(RandomProblem, IsTheSameForTheSameSeed) {
  EXPECT_EQ(random_problem(17, {}), random_problem(17, {}));
  std::size_t different = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    different += random_problem(seed, {}) != random_problem(seed + 1, {});
  EXPECT_GT(different, 95u);
}

TEST(RandomProblem, KeepsToWhatTheDeviceCanDo) {
  const Abilities single{.float16 = false, .float64 = false, .extended = false, .most_elements = 100};
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Problem problem = random_problem(seed, single);
    EXPECT_EQ(problem.transform.precision, Precision::float32);
    EXPECT_LE(total_elements(problem.transform), 100u);
  }
}

using Feature = std::function<bool(const Problem&)>;

bool either(const Problem& problem, const std::function<bool(const Layout&)>& holds) {
  return holds(problem.transform.input) || holds(problem.transform.output);
}

std::map<std::string, Feature> all_features() {
  std::map<std::string, Feature> features{
      {"inverse", [](const Problem& p) { return p.direction == Direction::inverse; }},
      {"in place", [](const Problem& p) { return p.placement == Placement::in_place; }},
      {"rank 5 to 8", [](const Problem& p) { return p.transform.lengths.size() >= 5; }},
      {"length 1", [](const Problem& p) { return std::ranges::count(p.transform.lengths, 1u) > 0; }},
      {"prime above 1000",
       [](const Problem& p) {
         return std::ranges::any_of(p.transform.lengths, [](std::size_t n) {
           for (std::size_t factor = 2; factor * factor <= n; ++factor) {
             if (n % factor == 0) return false;
           }
           return n > 1000;
         });
       }},
      {"batch", [](const Problem& p) { return p.transform.batch > 1; }},
      {"some axes", [](const Problem& p) { return !p.transform.axes.empty(); }},
      {"factor", [](const Problem& p) { return p.transform.forward_factor != 1 || p.transform.inverse_factor != 1; }},
      {"input extents", [](const Problem& p) { return !p.transform.input_extents.empty(); }},
      {"output extents", [](const Problem& p) { return !p.transform.output_extents.empty(); }},
      {"load hook", [](const Problem& p) { return p.transform.load_hook != nullptr; }},
      {"store hook", [](const Problem& p) { return p.transform.store_hook != nullptr; }},
      {"overwrite", [](const Problem& p) { return p.transform.overwrite_input; }},
      {"strides", [](const Problem& p) { return either(p, [](const Layout& l) { return !l.strides.empty(); }); }},
      {"negative stride",
       [](const Problem& p) {
         return either(p, [](const Layout& l) { return std::ranges::any_of(l.strides, [](auto s) { return s < 0; }); });
       }},
      {"broadcast", [](const Problem& p) { return either(p, [](const Layout& l) { return l.batch_stride == 0; }); }},
      {"offset", [](const Problem& p) { return either(p, [](const Layout& l) { return l.offset > 0; }); }},
      {"planar",
       [](const Problem& p) { return either(p, [](const Layout& l) { return l.format == Layout::Format::planar; }); }},
      {"planar, imaginary parts first",
       [](const Problem& p) { return either(p, [](const Layout& l) { return l.imaginary_offset.value_or(0) < 0; }); }},
  };
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                          Kind::dst3, Kind::dst4, Kind::dht}) {
    features.emplace(to_string(kind), [kind](const Problem& p) { return p.transform.kind == kind; });
  }
  for (const Precision precision : {Precision::float16, Precision::float32, Precision::float64, Precision::extended}) {
    features.emplace(to_string(precision),
                     [precision](const Problem& p) { return p.transform.precision == precision; });
  }
  for (const Normalization norm :
       {Normalization::backward, Normalization::ortho, Normalization::forward, Normalization::none}) {
    features.emplace(to_string(norm), [norm](const Problem& p) { return p.transform.normalization == norm; });
  }
  return features;
}

TEST(RandomProblem, ReachesEveryFeature) {
  const auto features = all_features();
  std::map<std::string, std::size_t> counts;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const Problem problem = random_problem(seed, {});
    for (const auto& [name, holds] : features) counts[name] += holds(problem);
  }
  for (const auto& [name, holds] : features) EXPECT_GE(counts[name], 100u) << name;
}

}  // namespace
}  // namespace twiddle::verify
