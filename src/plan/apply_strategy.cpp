// Strategies against devices.
#include "plan/apply_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

using Shape = DeviceLimits::Shape;

[[noreturn]] void refuse(const Strategy& strategy, std::string_view why) {
  throw Unsupported(fmt::format("strategy {}: {}", describe(strategy), why));
}

// Lines through memory: said, or what the other choices need.
bool goes_through_memory(const Strategy& strategy) {
  return strategy.staging == Strategy::Staging::through_memory || strategy.twiddles == Strategy::Twiddles::separate ||
         strategy.reversal == Strategy::DigitReversal::separate;
}

// What the host's native code can do of it.
void require_host(const Strategy& strategy) {
  Strategy kept;
  kept.radices = strategy.radices;
  kept.parts = strategy.parts;
  kept.segment = strategy.segment;
  kept.algorithm = strategy.algorithm == Strategy::Algorithm::direct ? Strategy::Algorithm::chosen : strategy.algorithm;
  if (kept == strategy) return;
  refuse(strategy,
         "the host has no kernels, and follows only radices, parts, segment and algorithm=fft; choose an OpenCL or "
         "CUDA device");
}

// What no device does.
void require_known(const Strategy& strategy) {
  Strategy known = strategy;
  known.twiddles = Strategy::Twiddles::merged;
  known.reversal = Strategy::DigitReversal::self_sorting;
  known.launches = Strategy::Launches::all_rows;
  known.transposes = Strategy::Transposes::none;
  known.block = 0;
  known.vector = 0;
  known.parts = Strategy::Parts::interleaved;
  if (known.algorithm == Strategy::Algorithm::direct) known.algorithm = Strategy::Algorithm::chosen;
  if (known == strategy) return;
  refuse(strategy,
         "no device computes this way yet; expected radices, staging, group, elements, exchange, segment or "
         "algorithm=fft");
}

}  // namespace

DeviceLimits apply_strategy(DeviceLimits limits) {
  const Strategy& strategy = limits.strategy;
  if (strategy == Strategy{}) return limits;
  validate(strategy);
  if (limits.shape == Shape::owned) require_host(strategy);
  require_known(strategy);
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
