// Plans and looks.
#include "support/scratch_sizes.hpp"

#include <algorithm>
#include <cstdint>

#include "plan/lower/lower.hpp"
#include "plan/lower/view.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

ScratchSizes scratch_sizes(const std::string& text, const DeviceLimits& limits) {
  const auto [transform, direction, placement] = parse_problem(text);
  const plan::Recipe recipe = plan::make_recipe(transform, limits);
  const plan::Program program = plan::lower(recipe, transform, direction, placement, limits);
  const plan::Sides sides = plan::sides_of(transform, direction, placement);
  const std::uint64_t data = std::max(plan::memory_bytes(sides.read), plan::memory_bytes(sides.written));
  const bool bluestein = std::ranges::any_of(recipe.axes, [](const plan::Recipe::Axis& axis) {
    return plan::to_string(axis).find("Bluestein [") != std::string::npos;
  });
  return {static_cast<double>((data + 63) / 64 * 64), static_cast<double>(program.scratch_bytes), program.turns.size(),
          bluestein, program.stages.size()};
}

}  // namespace twiddle::test
