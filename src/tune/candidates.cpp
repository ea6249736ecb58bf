// Ordered factorizations of a length, work-groups for them, and divisions into columns and rows.
#include "tune/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "plan/choice/borrowed_choice.hpp"
#include "plan/lower/lower.hpp"
#include "plan/lower/stage.hpp"
#include "plan/recipe/choose_line.hpp"
#include "plan/recipe/host_division.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/vectors.hpp"

namespace twiddle::tuning {
namespace {

using plan::ChoiceTable;
using plan::LineChoice;
using plan::LineKey;
using plan::LineUse;

constexpr std::size_t most_sequences = 4000;  // of radices that are looked at
constexpr double preferred_group = 128;       // work-items
constexpr double vector_handicap = 0.3;       // vectors pay for few lines

struct Priced {
  LineChoice choice;
  double cost;
};

LineChoice in_one_stage(const std::vector<unsigned>& radices) {
  LineChoice choice;
  choice.stage.radices = radices;
  return choice;
}

LineChoice in_groups(const plan::ChipChoice& choice, std::uint32_t transforms) {
  LineChoice result = in_one_stage(choice.radices);
  result.stage.items = choice.items;
  result.stage.transforms = transforms;
  return result;
}

LineChoice in_vectors(LineChoice choice) {
  choice.stage.vector = plan::widest_vector;
  return choice;
}

// Lines that vectors were measured to pay for on an H200 (docs/cuda-shapes.md), in shapes that the model thinks little
// of. They are tried first on any device.
const ChoiceTable::Lines& leads() {
  static const ChoiceTable::Lines table{
      {{256, LineUse::rows, Precision::float32}, {0, {{8, 4, 8}, 16, 8, 0, false, 2}}},
      {{1000, LineUse::columns, Precision::float32}, {0, {{10, 10, 10}, 100, 8, 64, false, 2}}},
      {{1080, LineUse::columns, Precision::float32}, {0, {{9, 10, 12}, 120, 8, 64, false, 2}}},
      {{2160, LineUse::columns, Precision::float32}, {0, {{15, 12, 12}, 180, 4, 80, false, 2}}},
  };
  return table;
}

// All sequences of radices whose product is `remaining`, at most `passes` of them.
class Sequences {
 public:
  Sequences(std::uint64_t length, std::vector<unsigned> radices, std::size_t passes) : radices_(std::move(radices)) {
    extend(length, passes);
  }
  [[nodiscard]] const std::vector<std::vector<unsigned>>& found() const { return found_; }

 private:
  void extend(std::uint64_t remaining, std::size_t passes) {
    if (found_.size() == most_sequences) return;
    if (remaining == 1) {
      found_.push_back(begun_);
      return;
    }
    if (passes == 0 || std::pow(radices_.front(), passes) < static_cast<double>(remaining)) return;
    for (const unsigned radix : radices_) {
      if (remaining % radix != 0) continue;
      begun_.push_back(radix);
      extend(remaining / radix, passes - 1);
      begun_.pop_back();
    }
  }

  std::vector<unsigned> radices_;  // descending
  std::vector<unsigned> begun_;
  std::vector<std::vector<unsigned>> found_;
};

// Those with as few passes as the largest radices allow, or one more.
std::vector<std::vector<unsigned>> sequences(std::uint64_t length, const DeviceLimits& limits) {
  const bool host = limits.shape == DeviceLimits::Shape::owned;
  const unsigned largest = host ? plan::host_largest_prime : plan::elements_per_item(limits);
  std::vector<unsigned> radices;
  for (unsigned radix = largest; radix >= 2; --radix) {
    const bool possible = host ? plan::host_has_pass(radix, limits) : plan::has_butterfly(radix, limits);
    if (possible && length % radix == 0) radices.push_back(radix);
  }
  if (radices.empty()) return {};
  for (std::size_t passes = 1; passes <= 64; ++passes) {
    if (!Sequences(length, radices, passes).found().empty()) return Sequences(length, radices, passes + 1).found();
  }
  return {};
}

void add_host_choices(const LineKey& key, const DeviceLimits& limits, std::vector<Priced>& priced) {
  const auto line = plan::are_columns(key.use) ? plan::HostLine::strided : plan::HostLine::contiguous;
  if (plan::host_keeps_whole(key.length, key.use, limits)) {
    for (const std::vector<unsigned>& radices : sequences(key.length, limits)) {
      priced.push_back({in_one_stage(radices), plan::host_cost(radices, limits, line)});
    }
  }
  if (plan::host_holds(key.length, limits)) return;
  // Both parts in the second-level cache; nearly square first.
  for (std::uint64_t columns = 2; columns * 2 <= key.length; ++columns) {
    if (key.length % columns != 0 || !plan::host_holds(columns, limits) ||
        !plan::host_holds(key.length / columns, limits)) {
      continue;
    }
    const double imbalance = std::abs(
        std::log2(static_cast<double>(columns) * static_cast<double>(columns) / static_cast<double>(key.length)));
    LineChoice divided;
    divided.columns = columns;
    priced.push_back({std::move(divided), imbalance});
  }
}

void add_group_choices(const LineKey& key, const DeviceLimits& limits, std::vector<Priced>& priced) {
  const bool rows = !plan::are_columns(key.use);
  const std::uint32_t tile = plan::tile_width(limits);
  std::set<std::uint32_t> sides{1, 2, 4, 8};
  if (!rows) sides = {std::max(1U, tile / 2), tile, 2 * tile};
  for (const std::vector<unsigned>& radices : sequences(key.length, limits)) {
    for (const plan::ChipChoice& choice : plan::item_choices(radices, limits)) {
      for (const std::uint32_t transforms : sides) {
        // As many items as fill a few sub-groups; a nearly equal cost must not hide groups of another size.
        const double group = static_cast<double>(choice.items) * transforms;
        const double cost = choice.cost + 0.4 * std::abs(std::log2(group / preferred_group));
        priced.push_back({in_groups(choice, transforms), cost});
        priced.push_back({in_vectors(priced.back().choice), cost + vector_handicap});
      }
    }
  }
}

// `last` is the use of the last part of a line that is divided.
void collect(const plan::LineRecipe& line, LineUse use, LineUse last, const DeviceLimits& limits,
             std::vector<LineKey>& keys) {
  const auto add = [&](std::uint64_t length, LineUse as) {
    keys.push_back(plan::line_key(length, as, limits.arithmetic));
  };
  if (std::holds_alternative<plan::Stockham>(line.algorithm)) add(line.length, use);
  if (const auto* parts = std::get_if<plan::FourStep>(&line.algorithm)) {
    // Lines that the host holds are divided for its threads alone, whatever was tuned for one stage.
    if (limits.shape != DeviceLimits::Shape::owned || !plan::host_holds(line.length, limits)) add(line.length, use);
    collect(*parts->columns, LineUse::columns, LineUse::columns, limits, keys);
    const bool divided = std::holds_alternative<plan::FourStep>(parts->rows->algorithm);
    collect(*parts->rows, divided ? LineUse::columns : last, last, limits, keys);
  }
  if (const auto* convolved = std::get_if<plan::Convolved>(&line.algorithm)) {
    add(convolved->convolution.points, plan::convolved_use(plan::are_columns(use)));
  }
  if (const auto* bluestein = std::get_if<plan::Bluestein>(&line.algorithm)) {
    const LineUse middle = plan::keeps_middle_in_rows(use, limits) ? LineUse::rows : LineUse::columns;
    collect(*bluestein->padded, use, middle, limits, keys);
  }
}

}  // namespace

std::vector<plan::LineKey> tunable_lines(const plan::Recipe& recipe, const Transform& transform,
                                         const DeviceLimits& limits) {
  std::vector<LineKey> keys;
  for (const plan::Recipe::Axis& axis : recipe.axes) {
    collect(axis.line, plan::line_use(transform, axis.axis), LineUse::columns, limits, keys);
  }
  std::sort(keys.begin(), keys.end(), std::greater<>());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::erase_if(keys, [&](const LineKey& key) { return candidates(key, limits, 1).empty(); });
  return keys;
}

std::vector<plan::LineChoice> candidates(const plan::LineKey& key, const DeviceLimits& limits, std::size_t most) {
  std::vector<Priced> priced;
  if (limits.shape == DeviceLimits::Shape::owned) add_host_choices(key, limits, priced);
  if (limits.shape == DeviceLimits::Shape::on_chip) {
    add_group_choices(key, limits, priced);
    if (const auto lead = leads().find(key); lead != leads().end()) priced.push_back({lead->second, 0});
  }
  std::erase_if(priced, [&](const Priced& one) { return plan::objection(key, one.choice, limits).has_value(); });
  std::stable_sort(priced.begin(), priced.end(), [](const Priced& a, const Priced& b) { return a.cost < b.cost; });
  std::vector<LineChoice> choices;
  for (Priced& one : priced) {
    if (choices.size() == most) break;
    if (std::find(choices.begin(), choices.end(), one.choice) == choices.end())
      choices.push_back(std::move(one.choice));
  }
  return choices;
}

std::optional<plan::LineChoice> host_columns(const plan::LineKey& key, const DeviceLimits& limits) {
  if (key.use != LineUse::columns || !plan::host_holds(key.length, limits)) return std::nullopt;
  if (const LineChoice* tuned = plan::tuned_choice(key.length, key.use, limits)) return *tuned;
  if (const auto borrowed = plan::borrowed_choice(key, limits)) return borrowed;
  return in_one_stage(plan::host_radices(key.length, limits, plan::HostLine::strided));
}

bool takes_effect(const plan::LineKey& key, const plan::LineChoice& choice, const Problem& problem,
                  const DeviceLimits& limits) {
  if (choice.stage.vector <= 1) return true;
  const auto& [transform, direction, placement] = problem;
  const plan::Program program =
      plan::lower(plan::make_recipe(transform, limits), transform, direction, placement, limits);
  return std::any_of(program.stages.begin(), program.stages.end(), [&](const plan::Stage& stage) {
    return stage.length == key.length && stage.shape.vector == choice.stage.vector;
  });
}

std::vector<plan::LineChoice> refinements(const plan::LineKey& key, const plan::LineChoice& choice,
                                          const DeviceLimits& limits) {
  std::vector<LineChoice> choices;
  if (limits.shape == DeviceLimits::Shape::staged || choice.columns != 0) return choices;
  const auto consider = [&](const auto& change) {
    LineChoice changed = choice;
    change(changed.stage);
    if (changed != choice && !plan::objection(key, changed, limits)) choices.push_back(std::move(changed));
  };
  if (limits.shape == DeviceLimits::Shape::owned) {
    const auto bytes = static_cast<std::uint32_t>(2 * plan::scalar_bytes(key.arithmetic));
    for (const std::uint32_t bundle : {512U, 256U}) {
      if (key.use == LineUse::columns)
        consider([&](plan::MeasuredChoice& stage) { stage.transforms = bundle / bytes; });
    }
    return choices;
  }
  consider([](plan::MeasuredChoice& stage) { stage.split = !stage.split; });
  consider([](plan::MeasuredChoice& stage) { stage.vector = stage.vector == 1 ? plan::widest_vector : 1; });
  consider([](plan::MeasuredChoice& stage) { stage.transforms *= 2; });
  consider([](plan::MeasuredChoice& stage) { stage.transforms = std::max(1U, stage.transforms / 2); });
  for (const std::uint32_t registers : {64U, 80U, 96U, 128U}) {
    consider([&](plan::MeasuredChoice& stage) { stage.registers = registers; });
  }
  return choices;
}

}  // namespace twiddle::tuning
