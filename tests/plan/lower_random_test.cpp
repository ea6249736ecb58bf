// Lowering of problems over all features together, checked by executing the stages on no device: for every named set of
// limits they compute what the definitions say, write nothing else and keep the rules that engines rely on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/limits.hpp"
#include "support/lowered_problem.hpp"
#include "verify/random_problem.hpp"

namespace twiddle::test {
namespace {

class LowerRandom : public testing::TestWithParam<std::string> {};

TEST_P(LowerRandom, ComputesTheDefinition) {
  const DeviceLimits limits = plan::named_limits(GetParam());
  const bool owned = limits.shape == DeviceLimits::Shape::owned;
  const verify::Abilities abilities{.extended = owned, .most_elements = 1 << 12};
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Problem problem = verify::random_problem(seed, abilities);
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, to_string(problem)));
    try {
      check_lowering(problem, limits, seed);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, LowerRandom, testing::ValuesIn(plan::limit_names()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace twiddle::test
