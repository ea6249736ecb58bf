// What devices like the measured one have.
#include "plan/shape/measured_device.hpp"

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"

namespace twiddle::plan {

bool is_like_measured(const DeviceLimits& limits) {
  constexpr unsigned units = 100;  // beside a second-level cache that holds what is between the stages
  return limits.bulk_copies && limits.compute_units >= units && limits.strategy == Strategy{};
}

bool is_like_measured_card(const DeviceLimits& limits) {
  return is_like_measured(limits) || is_like_measured_through_opencl(limits);
}

bool is_like_measured_through_opencl(const DeviceLimits& limits) {
  constexpr std::size_t registers = 255;  // of NVIDIA's GPUs alone
  const std::size_t share = scalar_share(limits);
  return limits.shape == DeviceLimits::Shape::on_chip && limits.registers_per_item >= registers / share &&
         limits.local_memory == nvidia_opencl_local_memory / share && limits.strategy == Strategy{};
}

bool is_recent_gpu(const DeviceLimits& limits) {
  return (limits.largest_cluster >= 8 && limits.strategy == Strategy{}) || is_like_measured_through_opencl(limits);
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
