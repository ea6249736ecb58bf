// Scaling tuned choices to lengths next to theirs.
#include "plan/choice/borrowed_choice.hpp"

#include <algorithm>
#include <cmath>

#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::plan {
namespace {

bool on_host(const DeviceLimits& limits) { return limits.shape == DeviceLimits::Shape::owned; }

// What the model thinks of a choice beside the best that it knows for the length; nothing where it knows none.
std::optional<double> model_ratio(const LineKey& key, const MeasuredChoice& stage, const DeviceLimits& limits) {
  if (on_host(limits)) {
    const HostLine line = key.use == LineUse::columns ? HostLine::strided : HostLine::contiguous;
    const std::vector<unsigned> best = host_radices(key.length, limits, line);
    if (best.empty() || !host_holds(key.length, limits)) return std::nullopt;
    return host_cost(stage.radices, limits, line) / host_cost(best, limits, line);
  }
  const std::optional<ChipChoice> best = choose_radices(key.length, 1, limits);
  if (!best) return std::nullopt;
  for (const ChipChoice& choice : item_choices(stage.radices, limits)) {
    if (choice.items == stage.items) return choice.cost / best->cost;
  }
  return std::nullopt;
}

// The choice with radix `index` changed so that the length becomes `to`.
std::optional<LineChoice> scaled(const LineKey& from, const LineKey& to, const LineChoice& tuned, std::size_t index) {
  LineChoice choice = tuned;
  unsigned& radix = choice.stage.radices[index];
  const bool longer = to.length > from.length;
  if (!longer && (radix % 2 != 0 || radix == 2)) return std::nullopt;
  radix = longer ? radix * 2 : radix / 2;
  std::uint32_t& items = choice.stage.items;
  if (!longer && items % 2 != 0) return std::nullopt;
  items = longer ? items * 2 : items / 2;
  // Groups of rows stay as large; tiles of columns stay as wide.
  std::uint32_t& transforms = choice.stage.transforms;
  if (to.use != LineUse::columns && transforms != 0) {
    transforms = longer ? std::max(1U, transforms / 2) : transforms * 2;
  }
  return choice;
}

std::optional<LineChoice> borrow_from(const LineKey& from, const LineKey& key, const DeviceLimits& limits) {
  const LineChoice* tuned = limits.choices->find(from);
  if (tuned == nullptr || tuned->columns != 0 || objection(from, *tuned, limits)) return std::nullopt;
  const std::optional<double> accepted = model_ratio(from, tuned->stage, limits);
  if (!accepted) return std::nullopt;
  std::optional<LineChoice> best;
  double best_ratio = *accepted * borrowing_agreement;
  for (std::size_t i = 0; i < tuned->stage.radices.size(); ++i) {
    const std::optional<LineChoice> choice = scaled(from, key, *tuned, i);
    if (!choice || objection(key, *choice, limits)) continue;
    const std::optional<double> ratio = model_ratio(key, choice->stage, limits);
    if (!ratio || *ratio > best_ratio) continue;
    best = choice;
    best_ratio = *ratio;
  }
  return best;
}

}  // namespace

std::optional<LineChoice> borrowed_choice(const LineKey& key, const DeviceLimits& limits) {
  if (!limits.choices || limits.shape == DeviceLimits::Shape::staged || key.length < 4 || are_convolved(key.use)) {
    return std::nullopt;
  }
  if (key.length % 2 == 0) {
    if (auto choice = borrow_from({key.length / 2, key.use, key.arithmetic}, key, limits)) return choice;
  }
  return borrow_from({key.length * 2, key.use, key.arithmetic}, key, limits);
}

}  // namespace twiddle::plan
