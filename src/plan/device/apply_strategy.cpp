// Strategies against devices.
#include "plan/device/apply_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

using Shape = DeviceLimits::Shape;

[[noreturn]] void refuse(const Strategy& strategy, std::string_view why) {
  throw Unsupported(fmt::format("strategy {}: {}", describe(strategy), why));
}

// The host's native code takes what a plan's stages say, but has no groups of work-items and no launches.
void require_host(const Strategy& strategy) {
  const bool follows =
      strategy.staging != Strategy::Staging::on_chip && strategy.group == 0 && strategy.elements == 0 &&
      strategy.vector == 0 && strategy.launches == Strategy::Launches::all_rows &&
      strategy.exchange == Strategy::Exchange::chosen && strategy.transposes != Strategy::Transposes::in_place &&
      strategy.algorithm != Strategy::Algorithm::direct;
  if (follows) return;
  refuse(strategy,
         "the host has no work-groups, and follows neither staging=on-chip, transposes=in-place and algorithm=direct "
         "nor group, elements, vector, launches and exchange; choose an OpenCL or CUDA device");
}

}  // namespace

DeviceLimits apply_strategy(DeviceLimits limits) {
  const Strategy& strategy = limits.strategy;
  if (strategy == Strategy{}) return limits;
  validate(strategy);
  if (limits.shape == Shape::owned) require_host(strategy);
  if (strategy.group > limits.max_group_size) {
    refuse(strategy, fmt::format("a work-group of the device has at most {} work-items", limits.max_group_size));
  }
  if (strategy.group != 0) limits.max_group_size = strategy.group;
  if (limits.shape == Shape::staged && strategy.staging == Strategy::Staging::on_chip) {
    refuse(strategy, "the device has no local memory of its own to keep lines in; expected staging=memory or chosen");
  }
  if (limits.shape == Shape::on_chip && goes_through_memory(strategy)) limits.shape = Shape::staged;
  if (shapes_lines(strategy)) limits.choices.reset();
  return limits;
}

bool goes_through_memory(const Strategy& strategy) {
  return strategy.staging == Strategy::Staging::through_memory || strategy.twiddles == Strategy::Twiddles::separate ||
         strategy.reversal == Strategy::DigitReversal::separate;
}

bool shapes_lines(const Strategy& strategy) {
  return strategy.radices != Strategy::Radices::all || goes_through_memory(strategy) || strategy.group != 0 ||
         strategy.elements != 0;
}

bool allows_radix(const Strategy& strategy, unsigned radix) {
  switch (strategy.radices) {
    case Strategy::Radices::all:
      return true;
    case Strategy::Radices::four_and_two:
      return radix == 2 || radix == 4;
    case Strategy::Radices::two:
      break;
  }
  return radix == 2;
}

}  // namespace twiddle::plan
