// A model of what devices take, as multiples of what an NVIDIA H200 took; others take as much longer as they have fewer
// compute units.
#include "plan/convolution_on_device.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "plan/bank_shape.hpp"
#include "plan/filter_bank.hpp"
#include "plan/limits.hpp"
#include "twiddle/good_size.hpp"

namespace twiddle::plan {
namespace {

constexpr double measured_units = 132;

// Nanoseconds in single precision. Of a product of 1024 points in a segment on chip, there and back:
constexpr double bank_product = 2.2;

// Of a transform of real data, for a point: two passes over memory; one, of lines of at most so many points; and of
// lines so long that they leave the cache that many units share.
constexpr double two_passes = 0.0095;
constexpr double one_pass = 0.0045;
constexpr std::uint64_t one_pass_line = 16384;
constexpr double long_line_passes = 0.0155;
constexpr std::uint64_t long_line = 1 << 20;
constexpr std::size_t many_units = 16;

// Of the launches of a transform, and of a kernel.
constexpr double transform_call = 6500;
constexpr double kernel_call = 3000;

// Of direct sums, for a term, and for a result's way to memory; how many groups keep a compute unit busy, and the lines
// that a group has results of.
constexpr double sum_term = 0.0003;
constexpr double one_result = 0.002;
constexpr double busy_groups = 3;
constexpr double sum_lines = 4;
constexpr double column_lines = 8;

constexpr std::uint64_t segment_alignment = 32;  // elements: where segments through memory begin
constexpr std::uint64_t longest_segment = 1 << 20;

double units(const DeviceLimits& limits) { return static_cast<double>(std::max<std::size_t>(limits.compute_units, 1)); }

// How much longer than what was measured everything takes.
double times_measured(const twiddle::Convolution& convolution, const DeviceLimits& limits) {
  return 2 * scalar_factor(convolution) * measured_units / units(limits);
}

double transform_cost(std::uint64_t line, const DeviceLimits& limits) {
  const bool held = limits.shape == DeviceLimits::Shape::on_chip && line * sizeof(float) / 2 <= limits.local_memory;
  if (line <= one_pass_line && held) return one_pass;
  return line > long_line && limits.compute_units >= many_units ? long_line_passes : two_passes;
}

DeviceOverlapSave segments_on_chip(const twiddle::Convolution& convolution, const DeviceLimits& limits,
                                   const BankSegment& segment) {
  const std::uint64_t step = use_of_segment(convolution, segment.length).outputs;
  const std::uint64_t outputs = convolved_lengths(convolution).back();
  const double segments =
      static_cast<double>((outputs + step - 1) / step * convolution.signals) * (convolution.complex ? 1 : 0.5);
  const double products = segments * static_cast<double>(convolution.filters + 1);
  DeviceOverlapSave result;
  result.recipe.bank = {segment.length, segment.radices, false, false};
  result.nanoseconds = measured_units / units(limits) * products * segment.cost * bank_product + kernel_call;
  return result;
}

// Points of segments through memory that are worth trying, from `first` on.
std::vector<std::uint64_t> long_segments(const twiddle::Convolution& convolution, std::uint64_t first) {
  const std::uint64_t least = 2 * (convolution.kernel_lengths.back() - 1);
  const Kind kind = convolution.complex ? Kind::c2c : Kind::r2c;
  if (convolution.segment != 0) return {good_size(std::max<std::uint64_t>({convolution.segment, least, 2}), kind)};
  std::vector<std::uint64_t> result = {std::max(first, std::bit_ceil(least))};
  const std::uint64_t most = std::min<std::uint64_t>(longest_segment, convolved_lengths(convolution).back());
  while (result.back() < most) result.push_back(2 * result.back());
  return result;
}

// The extended signals' segments forward, and for each filter back, the last one by itself.
DeviceOverlapSave segments_through_memory(const twiddle::Convolution& convolution, const DeviceLimits& limits,
                                          std::uint64_t points) {
  DeviceOverlapSave result;
  std::uint64_t& step = result.recipe.step;
  step = points - (convolution.kernel_lengths.back() - 1);
  if (step > segment_alignment) step -= step % segment_alignment;
  result.recipe.bank.segment = points;
  result.recipe.padded = {points};
  const Halo halo = halo_of(convolution);
  const std::uint64_t outputs = halo.left + convolved_lengths(convolution).back() + halo.right;
  result.recipe.segments = (outputs + step - 1) / step;
  const double all =
      static_cast<double>(result.recipe.segments * points * convolution.signals) * times_measured(convolution, limits);
  const auto filters = static_cast<double>(convolution.filters);
  result.nanoseconds =
      (1 + filters) * (all * transform_cost(points, limits) + transform_call + kernel_call) + all * one_result;
  return result;
}

}  // namespace

double scalar_factor(const twiddle::Convolution& convolution) {
  const bool wide = convolution.precision == Precision::float64;
  return (wide ? double_precision : 1) * (convolution.complex ? 1 : 0.5);
}

double result_count(const twiddle::Convolution& convolution) {
  double results = static_cast<double>(convolution.signals * convolution.filters);
  for (const std::size_t length : convolved_lengths(convolution)) results *= static_cast<double>(length);
  return results;
}

double device_sums_cost(const twiddle::Convolution& convolution, const DeviceLimits& limits, double terms,
                        bool columns) {
  const double lines = convolution.signal_lengths.size() == 1 ? 1 : columns ? column_lines : sum_lines;
  const double results = result_count(convolution);
  const double summed = std::max(results, units(limits) * busy_groups * device_sum_tile * lines);
  const double passes = convolution.post != PostProcessing{} || convolution.store_hook ? 2 : 1;
  const double each = (convolution.complex ? 2 : 1) * terms * sum_term;
  return times_measured(convolution, limits) * (summed * each + results * one_result * passes) + kernel_call * passes;
}

double device_whole_cost(const twiddle::Convolution& convolution, const DeviceLimits& limits,
                         const std::vector<std::uint64_t>& padded) {
  double points = static_cast<double>(convolution.signals);
  for (const std::uint64_t length : padded) points *= static_cast<double>(length);
  const double each = padded.size() == 1 ? transform_cost(padded.back(), limits) : two_passes;
  return static_cast<double>(1 + convolution.filters) *
         (times_measured(convolution, limits) * points * each + transform_call);
}

DeviceOverlapSave device_overlap_save(const twiddle::Convolution& convolution, const DeviceLimits& device_limits) {
  const DeviceLimits limits = limits_for(device_limits, convolution.precision);
  const Halo halo = halo_of(convolution);
  const std::uint64_t lost =
      convolution.kernel_lengths.back() - 1 + halo.left + halo.right + convolution.post.decimation - 1;
  const std::vector<BankSegment> all = bank_segments(limits);
  std::optional<BankSegment> on_chip = choose_bank_segment(lost, convolution.filters, limits);
  if (convolution.segment != 0) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const BankSegment& one) {
      return one.length >= convolution.segment && one.length > lost;
    });
    on_chip = found == all.end() ? std::nullopt : std::optional(*found);
  }
  std::optional<DeviceOverlapSave> best;
  if (on_chip) best = segments_on_chip(convolution, device_limits, *on_chip);
  if (best && convolution.segment != 0) return *best;
  for (const std::uint64_t points : long_segments(convolution, all.empty() ? one_pass_line : 2 * all.back().length)) {
    DeviceOverlapSave candidate = segments_through_memory(convolution, device_limits, points);
    if (!best || candidate.nanoseconds < best->nanoseconds) best = std::move(candidate);
  }
  return *best;
}

}  // namespace twiddle::plan
