// What devices like the measured one have.
#include "plan/shape/measured_device.hpp"

#include "plan/choice/choice_table.hpp"

namespace twiddle::plan {

bool is_like_measured(const DeviceLimits& limits) {
  constexpr unsigned units = 100;  // beside a second-level cache that holds what is between the stages
  return limits.bulk_copies && limits.compute_units >= units && limits.strategy == Strategy{};
}

bool is_tuned(const Stage& stage, const DeviceLimits& limits) {
  const auto has = [&](LineUse use) { return tuned_choice(stage.length, use, limits) != nullptr; };
  return has(LineUse::rows) || has(LineUse::mapped_rows) || has(LineUse::columns);
}

Reals reals_of(const Stage& first, const Stage& second) {
  if (first.store_map) return Reals::there;
  return second.load_map ? Reals::back : Reals::none;
}

}  // namespace twiddle::plan
