// How the work-items of a group pass elements to each other.
#include "plan/shape/exchange_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plan/recipe/radices.hpp"
#include "plan/shape/summed_rows.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

using Lanes = KernelShape::Lanes;
using Exchange = KernelShape::Exchange;

// GPUs whose work-items may take up to 255 registers also have several times as much local memory as one group may use.
bool has_many_registers(const DeviceLimits& limits) { return limits.registers_per_item >= 255; }

[[noreturn]] void throw_too_large(const Stage& stage, const DeviceLimits& limits, const KernelShape& shape) {
  throw Unsupported(fmt::format("a stage of {} points needs {} bytes of local memory, but the device has {}",
                                chip_points(stage), exchange_size(stage, shape), limits.local_memory));
}

// A map behind the transform finds whole lines in local memory.
void choose_mapped_exchange(const Stage& stage, const DeviceLimits& limits, KernelShape& shape) {
  shape.exchange = may_exchange(Exchange::complex, limits) ? Exchange::complex : Exchange::split;
  shape.padding = preferred_padding(stage, shape);
  while (exchange_size(stage, shape) > limits.local_memory && shape.transforms_per_group > 1) {
    shape.transforms_per_group /= 2;
  }
  if (exchange_size(stage, shape) > limits.local_memory && may_exchange(Exchange::split, limits)) {
    shape.exchange = Exchange::split;
    shape.padding = preferred_padding(stage, shape);
  }
  if (exchange_size(stage, shape) > limits.local_memory) shape.padding = 0;
  if (exchange_size(stage, shape) > limits.local_memory) throw_too_large(stage, limits, shape);
}

// Convolutions exchange whole lines.
bool exchanges_in_halves(const Stage& stage) {
  return !stage.convolution && !stage.returns && halves_possible(stage.radices);
}

// A shared map finds whole lines in local memory, pairs of them in one group.
void choose_shared_exchange(const Stage& stage, const DeviceLimits& limits, KernelShape& shape) {
  for (;; shape.transforms_per_group = shape.transforms_per_group / 4 * 2) {
    for (const Exchange exchange : {Exchange::complex, Exchange::split}) {
      if (!may_exchange(exchange, limits)) continue;
      shape.exchange = exchange;
      shape.padding = preferred_padding(stage, shape);
      if (exchange_size(stage, shape) <= limits.local_memory) return;
    }
    if (shape.transforms_per_group < 4) throw_too_large(stage, limits, shape);
  }
}

}  // namespace

std::uint32_t preferred_padding(const Stage& stage, const KernelShape& shape) {
  const unsigned radix = stage.radices.front();
  if (radix % 2 != 0) return 0;
  if (radix % 4 == 2 && !shape.stage_through_local) return 0;  // only pairs of lanes meet: padding costs as much
  const bool only_transforms = shape.load == Lanes::transforms && shape.store == Lanes::transforms;
  const bool power_of_two = (radix & (radix - 1)) == 0;
  return power_of_two && !only_transforms ? (shape.exchange == Exchange::complex ? 16 : 32) : radix;
}

std::uint64_t exchange_size(const Stage& stage, const KernelShape& shape) {
  if (shape.exchange == Exchange::none) return 0;
  return exchange_bytes(local_points(stage, shape), shape.transforms_per_group,
                        shape.exchange == Exchange::complex ? 2 : 1, shape.exchange_rounds, shape.padding);
}

std::uint64_t local_points(const Stage& stage, const KernelShape& shape) {
  if (is_summed(stage, shape)) return (stage.length + 3) / 4 * 4;  // NVIDIA's compiler loads two at once
  const bool lines = stage.store_map || shape.stores_together;
  return lines ? std::max(chip_points(stage), stage.length) : chip_points(stage);
}

bool may_exchange(Exchange exchange, const DeviceLimits& limits) {
  switch (limits.strategy.exchange) {
    case Strategy::Exchange::chosen:
      return true;
    case Strategy::Exchange::complex:
      return exchange == Exchange::complex;
    case Strategy::Exchange::split:
      break;
  }
  return exchange == Exchange::split;
}

bool keeps_pairs(const Stage& stage) { return stage.shared_map && stage.store_map; }

void choose_exchange(const Stage& stage, const DeviceLimits& limits, KernelShape& shape) {
  if (keeps_pairs(stage)) return choose_shared_exchange(stage, limits, shape);
  if (stage.store_map && limits.shape == DeviceLimits::Shape::on_chip) {
    return choose_mapped_exchange(stage, limits, shape);
  }
  if (stage.radices.size() <= 1 && !shape.stage_through_local) return;
  shape.exchange = Exchange::complex;
  shape.padding = preferred_padding(stage, shape);
  const std::uint64_t room = has_many_registers(limits) ? limits.local_memory : limits.local_memory / 2;
  const bool split = exchange_size(stage, shape) > room || !may_exchange(Exchange::complex, limits);
  if (split && may_exchange(Exchange::split, limits)) {
    shape.exchange = Exchange::split;
    shape.padding = preferred_padding(stage, shape);
  }
  if (exchange_size(stage, shape) > limits.local_memory && exchanges_in_halves(stage)) shape.exchange_rounds = 2;
  if (exchange_size(stage, shape) > limits.local_memory) shape.padding = 0;
  if (exchange_size(stage, shape) > limits.local_memory) throw_too_large(stage, limits, shape);
}

void choose_block(const Stage& stage, const DeviceLimits& limits, KernelShape& shape) {
  const auto length = static_cast<std::uint32_t>(stage.length);
  const auto most_items = static_cast<std::uint32_t>(limits.max_group_size);
  shape.exchange = may_exchange(Exchange::complex, limits) ? Exchange::complex : Exchange::split;
  shape.transforms_per_group = std::min(length, most_items);
  while (exchange_size(stage, shape) > limits.local_memory && shape.transforms_per_group > 1) {
    shape.transforms_per_group /= 2;
  }
  shape.items_per_transform = std::clamp(most_items / shape.transforms_per_group, 1U, length);
  if (exchange_size(stage, shape) > limits.local_memory) throw_too_large(stage, limits, shape);
}

}  // namespace twiddle::plan
