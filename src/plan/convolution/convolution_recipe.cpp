// The chooser: a model of what each method takes, with coefficients that were measured.
#include "plan/convolution/convolution_recipe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "plan/choice/bank_choice.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/convolution/convolution_on_device.hpp"
#include "plan/convolution/filter_bank.hpp"
#include "plan/convolution/host_convolution_costs.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/choose_line.hpp"
#include "plan/recipe/host_sharing.hpp"
#include "twiddle/error.hpp"
#include "twiddle/good_size.hpp"

namespace twiddle::plan {
namespace {

using Method = twiddle::Convolution::Method;

// Segments that fill more than half of the first-level cache are slower on some CPUs than on others: what other methods
// may take more before they are taken. So are those that leave it, unless threads share them, which they do not with
// the one line of a whole.
constexpr double full_cache_margin = 1.3;
constexpr double beyond_cache_margin = 1.25;
constexpr std::uint64_t shortest_segment = 32;
constexpr std::uint64_t most_partitions = 64;
constexpr std::uint64_t direct_segment = 4096;  // outputs of a segment of direct sums, where there are as many

double product(const std::vector<std::size_t>& lengths) {
  double result = 1;
  for (const std::size_t length : lengths) result *= static_cast<double>(length);
  return result;
}

// Radices of segments in one stage; none where the device does not hold them.
std::optional<std::vector<unsigned>> segment_radices(std::uint64_t points, const twiddle::Convolution& convolution,
                                                     const DeviceLimits& device_limits) {
  const DeviceLimits limits = limits_for(device_limits, convolution.precision);
  const LineRecipe line = choose_line(points, LineUse::rows, convolution.signals, limits, {points, points});
  const auto* stockham = std::get_if<Stockham>(&line.algorithm);
  if (stockham == nullptr) return std::nullopt;
  return stockham->radices;
}

// Lengths worth trying: smooth ones between the filter's and twice the outputs'.
std::vector<std::uint64_t> segment_candidates(const twiddle::Convolution& convolution) {
  if (convolution.segment != 0) {
    return {good_size(std::max<std::uint64_t>(convolution.segment, shortest_segment))};
  }
  std::vector<std::uint64_t> candidates;
  const std::uint64_t taps = convolution.kernel_lengths.back();
  const std::uint64_t most = std::uint64_t{4} * (convolved_lengths(convolution).back() + taps) + 64;
  for (std::uint64_t power = shortest_segment; power <= std::min<std::uint64_t>(most, 1 << 16); power *= 2) {
    candidates.push_back(power);
    candidates.push_back(power / 2 * 3);
  }
  return candidates;
}

// What the host's segments of so many points are estimated to take; `pieces` is what threads can share.
struct SegmentCost {
  std::uint64_t points;
  bool partitioned;
  double nanoseconds;
  double pieces;
};

class Chooser {
 public:
  Chooser(const twiddle::Convolution& convolution, const DeviceLimits& limits)
      : convolution_(convolution),
        limits_(limits),
        outputs_(convolved_lengths(convolution)),
        scalar_factor_(scalar_factor(convolution)) {
    threads_ = static_cast<double>(std::max<std::size_t>(limits.compute_units, 1));
  }

  ConvolutionRecipe choose() {
    add_direct();
    add_separable();
    add_overlap_save();
    add_whole();
    std::stable_sort(options_.begin(), options_.end(),
                     [](const Option& a, const Option& b) { return a.cost.nanoseconds < b.cost.nanoseconds; });
    const auto chosen = std::find_if(options_.begin(), options_.end(), [this](const Option& option) {
      return convolution_.method == Method::automatic ? option.cost.method != Method::separable
                                                      : option.cost.method == convolution_.method;
    });
    if (chosen == options_.end()) refuse();
    ConvolutionRecipe recipe = chosen->recipe;
    if (convolution_.method == Method::automatic && options_.front().cost.method == Method::separable) {
      recipe.separable = options_.front().recipe.bank;
    }
    for (const Option& option : options_) recipe.compared.push_back(option.cost);
    return recipe;
  }

  // Of the host, cheapest first.
  [[nodiscard]] std::vector<SegmentCost> segment_costs() const {
    std::vector<SegmentCost> costs;
    for (const std::uint64_t points : segment_candidates(convolution_)) {
      for (const bool partitioned : {false, true}) {
        if (const auto cost = segment_cost(points, partitioned)) costs.push_back(*cost);
      }
    }
    std::stable_sort(costs.begin(), costs.end(),
                     [](const SegmentCost& a, const SegmentCost& b) { return a.nanoseconds < b.nanoseconds; });
    return costs;
  }

 private:
  struct Option {
    MethodCost cost;
    ConvolutionRecipe recipe;
  };

  [[noreturn]] void refuse() const {
    std::vector<std::string_view> possible;
    for (const Option& option : options_) possible.push_back(to_string(option.cost.method));
    throw Unsupported(fmt::format("{}: the method {} does not serve this on such a device; possible: {}",
                                  to_string(convolution_), to_string(convolution_.method),
                                  possible.empty() ? "none" : fmt::format("{}", fmt::join(possible, ", "))));
  }

  [[nodiscard]] bool one_dimension() const { return convolution_.signal_lengths.size() == 1; }
  [[nodiscard]] bool on_host() const { return limits_.shape == DeviceLimits::Shape::owned; }

  // How many threads share what has so many pieces. `work` counts points, as the host does to decide whether they do.
  [[nodiscard]] double sharers(double work, double pieces) const {
    return work < static_cast<double>(host_shared_points) ? 1 : std::clamp(pieces, 1.0, threads_);
  }

  // What so many nanoseconds of one thread take with these threads; `alone` is the part that one of them has to do.
  [[nodiscard]] double shared(double nanoseconds, double threads, double alone = 0) const {
    return nanoseconds * (alone + (1 - alone) / host_speedup(threads)) + coefficients_.woken_thread * (threads - 1);
  }

  void add(Method method, double nanoseconds, ConvolutionRecipe recipe) {
    recipe.method = method;
    const std::uint64_t segment = method == Method::overlap_save ? recipe.bank.segment : 0;
    options_.push_back({{method, segment, nanoseconds}, std::move(recipe)});
  }

  // Of a segment of direct sums: results, and what it loses to taps, neighbours and decimation.
  [[nodiscard]] std::uint64_t direct_points() const {
    return convolution_.kernel_lengths.back() + halo_.left + halo_.right + 2 * convolution_.post.decimation +
           std::min<std::uint64_t>(direct_segment, outputs_.back());
  }

  void add_direct() {
    const double results = result_count(convolution_);
    ConvolutionRecipe recipe;
    recipe.bank.segment = direct_points();
    const double taps = product(convolution_.kernel_lengths);
    if (!on_host()) {
      return add(Method::direct, device_sums_cost(convolution_, limits_, taps, false), std::move(recipe));
    }
    const double lines = taps / static_cast<double>(convolution_.kernel_lengths.back());
    const double segments = results / std::min<double>(direct_segment, static_cast<double>(outputs_.back()));
    const double complex = convolution_.complex ? 2 : 1;
    const bool edges = lines > 1 && convolution_.mode != twiddle::Convolution::Mode::valid;
    const double edge = edges ? coefficients_.edge + coefficients_.edge_by_tap * taps / lines : 0;
    const double cost = coefficients_.sum_call +
                        2 * scalar_factor_ * results * (complex * taps * coefficients_.sum + coefficients_.output) +
                        segments * (lines + 4) * coefficients_.line +
                        results / static_cast<double>(outputs_.back()) * lines * edge;
    add(Method::direct, shared(cost, sharers(results * std::ceil(taps / 32), segments)), std::move(recipe));
  }

  // Columns, with the halo of each segment's row, and rows; whether the filters allow it shows when they are set.
  void add_separable() {
    if (outputs_.size() != 2) return;
    const double results = result_count(convolution_);
    const double row = std::min<double>(direct_segment, static_cast<double>(outputs_.back()));
    const auto columns = static_cast<double>(convolution_.kernel_lengths[0]);
    const auto rows = static_cast<double>(convolution_.kernel_lengths[1]);
    ConvolutionRecipe recipe;
    recipe.bank.segment = direct_points();
    recipe.bank.separable = true;
    if (!on_host()) {
      const std::uint64_t bytes = scalar_bytes(convolution_.precision) * (convolution_.complex ? 2 : 1);
      if (!holds_columns(convolution_.kernel_lengths[1], bytes, limits_)) return;
      const double terms = columns * (1 + rows / device_sum_tile) + rows;
      return add(Method::separable, device_sums_cost(convolution_, limits_, terms, true), std::move(recipe));
    }
    const double segments = results / row;
    const double terms = columns * (row + rows) / row + rows;
    const double complex = convolution_.complex ? 2 : 1;
    const double cost =
        coefficients_.sum_call +
        2 * scalar_factor_ * results * (complex * terms * coefficients_.sum + 2 * coefficients_.output) +
        segments * ((columns + 6) * coefficients_.line + rows * coefficients_.column_by_tap);
    add(Method::separable, shared(cost, sharers(results * std::ceil(terms / 32), segments)), std::move(recipe));
  }

  void add_overlap_save() {
    if (!one_dimension()) return;
    if (!on_host()) {
      DeviceOverlapSave best = device_overlap_save(convolution_, limits_);
      return add(Method::overlap_save, best.nanoseconds, std::move(best.recipe));
    }
    const std::vector<SegmentCost> costs = segment_costs();
    for (const SegmentCost& best : costs) {
      const auto radices = segment_radices(best.points, convolution_, limits_);
      if (!radices || radices->size() < 2) continue;
      ConvolutionRecipe recipe;
      recipe.bank = tuned_segments().value_or(BankRecipe{best.points, *radices, false, best.partitioned});
      return add(Method::overlap_save,
                 shared(best.nanoseconds * segment_margin(best), sharers(points_of(best), best.pieces)),
                 std::move(recipe));
    }
  }

  // What was tuned, which does not change what the method is estimated to take.
  [[nodiscard]] std::optional<BankRecipe> tuned_segments() const {
    const BankChoice* tuned = tuned_bank(convolution_, limits_);
    if (tuned == nullptr) return std::nullopt;
    auto radices = segment_radices(tuned->segment, convolution_, limits_);
    if (!radices || radices->size() < 2) return std::nullopt;
    return BankRecipe{tuned->segment, std::move(*radices), false, tuned->partitioned};
  }

  // Of segments of so many points; filters whole or in partitions. Nothing where they are not worth trying.
  [[nodiscard]] std::optional<SegmentCost> segment_cost(std::uint64_t points, bool partitioned) const {
    const SegmentUse use = use_of_segment(convolution_, points, partitioned);
    if (use.outputs == 0 || (partitioned && use.partitions == 1)) return std::nullopt;
    if (convolution_.segment == 0 && (use.outputs < points / 8 || use.partitions > most_partitions)) {
      return std::nullopt;
    }
    const double segments = std::ceil(static_cast<double>(outputs_.back()) / static_cast<double>(use.outputs)) *
                            static_cast<double>(convolution_.signals);
    const double lines = convolution_.complex ? segments : std::ceil(segments / 2);
    const double filters = static_cast<double>(convolution_.filters);
    const double size = static_cast<double>(points);
    const bool wide = convolution_.precision == Precision::float64;
    const double held = (wide ? double_precision : 1) * size;  // as many floats
    const double scalars = held * (wide ? coefficients_.wide_segment : 1);
    const double doublings = std::log2(size);
    const double more = static_cast<double>(use.partitions - 1);
    const double forward =
        scalars * cache_factor(held) * (coefficients_.segment + coefficients_.segment_by_doublings * doublings) +
        coefficients_.segment_call;
    const double back =
        scalars * cache_factor(held) * (coefficients_.product + coefficients_.product_by_doublings * doublings) +
        scalars * more * coefficients_.partition + coefficients_.segment_call;
    return SegmentCost{points, partitioned, (lines + more * threads_) * forward + lines * filters * back,
                       lines * filters};
  }

  // Of all transforms, there and back for each filter.
  [[nodiscard]] double points_of(const SegmentCost& segments) const {
    const auto filters = static_cast<double>(convolution_.filters);
    return segments.pieces / filters * (1 + filters) * static_cast<double>(segments.points);
  }

  [[nodiscard]] double segment_margin(const SegmentCost& segments) const {
    const double size =
        static_cast<double>(segments.points) * (convolution_.precision == Precision::float64 ? double_precision : 1);
    if (cache_factor(size) > 1) return sharers(points_of(segments), segments.pieces) > 1 ? 1 : beyond_cache_margin;
    return cache_factor(2 * size) > 1 ? full_cache_margin : 1;
  }

  // Segments whose planes, six of them, leave the first-level cache, or the second.
  [[nodiscard]] double cache_factor(double size) const {
    const double bytes = 6 * size * sizeof(float);
    if (bytes <= static_cast<double>(limits_.level1_cache)) return 1;
    return bytes <= 0.7 * static_cast<double>(limits_.level2_cache) ? 1.6 : 4;
  }

  // How many times longer a whole takes whose array, spectrum and products are of so many bytes.
  [[nodiscard]] double line_slowdown(double bytes) const {
    const auto level1 = static_cast<double>(limits_.level1_cache);
    const double level2 = 0.5 * static_cast<double>(limits_.level2_cache);
    const double slowdown =
        1 + coefficients_.line_beyond_level1 * std::log2(std::max(1.0, std::min(bytes, level2) / level1)) +
        coefficients_.line_beyond_level2 * std::log2(std::max(1.0, bytes / level2));
    return std::min(slowdown, coefficients_.most_beyond_caches);
  }
  [[nodiscard]] double image_slowdown(double bytes) const {
    const bool leaves = bytes > 0.5 * static_cast<double>(limits_.level2_cache);
    return coefficients_.image * (leaves ? coefficients_.image_beyond_level2 : 1);
  }

  void add_whole() {
    ConvolutionRecipe recipe;
    double points = 1;
    for (std::size_t axis = 0; axis < outputs_.size(); ++axis) {
      const std::uint64_t least = padded_points(axis);
      const bool last = axis + 1 == outputs_.size();
      recipe.padded.push_back(one_dimension() && !on_host()
                                  ? padded_line(convolution_, limits_, least)
                                  : good_size(least, last && !convolution_.complex ? Kind::r2c : Kind::c2c));
      points *= static_cast<double>(recipe.padded.back());
    }
    const double filters = static_cast<double>(convolution_.filters);
    const double signals = static_cast<double>(convolution_.signals);
    if (!on_host()) {
      const double cost = device_whole_cost(convolution_, limits_, recipe.padded);
      return add(Method::whole, cost, std::move(recipe));
    }
    const double doublings =
        std::log2(static_cast<double>(*std::max_element(recipe.padded.begin(), recipe.padded.end())));
    const double bytes = 12 * 2 * scalar_factor_ * points;
    const double cost =
        2 * scalar_factor_ * signals * points * (one_dimension() ? line_slowdown(bytes) : image_slowdown(bytes)) *
        (coefficients_.whole + coefficients_.whole_by_doublings * doublings +
         filters * (coefficients_.whole_product + coefficients_.whole_product_by_doublings * doublings));
    const double call = coefficients_.whole_call + (one_dimension() ? 0 : coefficients_.image_call);
    // Reals are transformed in half of the points.
    add(Method::whole,
        shared(cost + signals * (1 + filters) * call, sharers(convolution_.complex ? points : points / 2, points),
               coefficients_.whole_alone),
        std::move(recipe));
  }

  // Zeros enough that what is kept of a cyclic convolution, neighbours for post-processing included, is not aliased.
  [[nodiscard]] std::uint64_t padded_points(std::size_t axis) const {
    const auto taps = static_cast<std::int64_t>(convolution_.kernel_lengths[axis]);
    const bool last = axis + 1 == outputs_.size();
    const auto left = static_cast<std::int64_t>(last ? halo_.left : 0);
    const auto right = static_cast<std::int64_t>(last ? halo_.right : 0);
    const auto outputs = left + static_cast<std::int64_t>(outputs_[axis]) + right;
    if (convolution_.boundary != Boundary::zero) return static_cast<std::uint64_t>(outputs + taps - 1);
    const auto length = static_cast<std::int64_t>(convolution_.signal_lengths[axis]);
    const auto past = convolution_.past.empty() ? default_past(convolution_)[axis] : convolution_.past[axis];
    const std::int64_t start = taps - 1 - past - left;
    const std::int64_t linear = length + taps - 1;
    if (start < 0 || start + outputs > linear) {
      return static_cast<std::uint64_t>(std::max(linear, start + outputs) - std::min<std::int64_t>(start, 0));
    }
    return static_cast<std::uint64_t>(std::max({length, start + outputs, linear - start}));
  }

  const twiddle::Convolution& convolution_;
  const DeviceLimits& limits_;
  const HostConvolutionCosts& coefficients_ = host_convolution_costs;
  std::vector<std::size_t> outputs_;
  double scalar_factor_;
  Halo halo_ = halo_of(convolution_);
  double threads_ = 1;
  std::vector<Option> options_;
};

}  // namespace

ConvolutionRecipe make_convolution_recipe(const twiddle::Convolution& convolution, const DeviceLimits& limits) {
  validate(convolution);
  twiddle::Convolution asked = convolution;
  if (asked.segment == 0) asked.segment = limits.strategy.segment;
  return Chooser(asked, limits).choose();
}

std::vector<BankRecipe> host_segments(const twiddle::Convolution& convolution, const DeviceLimits& limits) {
  std::vector<BankRecipe> recipes;
  for (const SegmentCost& cost : Chooser(convolution, limits).segment_costs()) {
    auto radices = segment_radices(cost.points, convolution, limits);
    if (!radices || radices->size() < 2) continue;
    recipes.push_back({cost.points, std::move(*radices), false, cost.partitioned});
  }
  return recipes;
}

std::string to_string(const ConvolutionRecipe& recipe) {
  std::string text(to_string(recipe.method));
  if (recipe.method == Method::overlap_save) {
    text += fmt::format(" in segments of {}", recipe.bank.segment);
    text += recipe.step != 0 ? " through memory" : fmt::format(" = {}", fmt::join(recipe.bank.radices, "."));
    if (recipe.bank.partitioned) text += ", filters in partitions";
  }
  if (recipe.method == Method::whole) text += fmt::format(", padded to {}", fmt::join(recipe.padded, "x"));
  return text;
}

}  // namespace twiddle::plan
