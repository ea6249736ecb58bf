// Segments that are powers of two, all orders of their radices, and groups that share them out evenly.
#include "tune/bank_candidates.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "plan/choice/choice_table.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/convolution/convolution_recipe.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::tuning {
namespace {

using plan::BankChoice;

constexpr unsigned largest_radix = 32;
constexpr double further_of_length = 0.1;

struct PricedBank {
  BankChoice choice;
  double cost;
};

// Whether plans follow the choice.
bool counts(const Convolution& convolution, const BankChoice& choice, const DeviceLimits& limits) {
  plan::ChoiceTable table;
  table.set(plan::bank_key(convolution), choice);
  DeviceLimits chosen = limits;
  chosen.choices = std::make_shared<const plan::ChoiceTable>(std::move(table));
  return plan::tuned_bank(convolution, chosen) != nullptr;
}

// All orders of powers of two whose product is `remaining`, at most `passes` of them.
void extend(std::uint64_t remaining, std::size_t passes, std::vector<unsigned>& begun,
            std::vector<std::vector<unsigned>>& found) {
  if (remaining == 1 && begun.size() > 1) found.push_back(begun);
  if (passes == 0) return;
  for (unsigned radix = largest_radix; radix >= 2; radix /= 2) {
    if (remaining % radix != 0) continue;
    begun.push_back(radix);
    extend(remaining / radix, passes - 1, begun, found);
    begun.pop_back();
  }
}

// As many passes as the table has, or one more or less.
std::vector<std::vector<unsigned>> sequences(const plan::BankSegment& segment) {
  std::vector<std::vector<unsigned>> found;
  std::vector<unsigned> begun;
  extend(segment.length, segment.radices.size() + 1, begun, found);
  return found;
}

void add_device_choices(const Convolution& convolution, const DeviceLimits& limits, std::vector<PricedBank>& priced) {
  const std::uint64_t lost = convolution.kernel_lengths.back() - 1;
  for (const plan::BankSegment& segment : plan::bank_segments(limits)) {
    if (segment.length <= lost) continue;
    const auto own = plan::choose_items(segment.radices, 1, limits);
    if (!own) continue;
    const double segment_cost = segment.cost / static_cast<double>(segment.length - lost);
    for (const std::vector<unsigned>& radices : sequences(segment)) {
      for (const plan::ChipChoice& items : plan::item_choices(radices, limits)) {
        BankChoice choice;
        choice.segment = segment.length;
        choice.radices = radices;
        choice.items = items.items;
        choice.root_step = segment.root_step;
        priced.push_back({std::move(choice), segment_cost * items.cost / own->cost});
      }
    }
  }
}

}  // namespace

std::optional<BankChoice> present_bank(const Convolution& convolution, const DeviceLimits& limits) {
  if (convolution.signal_lengths.size() != 1 || convolution.segment != 0 || limits.strategy.segment != 0) {
    return std::nullopt;
  }
  const plan::ConvolutionRecipe recipe = plan::make_convolution_recipe(convolution, limits);
  if (recipe.method != Convolution::Method::overlap_save || recipe.step != 0) return std::nullopt;
  BankChoice choice;
  choice.segment = recipe.bank.segment;
  choice.partitioned = recipe.bank.partitioned;
  if (limits.shape == DeviceLimits::Shape::owned) return choice;
  choice.radices = recipe.bank.radices;
  const plan::BankPrograms programs = plan::lower_bank(convolution, recipe.bank);
  const plan::KernelShape shape = plan::choose_bank_shape(programs.apply.stages.front(), limits);
  choice.items = shape.items_per_transform;
  choice.registers = shape.registers;
  choice.groups = shape.groups / static_cast<std::uint32_t>(std::max<std::size_t>(limits.compute_units, 1));
  choice.root_step = shape.root_step;
  return choice;
}

std::vector<BankChoice> bank_candidates(const Convolution& convolution, const DeviceLimits& device_limits,
                                        std::size_t most) {
  const DeviceLimits limits = plan::limits_for(device_limits, convolution.precision);
  std::vector<BankChoice> choices;
  const auto consider = [&](BankChoice choice) {
    if (std::find(choices.begin(), choices.end(), choice) != choices.end()) return;
    if (choices.size() < most && counts(convolution, choice, device_limits)) choices.push_back(std::move(choice));
  };
  if (limits.shape == DeviceLimits::Shape::owned) {
    for (const plan::BankRecipe& recipe : plan::host_segments(convolution, device_limits)) {
      BankChoice choice;
      choice.segment = recipe.segment;
      choice.partitioned = recipe.partitioned;
      consider(std::move(choice));
    }
    return choices;
  }
  std::vector<PricedBank> priced;
  add_device_choices(convolution, limits, priced);
  std::stable_sort(priced.begin(), priced.end(),
                   [](const PricedBank& a, const PricedBank& b) { return a.cost < b.cost; });
  // The model tells lengths apart better than ways to compute one: each further one of a length is put back.
  std::map<std::uint64_t, std::vector<BankChoice>> ranked;
  for (PricedBank& one : priced) {
    std::vector<BankChoice>& same = ranked[one.choice.segment];
    one.cost *= 1 + further_of_length * static_cast<double>(same.size());
    if (std::find(same.begin(), same.end(), one.choice) == same.end()) same.push_back(one.choice);
  }
  std::stable_sort(priced.begin(), priced.end(),
                   [](const PricedBank& a, const PricedBank& b) { return a.cost < b.cost; });
  for (PricedBank& one : priced) consider(std::move(one.choice));
  return choices;
}

std::vector<BankChoice> bank_refinements(const Convolution& convolution, const BankChoice& choice,
                                         const DeviceLimits& limits) {
  std::vector<BankChoice> choices;
  if (limits.shape != DeviceLimits::Shape::on_chip) return choices;
  const auto consider = [&](const auto& change) {
    BankChoice changed = choice;
    change(changed);
    if (changed != choice && counts(convolution, changed, limits)) choices.push_back(std::move(changed));
  };
  for (const std::uint32_t groups : {1U, 2U, 3U, 4U, 6U, 8U, 16U, 32U}) {
    consider([&](BankChoice& changed) { changed.groups = groups; });
  }
  for (const std::uint32_t step : {0U, 4U, 8U}) {
    consider([&](BankChoice& changed) { changed.root_step = step; });
  }
  for (const std::uint32_t items : {choice.items / 2, choice.items * 2}) {
    consider([&](BankChoice& changed) {
      changed.items = items;
      changed.registers = changed.groups = 0;
    });
  }
  if (limits.registers_per_item < plan::many_registers) return choices;
  for (const std::uint32_t registers : {64U, 80U, 96U, 128U, 168U, 184U, 255U}) {
    consider([&](BankChoice& changed) {
      changed.registers = registers;
      changed.groups = 0;
    });
  }
  return choices;
}

}  // namespace twiddle::tuning
