// A model of what devices take, as multiples of what an NVIDIA H200 took; others take as much longer as they have fewer
// compute units.
#include "plan/convolution/convolution_on_device.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "plan/choice/bank_choice.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/convolution/filter_bank.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "twiddle/good_size.hpp"

namespace twiddle::plan {
namespace {

constexpr double measured_units = 132;

// How many times longer the same takes of complex numbers than of reals, and in double precision than in single.
struct Widths {
  double complex = 1;
  double wide = 1;
};

// Nanoseconds of real numbers in single precision on a device of so many units.
struct Costs {
  double bank_product = 0;      // of a product of 1024 points in a segment on chip, there and back
  double short_line = 0;        // of a transform of real data, for a point: lines of at most so many points (below),
  double one_pass = 0;          // longer ones that one group holds,
  double two_passes = 0;        // two passes over memory, of lines that have many twos as factors,
  double mixed_passes = 0;      // and of others,
  double doubling = 0;          // more for each time that the line is twice as long,
  double held_segment = 0;      // segments through memory, many lines of a power of two, that one group holds,
  double two_rounds = 1;        // times what these take that exceed its memory, so that they go through it in parts,
  double long_segment = 0;      // those of two passes,
  double longer_segment = 0;    // more for each time that these are twice as long,
  double long_line_passes = 0;  // lines so long that they leave the cache that many units share,
  double cached_image = 0;      // and images that stay in it
  double group_point = 0;       // of one line, for a complex number, while one group transforms it,
  double even_group_point = 0;  // and of those of powers of two
  double line_call = 0;         // of the launches of a transform of one line that a group holds,
  double transform_call = 0;    // of another,
  double real_line_call = 0;    // and of one of real numbers, which a pass over its spectrum belongs to
  double bank_call = 0;         // of the kernel of a bank, which takes a group a line's passes at least,
  double shared_groups = 0;     // groups of a unit that share the segments of a bank and its filters; 0: not counted
  double sums_call = 0;         // of one of direct sums,
  double copy_call = 0;         // and of a copy
  double sum_term = 0;          // of direct sums, for a term: of images, where a sample serves several lines,
  double line_term = 0;         // and of lines
  double one_result = 0;        // for a result's way to memory,
  bool results_wait = false;    // on which it goes behind the terms, not beside them
  double copied_point = 0;      // of the signals that segments through memory read
  double busy_groups = 0;       // of sums, that keep a unit busy
  Widths term{};                // of a term,
  Widths product{};             // of a product in a segment on chip, beside what its model says,
  double paired_reals = 1;      // of transforms of lines of the whole, where reals are taken two at a time
  Widths held{};                // of a line that one group holds,
  Widths moved{};               // of what goes through memory, where bytes count,
  Widths segment{};             // and of segments through memory
};

// NVIDIA H200, CUDA, 2026-11-21 to 2026-11-23.
constexpr Costs gpu{.bank_product = 2.2,
                    .short_line = 0.0045,
                    .one_pass = 0.0045,
                    .two_passes = 0.008,
                    .mixed_passes = 0.0115,
                    .doubling = 0,
                    .held_segment = 0.0035,
                    .two_rounds = 1.5,
                    .long_segment = 0.0072,
                    .longer_segment = 0.0003,
                    .long_line_passes = 0.0145,
                    .cached_image = 0.0055,
                    .group_point = 2.15,
                    .even_group_point = 0.9,
                    .line_call = 2700,
                    .transform_call = 6500,
                    .real_line_call = 8500,
                    .bank_call = 4500,
                    .shared_groups = 0,
                    .sums_call = 2400,
                    .copy_call = 3000,
                    .sum_term = 0.00035,
                    .line_term = 0.0006,
                    .one_result = 0.001,
                    .results_wait = false,
                    .copied_point = 0.002,
                    .busy_groups = 2.6,
                    .term = {.complex = 1.4, .wide = 1.2},
                    .product = {.complex = 1, .wide = 1.8},
                    .paired_reals = 1,
                    .held = {.complex = 2, .wide = double_precision},
                    .moved = {.complex = 2, .wide = double_precision},
                    .segment = {.complex = 1.4, .wide = 1.5}};

// CPUs behind OpenCL: between what PoCL took on 2 cores of an EPYC and of a Xeon, both with AVX-512, 2026-11-22; widths
// of the EPYC alone, 2026-11-23. Terms take what they would if they waited for the sum before them alone, whatever its
// precision; a complex one's two sums do not wait for each other.
constexpr Costs cpu{.bank_product = 75,
                    .short_line = 0.06,
                    .one_pass = 0.12,
                    .two_passes = 0.11,
                    .mixed_passes = 0.092,
                    .doubling = 0,
                    .held_segment = 0.12,
                    .two_rounds = 1,
                    .long_segment = 0.07,
                    .longer_segment = 0.005,
                    .long_line_passes = 0.12,
                    .cached_image = 0.1,
                    .group_point = 0,
                    .even_group_point = 0,
                    .line_call = 2000,
                    .transform_call = 8000,
                    .real_line_call = 8000,
                    .bank_call = 2000,
                    .shared_groups = 8,
                    .sums_call = 2000,
                    .copy_call = 5000,
                    .sum_term = 0.0045,
                    .line_term = 0.0066,
                    .one_result = 0.001,
                    .results_wait = true,
                    .copied_point = 0.001,
                    .busy_groups = 0,
                    .term = {.complex = 1.6, .wide = 1},
                    .product = {},
                    .paired_reals = 0.8,
                    .held = {.complex = 1.25, .wide = 0.8},
                    .moved = {.complex = 2, .wide = 1.4},
                    .segment = {.complex = 2, .wide = 1.4}};

constexpr std::uint64_t short_line = 512;
constexpr std::uint64_t one_pass_line = 16384;
constexpr std::uint64_t doubled_line = 1 << 15;      // beyond which twice the points take more than twice the time
constexpr double cached_lines = 1 << 23;             // points of all lines of a transform
constexpr std::uint64_t many_twos = 1 << 13;         // what divides lines that have many twos as factors
constexpr std::uint64_t most_group_points = 18432;   // complex ones that one group transforms
constexpr std::uint64_t most_divided_points = 8192;  // of a power of two; longer lines are divided among groups
constexpr double spilled = 3;  // times what a point takes where a group holds more doubles than that
constexpr double cached_points = 1 << 22;
constexpr std::size_t many_units = 16;

// Lines of direct sums that a group has results of.
constexpr double sum_lines = 4;
constexpr double column_lines = 8;

constexpr std::uint64_t segment_alignment = 32;  // elements: where segments through memory begin
constexpr std::uint64_t longest_segment = 1 << 20;

const Costs& costs(const DeviceLimits& limits) { return is_like_cpu(limits) ? cpu : gpu; }

double units(const DeviceLimits& limits) { return static_cast<double>(std::max<std::size_t>(limits.compute_units, 1)); }

// How much longer than what was measured takes what depends on the numbers like this.
double times_measured(const twiddle::Convolution& convolution, const Widths& widths, const DeviceLimits& limits) {
  const double wide = convolution.precision == Precision::float64 ? widths.wide : 1;
  return (convolution.complex ? widths.complex : 1) * wide * measured_units / units(limits);
}

// Whether a group holds a line of so many bytes, of which it exchanges real and imaginary parts apart, and has room for
// half as many complex numbers in its registers.
bool takes_one_pass(std::uint64_t line, std::uint64_t bytes, const DeviceLimits& limits) {
  return limits.shape == DeviceLimits::Shape::on_chip && line <= one_pass_line && bytes / 2 <= limits.local_memory &&
         line / 2 <= limits.max_group_size * elements_per_item(limits);
}

// By the convolution's own numbers on CPUs; on GPUs, where only real floats were measured, as if of these.
bool takes_one_pass(const twiddle::Convolution& convolution, std::uint64_t line, const DeviceLimits& limits) {
  const std::uint64_t scalars = convolution.complex ? 2 : 1;
  const std::uint64_t bytes = is_like_cpu(limits) ? scalars * scalar_bytes(convolution.precision) : sizeof(float);
  return takes_one_pass(line, line * bytes, limits);
}

double doublings(std::uint64_t line) {
  return std::log2(static_cast<double>(std::max(line, doubled_line)) / doubled_line);
}

// Nanoseconds of a transform of so many lines, for a point.
double transform_cost(const twiddle::Convolution& convolution, std::uint64_t line, std::size_t lines,
                      const DeviceLimits& limits) {
  const Costs& each = costs(limits);
  if (takes_one_pass(convolution, line, limits)) {
    return (line <= short_line ? each.short_line : each.one_pass) * times_measured(convolution, each.held, limits);
  }
  const bool leaves = static_cast<double>(line) * static_cast<double>(lines) > cached_lines;
  const double passes = leaves && limits.compute_units >= many_units ? each.long_line_passes
                        : line % many_twos == 0                      ? each.two_passes
                                                                     : each.mixed_passes;
  return (passes + doublings(line) * each.doubling) * times_measured(convolution, each.moved, limits);
}

// The same of a segment. Where those of real floats are held by a group, others take as much longer as what goes
// through memory, whether they are held or not.
double segment_cost(const twiddle::Convolution& convolution, std::uint64_t points, const DeviceLimits& limits) {
  const Costs& each = costs(limits);
  const std::uint64_t exchanged = (convolution.complex ? points : points / 2) * scalar_bytes(convolution.precision);
  const double real = takes_one_pass(points, points * sizeof(float), limits)
                          ? each.held_segment * (exchanged > limits.local_memory ? each.two_rounds : 1)
                          : each.long_segment + doublings(points) * each.longer_segment;
  return real * times_measured(convolution, each.segment, limits);
}

// Nanoseconds until so many lines of one transform are done, where one group holds each.
double group_time(const twiddle::Convolution& convolution, std::uint64_t line, std::size_t lines,
                  const DeviceLimits& limits) {
  const Costs& each = costs(limits);
  const std::uint64_t points = convolution.complex ? line : line / 2;
  const bool even = std::has_single_bit(points);
  const bool wide = convolution.precision == Precision::float64;
  const std::uint64_t most = wide   ? limits.local_memory / sizeof(double)
                             : even ? most_divided_points
                                    : most_group_points;
  if (convolution.signals > 1 || points > most) return 0;
  return static_cast<double>(points) * (even ? each.even_group_point : each.group_point) *
         (wide && points > most_divided_points ? spilled : 1) * std::ceil(static_cast<double>(lines) / units(limits));
}

// Transforms of segments there and products with transforms back, as many as those of units that are all busy. Two
// segments of reals are one. On CPUs groups share the pairs of segments and filters, and each transforms its segments.
double bank_products(const twiddle::Convolution& convolution, const DeviceLimits& limits, double segments) {
  const auto filters = static_cast<double>(convolution.filters);
  const double shared = costs(limits).shared_groups * units(limits);
  if (shared == 0) return segments * (convolution.complex ? 1 : 0.5) * (filters + 1);
  const double lines = convolution.complex ? segments : std::ceil(segments / 2);
  const double groups = std::min(lines * filters, shared);
  const double idle = std::ceil(groups / units(limits)) * units(limits) / groups;
  return (lines * filters + std::max(lines, groups)) * idle;
}

DeviceOverlapSave segments_on_chip(const twiddle::Convolution& convolution, const DeviceLimits& limits,
                                   const BankSegment& segment) {
  const std::uint64_t step = use_of_segment(convolution, segment.length).outputs;
  const std::uint64_t outputs = convolved_lengths(convolution).back();
  const auto segments = static_cast<double>((outputs + step - 1) / step * convolution.signals);
  DeviceOverlapSave result;
  result.recipe.bank = {segment.length, segment.radices, false, false};
  const Costs& each = costs(limits);
  const double wide = convolution.precision == Precision::float64 ? each.product.wide : 1;
  result.nanoseconds = measured_units / units(limits) * wide * bank_products(convolution, limits, segments) *
                           segment.cost * each.bank_product +
                       each.bank_call;
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

// The extended signals' segments forward, and for all filters back, the last one by itself.
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
  const auto all = static_cast<double>(result.recipe.segments * points * convolution.signals);
  const auto filters = static_cast<double>(convolution.filters);
  const Costs& each = costs(limits);
  result.nanoseconds = (1 + filters) * all * segment_cost(convolution, points, limits) + 3 * each.transform_call +
                       each.copy_call + all * each.copied_point * times_measured(convolution, each.segment, limits);
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
  const bool line = convolution.signal_lengths.size() == 1;
  const double lines = line ? 1 : columns ? column_lines : sum_lines;
  const double results = result_count(convolution);
  const Costs& cost = costs(limits);
  const double idle = units(limits) * cost.busy_groups * device_sum_tile * lines;  // results that take no longer
  const double term = std::max(results * (line ? cost.line_term : cost.sum_term), idle * cost.sum_term);
  const double summing = terms * term * times_measured(convolution, cost.term, limits);
  const double passes = convolution.post != PostProcessing{} || convolution.store_hook ? 2 : 1;
  const double storing = results * cost.one_result * times_measured(convolution, cost.moved, limits);
  const double first = cost.results_wait ? summing + storing : std::max(summing, storing);
  return first + (passes - 1) * storing + passes * cost.sums_call;
}

std::uint64_t padded_line(const twiddle::Convolution& convolution, const DeviceLimits& limits, std::uint64_t least) {
  const std::uint64_t good = good_size(least, convolution.complex ? Kind::c2c : Kind::r2c);
  const std::uint64_t even = std::bit_ceil(least);
  return device_whole_cost(convolution, limits, {even}) < device_whole_cost(convolution, limits, {good}) ? even : good;
}

double device_whole_cost(const twiddle::Convolution& convolution, const DeviceLimits& limits,
                         const std::vector<std::uint64_t>& padded) {
  double points = static_cast<double>(convolution.signals);
  for (const std::uint64_t length : padded) points *= static_cast<double>(length);
  const Costs& cost = costs(limits);
  const bool line = padded.size() == 1;
  const double image =
      (points <= cached_points ? cost.cached_image : cost.two_passes) * times_measured(convolution, cost.moved, limits);
  const double line_cost =
      line ? transform_cost(convolution, padded.back(), convolution.signals * convolution.filters, limits) : image;
  const bool pairs = line && !convolution.complex && padded.back() % 2 == 0;  // of reals, taken two at a time
  const double each = line_cost * (pairs ? cost.paired_reals : 1);
  const bool one_pass = line && takes_one_pass(convolution, padded.back(), limits);
  const auto call = [&](std::size_t lines) {
    const double passes = line && !convolution.complex ? cost.real_line_call : cost.transform_call;
    return std::max(one_pass ? cost.line_call : passes,
                    line ? group_time(convolution, padded.back(), lines, limits) : 0);
  };
  return static_cast<double>(1 + convolution.filters) * points * each + call(1) + call(convolution.filters);
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
  if (best->recipe.step != 0) return *best;
  // What the method takes is estimated as ever, so that a choice of segments is none of methods.
  if (const BankChoice* tuned = tuned_bank(convolution, device_limits)) {
    best->recipe.bank = {tuned->segment, tuned->radices, false, false};
  }
  return *best;
}

}  // namespace twiddle::plan
