// Random problems under random strategies, lowered for all named limits and executed on no device: whatever is not
// refused computes what the definition says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "support/lowered_problem.hpp"
#include "support/random_strategy.hpp"
#include "twiddle/error.hpp"
#include "verify/random_problem.hpp"

namespace twiddle::test {
namespace {

TEST(StrategyRandom, ComputesTheDefinition) {
  constexpr std::uint64_t tried = 1500;
  std::uint64_t computed = 0;
  const std::vector<std::string> names = plan::limit_names();
  for (std::uint64_t seed = 1; seed <= tried; ++seed) {
    DeviceLimits limits = plan::named_limits(names[seed % names.size()]);
    const bool owned = limits.shape == DeviceLimits::Shape::owned;
    limits.strategy = random_strategy(seed, !owned);
    const Problem problem = verify::random_problem(seed, {.extended = owned, .most_elements = 1 << 10});
    SCOPED_TRACE(fmt::format("seed {}: {}, {}, strategy {}", seed, to_string(problem), names[seed % names.size()],
                             describe(limits.strategy)));
    try {
      check_lowering(problem, limits, seed);
      ++computed;
    } catch (const Unsupported& refusal) {
      EXPECT_GT(std::string(refusal.what()).size(), 30U);  // says why
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GT(computed, tried / 2);
}

}  // namespace
}  // namespace twiddle::test
