// Axes sorted by how much they leave of their lines.
#include "plan/lower/axis_order.hpp"

#include <algorithm>

#include "plan/lower/leaves.hpp"

namespace twiddle::plan {
namespace {

// Of elements along an axis, those wanted for each one that is there.
struct Growth {
  std::uint64_t read;
  std::uint64_t written;
  bool operator<(const Growth& other) const { return written * other.read < other.written * read; }
};

// Whether the real axis of r2c has one point, and another one has more.
bool is_passed_over(const Recipe& recipe, const Transform& transform) {
  return transform.lengths[recipe.axes.front().axis] == 1 &&
         std::ranges::any_of(recipe.axes, [](const Recipe::Axis& axis) { return axis.line.length > 1; });
}

}  // namespace

std::vector<const Recipe::Axis*> ordered_axes(const Recipe& recipe, const Transform& transform, Direction direction,
                                              const Sides& sides) {
  const bool real_first = transform.kind == Kind::r2c && direction == Direction::forward;
  const bool real_last = transform.kind == Kind::r2c && direction == Direction::inverse;
  const Recipe::Axis* const real = transform.kind == Kind::r2c ? &recipe.axes.front() : nullptr;
  const bool passed_over = real != nullptr && is_passed_over(recipe, transform);
  std::vector<const Recipe::Axis*> axes;
  for (const Recipe::Axis& axis : recipe.axes) {
    if (&axis == real && (real_last || passed_over)) continue;
    if (!real_last || axis.line.length > 1) axes.push_back(&axis);
  }
  // Real parts are left along rows, which is faster than along columns.
  if (real_last && passed_over) std::ranges::reverse(axes);
  const auto growth = [&](const Recipe::Axis* axis) {
    return Growth{sides.read.extents[axis->axis + 1], sides.written.extents[axis->axis + 1]};
  };
  std::stable_sort(axes.begin() + (real_first && !passed_over ? 1 : 0), axes.end(),
                   [&](const Recipe::Axis* a, const Recipe::Axis* b) { return growth(a) < growth(b); });
  if (!real_last) return axes;
  const auto moving = std::ranges::find_if(axes, [](const Recipe::Axis* axis) { return has_two_parts(axis->line); });
  const bool alike = axes.empty() || !(growth(axes.front()) < growth(axes.back()));
  if (alike && moving != axes.end()) std::rotate(axes.begin(), moving, moving + 1);
  if (!passed_over) axes.push_back(real);
  return axes;
}

}  // namespace twiddle::plan
