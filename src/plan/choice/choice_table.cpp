// The table, and what makes a choice impossible.
#include "plan/choice/choice_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "plan/lower/stage.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/vectors.hpp"

namespace twiddle::plan {
namespace {

constexpr std::uint32_t widest_host_bundle = 64;
constexpr std::uint64_t most_elements = 64;  // that a work-item may hold, spilling some of them

// Items of columns take two lines each, those of rows neighbouring butterflies of the outer passes.
std::optional<std::string> objection_to_vectors(const LineKey& key, const MeasuredChoice& stage) {
  if (stage.vector == 1) return std::nullopt;
  if (stage.vector != widest_vector) {
    return fmt::format("work-items move 1 or {} numbers at once, not {}", widest_vector, stage.vector);
  }
  if (key.arithmetic != Precision::float32 || are_convolved(key.use) || key.use == LineUse::mapped_rows) {
    return "only lines in single precision without more in their stage are moved by several numbers at once";
  }
  if (stage.radices.empty()) return "without passes nothing is moved by several numbers at once";
  if (are_columns(key.use)) {
    if (stage.transforms % stage.vector == 0) return std::nullopt;
    return fmt::format("{} columns cannot be taken {} at a time", stage.transforms, stage.vector);
  }
  for (const unsigned radix : {stage.radices.front(), stage.radices.back()}) {
    if (key.length / radix % (std::uint64_t{stage.items} * stage.vector) == 0) continue;
    return fmt::format("{} butterflies of radix {} are not shared out evenly, {} at a time, by {} work-items",
                       key.length / radix, radix, stage.vector, stage.items);
  }
  return std::nullopt;
}

std::optional<std::string> objection_to_group(const LineKey& key, const MeasuredChoice& stage,
                                              const DeviceLimits& limits) {
  const std::uint64_t transforms = std::max<std::uint64_t>(stage.transforms, 1);
  const std::uint64_t lines_of_item = are_columns(key.use) ? std::max(stage.vector, 1U) : 1;
  if (stage.items == 0 || stage.items > limits.max_group_size ||
      transforms > limits.max_group_size / stage.items * lines_of_item) {
    return fmt::format("it takes {} x {} work-items, but a group has at most {}", transforms / lines_of_item,
                       stage.items, limits.max_group_size);
  }
  if (auto objection = objection_to_registers(stage.registers)) return objection;
  if (auto objection = objection_to_vectors(key, stage)) return objection;
  if (stage.radices.size() < 2) return std::nullopt;  // nothing is exchanged
  for (const unsigned radix : stage.radices) {
    const std::uint64_t butterflies = (key.length / radix + stage.items - 1) / stage.items * lines_of_item;
    if (butterflies * radix <= most_elements) continue;
    return fmt::format("a work-item holds {} elements, but at most {} make sense", butterflies * radix, most_elements);
  }
  const std::uint64_t bytes = exchange_bytes(key.length, static_cast<std::uint32_t>(transforms), 1, 1, 0);
  if (bytes <= limits.local_memory) return std::nullopt;
  return fmt::format("it needs {} bytes of local memory, but the device has {}", bytes, limits.local_memory);
}

}  // namespace

std::optional<std::string> objection_to_registers(std::uint32_t registers) {
  constexpr std::uint32_t most = 255;  // of any device
  if (registers <= most) return std::nullopt;
  return fmt::format("a work-item has at most {} registers, not {}", most, registers);
}

LineKey line_key(std::uint64_t length, LineUse use, Precision arithmetic) {
  if (are_columns(use) && !are_convolved(use)) use = LineUse::columns;
  return {length, use, arithmetic};
}

const LineChoice* ChoiceTable::find(const LineKey& key) const {
  const auto found = lines_.find(key);
  return found == lines_.end() ? nullptr : &found->second;
}

const BankChoice* ChoiceTable::find(const BankKey& key) const {
  const auto found = banks_.find(key);
  return found == banks_.end() ? nullptr : &found->second;
}

void ChoiceTable::merge(const ChoiceTable& other) {
  for (const auto& [key, choice] : other.lines_) lines_[key] = choice;
  for (const auto& [key, choice] : other.banks_) banks_[key] = choice;
}

std::optional<std::string> objection(const LineKey& key, const LineChoice& choice, const DeviceLimits& limits) {
  if (choice.columns != 0) {
    if (are_convolved(key.use)) return "a convolution on chip is not divided";
    if (choice.columns > 1 && choice.columns < key.length && key.length % choice.columns == 0) return std::nullopt;
    return fmt::format("{} columns are no divisor of {} points", choice.columns, key.length);
  }
  const bool host = limits.shape == DeviceLimits::Shape::owned;
  std::uint64_t product = 1;
  for (const unsigned radix : choice.stage.radices) {
    if (radix < 2 || !(host ? host_has_pass(radix, limits) : has_butterfly(radix, limits)))
      return fmt::format("the device has no butterfly of radix {}", radix);
    if (product > key.length / radix) return fmt::format("its radices are too many for {} points", key.length);
    product *= radix;
  }
  if (product != key.length) return fmt::format("its radices give {} points, not {}", product, key.length);
  if (host) {
    const std::uint32_t bundle = choice.stage.transforms;
    if (bundle == 0 || (std::has_single_bit(bundle) && bundle <= widest_host_bundle)) return std::nullopt;
    return fmt::format("the host takes a power of two of columns together, at most {}, not {}", widest_host_bundle,
                       bundle);
  }
  if (limits.shape == DeviceLimits::Shape::staged) return "the device takes a launch for each radix";
  if (are_convolved(key.use)) {
    // See choose_convolution.cpp.
    if (!choice.stage.radices.empty() && choice.stage.radices.front() == 13)
      return "13 in the first place rounds too much";
    const std::uint32_t transforms = std::max(1U, choice.stage.transforms);
    if (!exchanges_whole(key.length, transforms, limits)) return "local memory does not hold its lines whole";
  }
  return objection_to_group(key, choice.stage, limits);
}

const LineChoice* tuned_choice(std::uint64_t length, LineUse use, const DeviceLimits& limits) {
  if (!limits.choices) return nullptr;
  const LineKey key = line_key(length, use, limits.arithmetic);
  const LineChoice* choice = limits.choices->find(key);
  return choice != nullptr && !objection(key, *choice, limits) ? choice : nullptr;
}

std::string to_string(const LineKey& key, const LineChoice& choice) {
  std::string text = fmt::format("{}, {}, {}: ", key.length, to_string(key.use), to_string(key.arithmetic));
  if (choice.columns != 0) return text + fmt::format("{} x {}", choice.columns, key.length / choice.columns);
  text += fmt::format("{}", fmt::join(choice.stage.radices, "."));
  if (choice.stage.items == 0) {
    return text + (choice.stage.transforms != 0 ? fmt::format(", {} columns together", choice.stage.transforms) : "");
  }
  text += fmt::format(", {} items", choice.stage.items);
  if (choice.stage.transforms != 0) text += fmt::format(" x {}", choice.stage.transforms);
  if (choice.stage.registers != 0) text += fmt::format(", {} registers", choice.stage.registers);
  if (choice.stage.split) text += ", parts apart";
  return text + (choice.stage.vector > 1 ? fmt::format(", {} numbers at once", choice.stage.vector) : "");
}

}  // namespace twiddle::plan
