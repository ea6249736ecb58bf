// What makes a tuned bank impossible, and where one counts.
#include "plan/choice/bank_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "plan/choice/choice_table.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/convolution/filter_bank.hpp"
#include "plan/convolution/lower_bank.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::plan {
namespace {

constexpr std::uint64_t shortest_segment = 32;
constexpr std::uint32_t most_groups = 64;  // of a compute unit

std::optional<std::string> objection_on_host(const BankChoice& choice, const DeviceLimits& limits) {
  if (choice.segment < shortest_segment) return fmt::format("segments have at least {} points", shortest_segment);
  // In this order, as finding the factors of any number takes long.
  if (host_holds(choice.segment, limits) && prime_factors(choice.segment).back() <= 5) return std::nullopt;
  return fmt::format("one stage of the host does not transform segments of {} points", choice.segment);
}

std::optional<std::string> objection_to_passes(const BankChoice& choice, const DeviceLimits& limits) {
  std::uint64_t product = 1;
  for (const unsigned radix : choice.radices) {
    if (!std::has_single_bit(radix) || radix < 2 || !has_butterfly(radix, limits)) {
      return fmt::format("banks have no butterfly of radix {}", radix);
    }
    if (product > choice.segment / radix) break;
    product *= radix;
  }
  if (choice.radices.size() < 2 || product != choice.segment) {
    return fmt::format("segments of {} points have at least two radices, whose product is that; not {}", choice.segment,
                       fmt::join(choice.radices, "."));
  }
  return std::nullopt;
}

std::optional<std::string> objection_on_device(const BankChoice& choice, const DeviceLimits& limits) {
  if (limits.shape != DeviceLimits::Shape::on_chip) return "the device has no groups that keep segments";
  if (choice.partitioned) return "devices do not cut filters into partitions";
  if (auto objection = objection_to_passes(choice, limits)) return objection;
  if (auto objection = objection_to_registers(choice.registers)) return objection;
  if (choice.groups > most_groups) return fmt::format("a compute unit has at most {} groups", most_groups);
  if (choice.items == 0 || choice.items > limits.max_group_size) {
    return fmt::format("it takes {} work-items, but a group has at most {}", choice.items, limits.max_group_size);
  }
  if (holds_bank(choice.radices, choice.segment, choice.items, limits)) return std::nullopt;
  return fmt::format("groups of {} work-items do not hold segments of {} points by {}", choice.items, choice.segment,
                     fmt::join(choice.radices, "."));
}

const BankChoice* find(const BankKey& key, const DeviceLimits& limits) {
  if (!limits.choices) return nullptr;
  const BankChoice* choice = limits.choices->find(key);
  return choice != nullptr && !objection(key, *choice, limits) ? choice : nullptr;
}

}  // namespace

FilterCount filter_count(std::uint64_t filters) {
  return filters == 1 ? FilterCount::one : filters < few_filters ? FilterCount::few : FilterCount::many;
}

std::string_view to_string(FilterCount count) {
  switch (count) {
    case FilterCount::one:
      return "one";
    case FilterCount::few:
      return "few";
    case FilterCount::many:
      break;
  }
  return "many";
}

BankKey bank_key(const twiddle::Convolution& convolution) {
  return {convolution.kernel_lengths.back(), filter_count(convolution.filters), convolution.complex,
          convolution.precision};
}

std::optional<std::string> objection(const BankKey& key, const BankChoice& choice, const DeviceLimits& limits) {
  if (!choice.partitioned && choice.segment < key.taps) {
    return fmt::format("segments of {} points give no result of {} taps", choice.segment, key.taps);
  }
  return limits.shape == DeviceLimits::Shape::owned ? objection_on_host(choice, limits)
                                                    : objection_on_device(choice, limits);
}

const BankChoice* tuned_bank(const twiddle::Convolution& convolution, const DeviceLimits& device_limits) {
  if (convolution.segment != 0 || convolution.signal_lengths.size() != 1) return nullptr;
  const BankChoice* choice = find(bank_key(convolution), limits_for(device_limits, convolution.precision));
  if (choice == nullptr) return nullptr;
  const SegmentUse use = use_of_segment(convolution, choice->segment, choice->partitioned);
  const bool long_enough = convolved_lengths(convolution).back() >= fewest_tuned_segments * use.outputs;
  return use.outputs > 0 && long_enough ? choice : nullptr;
}

const BankChoice* tuned_bank(const Stage& stage, const DeviceLimits& limits) {
  const bool complex = stage.input_storage.form == Storage::Form::interleaved;
  const BankChoice* choice =
      find({stage.bank->taps, filter_count(stage.bank->filters), complex, stage.precision}, limits);
  return choice != nullptr && choice->radices == stage.radices ? choice : nullptr;
}

std::string to_string(const BankKey& key, const BankChoice& choice) {
  std::string text = fmt::format("bank of {} x {} taps, {}, {}: segments of {}", to_string(key.filters), key.taps,
                                 key.complex ? "complex" : "real", to_string(key.precision), choice.segment);
  if (choice.partitioned) text += ", filters in partitions";
  if (choice.radices.empty()) return text;
  text += fmt::format(" = {}, {} items", fmt::join(choice.radices, "."), choice.items);
  if (choice.registers != 0) text += fmt::format(", {} registers", choice.registers);
  if (choice.groups != 0) text += fmt::format(", {} groups a unit", choice.groups);
  return text + (choice.root_step != 0 ? fmt::format(", every {}th root", choice.root_step) : "");
}

}  // namespace twiddle::plan
