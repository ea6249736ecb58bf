// The planner: from a transform and a device's limits to the algorithm for each axis.
#include "plan/recipe/recipe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "plan/device/limits.hpp"
#include "plan/lower/axis_rule.hpp"
#include "plan/lower/leaves.hpp"
#include "plan/lower/pair_lines.hpp"
#include "plan/recipe/choose_line.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/cluster.hpp"
#include "plan/shape/joined.hpp"
#include "plan/shape/prefetch.hpp"
#include "plan/shape/shape.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {

bool FourStep::operator==(const FourStep& other) const { return *columns == *other.columns && *rows == *other.rows; }

bool Bluestein::operator==(const Bluestein& other) const {
  return *padded == *other.padded && middle_in_one == other.middle_in_one;
}

unsigned largest_prime_factor(const DeviceLimits& limits) {
  if (limits.strategy.radices != Strategy::Radices::all) return 2;
  if (limits.shape == DeviceLimits::Shape::owned) return host_largest_prime;
  return largest_chip_prime;
}

LineUse line_use(const Transform& transform, std::size_t axis) {
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < transform.lengths.size(); ++i) inner *= transform.lengths[i];
  if (inner > 1) return LineUse::columns;
  if (transform.kind != Kind::c2c) return LineUse::mapped_rows;
  return LineUse::rows;
}

namespace {

bool is_two_stages(const LineRecipe& line) {
  const auto stays = [](const LineRecipe& part) {
    return std::holds_alternative<Stockham>(part.algorithm) || std::holds_alternative<Convolved>(part.algorithm);
  };
  const auto* parts = std::get_if<FourStep>(&line.algorithm);
  return parts != nullptr && stays(*parts->columns) && stays(*parts->rows);
}

// Whether one stage computes the line and carries out a map behind it, as it then does for two lines (pair_lines.hpp).
bool takes_one_stage(const LineRecipe& line, const DeviceLimits& limits) {
  const auto leaf = chip_leaf(line);
  if (!leaf) return std::holds_alternative<Identity>(line.algorithm) || std::holds_alternative<Direct>(line.algorithm);
  Stage stage;
  stage.length = leaf->length;
  stage.radices = leaf->radices;
  stage.convolution = leaf->convolution;
  return holds_store_map(stage, limits);
}

bool is_host_stage(const LineRecipe& line, const DeviceLimits& limits) {
  return limits.shape == DeviceLimits::Shape::owned && std::holds_alternative<Stockham>(line.algorithm);
}

// On the host, which has two pairs of planes for a line, these fill the core's cache: 32769 to 131073 points of dct1
// and dst1 take 0.35 to 1.0 of the time in two stages (an EPYC, Zen 4), shorter ones to 1.3.
bool fills_core_cache(const LineRecipe& line, const DeviceLimits& limits) {
  constexpr std::uint64_t planes = 4;
  return is_host_stage(line, limits) && planes * line.length * sizeof(float) >= limits.level2_cache;
}

// On the host a line in one stage reads and writes memory once, which counts as soon as all lines are too large for the
// cache: for so many cores' own ones.
constexpr std::uint64_t symmetric_cores = 8;

bool prefers_symmetric(const Transform& transform, const LineRecipe& line, const DeviceLimits& limits) {
  const std::uint64_t bytes = total_elements(transform) * sizeof(float);  // as limits count
  return is_host_stage(line, limits) &&
         (bytes <= symmetric_cores * limits.level2_cache || fills_core_cache(line, limits));
}

// Replaces a halved line by one that is symmetric in two stages, where these are exact enough, or by one that is
// extended, where it has several stages anyway. Returns the line's form.
LineForm replace_halved(LineRecipe& line, const Transform& transform, std::size_t axis, std::uint64_t lines,
                        const DeviceLimits& limits) {
  const std::optional<LineForm> form = symmetric_form(transform, axis, limits);
  if (!form) return LineForm::halved;
  const bool several = !std::holds_alternative<Bluestein>(line.algorithm) && !takes_one_stage(line, limits);
  const bool symmetric = *form == LineForm::symmetric && (several || prefers_symmetric(transform, line, limits));
  if (!symmetric && !several) return LineForm::halved;
  const std::uint64_t points = axis_points(transform, axis, *form, limits);
  LineRecipe whole = choose_line(points, line_use(transform, axis), lines, limits, {points, points});
  const bool on_chip = limits.shape == DeviceLimits::Shape::on_chip;
  if ((on_chip || (symmetric && fills_core_cache(line, limits))) && !is_two_stages(whole)) {
    if (auto parts = choose_two_stages(points, line_use(transform, axis), lines, limits)) whole = std::move(*parts);
  }
  const bool in_two = symmetric && is_two_stages(whole);
  if (!in_two && (!several || leaves(whole).size() < 2)) return LineForm::halved;
  line = std::move(whole);
  return in_two ? LineForm::symmetric : LineForm::extended;
}

// Of a line that one stage convolves; else 0.
std::uint64_t convolved_points(const LineRecipe& line) {
  const auto* convolved = std::get_if<Convolved>(&line.algorithm);
  return convolved == nullptr ? 0 : convolved->convolution.points;
}

// Lines of reals for each thread from which on two are faster as one beyond the cache than each of fewer points: then
// an odd one in the end does not count.
constexpr std::uint64_t paired_beyond_cache = 8;

// `form` is the usual one, which several stages may change.
Recipe::Axis choose_axis(const Transform& transform, std::size_t axis, LineForm form, const DeviceLimits& limits) {
  const std::uint64_t lines = total_elements(transform) / transform.lengths[axis];
  const LineUse use = line_use(transform, axis);
  const bool host = limits.shape == DeviceLimits::Shape::owned;
  const bool alone = host && form == LineForm::whole && limits.strategy == Strategy{} &&
                     (lines == 1 ? is_faster_halved_alone(transform, axis)
                                 : !are_columns(use) && is_faster_halved_in_rows(transform, axis, lines));
  if (alone) form = LineForm::halved;
  const auto line_for = [&](LineForm of, bool paired) {
    const std::uint64_t transforms = host && (paired || is_real_to_real(transform.kind)) ? (lines + 1) / 2 : lines;
    return choose_line(axis_points(transform, axis, of, limits), use, transforms, limits,
                       line_extents(transform, axis, of, paired, limits));
  };
  const bool paired = pairs_real_lines(transform, axis, limits);
  LineRecipe line = line_for(form, paired);
  const bool few_pairs = lines < paired_beyond_cache * limits.compute_units && exceeds_cache(line, limits);
  if (host && paired && (std::holds_alternative<Bluestein>(line.algorithm) || few_pairs)) {
    // One stage for each line is faster than several for two.
    LineRecipe alone = line_for(form, false);
    if (std::holds_alternative<Convolved>(alone.algorithm)) line = std::move(alone);
  }
  if (form == LineForm::whole && can_be_halved(transform, axis)) {
    // In several stages half of the points are half of the work and of the memory. In one, the host convolves two lines
    // together, or each in half of the points, if by a convolution of fewer.
    const bool several = !takes_one_stage(line, limits);
    const std::uint64_t points = host ? convolved_points(line) : 0;
    if (several || points > 0) {
      LineRecipe half = line_for(LineForm::halved, false);
      const std::uint64_t half_points = convolved_points(half);
      if (several || (half_points > 0 && 2 * half_points < points)) {
        form = LineForm::halved;
        line = std::move(half);
      }
    }
  }
  if (alone && takes_one_stage(line, limits)) return {axis, std::move(line), form};
  if (form == LineForm::halved) form = replace_halved(line, transform, axis, lines, limits);
  return {axis, std::move(line), form};
}

}  // namespace

LineRecipe in_stages(std::vector<std::vector<unsigned>> passes) {
  const auto part = [](std::vector<unsigned> radices) {
    const std::size_t length = product(radices);
    return LineRecipe{length, Stockham{std::move(radices)}};
  };
  LineRecipe line = part(std::move(passes.back()));
  for (passes.pop_back(); !passes.empty(); passes.pop_back()) {
    const FourStep parts{std::make_shared<const LineRecipe>(part(std::move(passes.back()))),
                         std::make_shared<const LineRecipe>(std::move(line))};
    line = {parts.columns->length * parts.rows->length, parts};
  }
  return line;
}

Recipe make_recipe(const Transform& transform, const DeviceLimits& device_limits) {
  validate(transform);
  if (transform.precision == Precision::extended && device_limits.shape != DeviceLimits::Shape::owned) {
    throw Unsupported(fmt::format("{}: long double is computed on the host only; choose the device 'host', or f64",
                                  to_string(transform)));
  }
  const DeviceLimits limits = limits_for(device_limits, transform.precision);
  Recipe recipe;
  const auto axes = transformed_axes(transform);
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    const LineForm form = usual_form(transform, *axis);
    const std::size_t points = axis_points(transform, *axis, form, limits);
    if (auto joined = joined_division(transform, limits)) {
      recipe.axes.push_back({*axis, in_stages({std::move(joined->columns), std::move(joined->rows)}), form});
    } else if (auto cluster = cluster_choice(transform, *axis, limits)) {
      recipe.axes.push_back({*axis, {points, Stockham{std::move(cluster->radices)}}});
    } else if (auto prefetch = prefetch_choice(transform, *axis, points, limits)) {
      recipe.axes.push_back({*axis, {points, Stockham{std::move(prefetch->radices)}}});
    } else if (points > 1) {
      recipe.axes.push_back(choose_axis(transform, *axis, form, limits));
    } else if (transform.kind != Kind::c2c) {
      recipe.axes.push_back({*axis, {1, Identity{}}, form});
    }
  }
  return recipe;
}

std::string to_string(const LineRecipe& line) {
  struct Print {
    std::size_t length;
    std::string operator()(const Identity&) const { return "1"; }
    std::string operator()(const Stockham& s) const {
      const std::string text = fmt::format("{} = {}", length, fmt::join(s.radices, "."));
      return s.to_spectrum.empty() ? text : fmt::format("{}, to the spectrum {}", text, fmt::join(s.to_spectrum, "."));
    }
    std::string operator()(const Staged& s) const {
      return fmt::format("{} = {} staged{}{}", length, fmt::join(s.radices, "|"),
                         s.twiddles == Strategy::Twiddles::separate ? ", twiddles apart" : "",
                         s.reversal == Strategy::DigitReversal::separate ? ", digit reversal apart" : "");
    }
    std::string operator()(const FourStep& f) const {
      return fmt::format("{} = [{}] x [{}]", length, to_string(*f.columns), to_string(*f.rows));
    }
    std::string operator()(const Convolved& c) const {
      return fmt::format("{} = {} {} = {}", length, to_string(c.convolution.algorithm), c.convolution.points,
                         fmt::join(c.radices, "."));
    }
    std::string operator()(const Direct&) const { return fmt::format("{} by the definition", length); }
    std::string operator()(const Bluestein& b) const {
      return fmt::format("{} = Bluestein [{}]{}", length, to_string(*b.padded),
                         b.middle_in_one ? ", there and back" : "");
    }
  };
  return std::visit(Print{line.length}, line.algorithm);
}

std::string to_string(const Recipe::Axis& axis) {
  const char* form = axis.form == LineForm::symmetric  ? ", symmetric"
                     : axis.form == LineForm::extended ? ", extended"
                                                       : "";
  return to_string(axis.line) + form;
}

}  // namespace twiddle::plan
