// Lowering: axis by axis, every algorithm becomes drafts of stages, which are then given memory and kernel shapes.
#include "plan/lower/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plan/device/limits.hpp"
#include "plan/lower/axis_order.hpp"
#include "plan/lower/emit.hpp"
#include "plan/lower/leaves.hpp"
#include "plan/lower/pair_lines.hpp"
#include "plan/lower/place.hpp"
#include "plan/lower/real_halves.hpp"
#include "plan/lower/slice.hpp"
#include "plan/recipe/host_division.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/joined.hpp"
#include "plan/shape/joined_images.hpp"
#include "plan/shape/planes.hpp"
#include "plan/shape/real_rows.hpp"
#include "plan/shape/shape.hpp"
#include "plan/shape/vectors.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

// Whether the first of several axes reads an input that must stay as it is, and reals are written in the end, which
// have no room for what is between: then only its first part should move elements.
bool passes_through_scratch(const Transform& transform, Direction direction, Placement placement) {
  return transform.kind == Kind::r2c && direction == Direction::inverse && placement == Placement::out_of_place &&
         !transform.overwrite_input;
}

bool by_convolution(const LineRecipe& line) {
  if (const auto* parts = std::get_if<FourStep>(&line.algorithm)) {
    return by_convolution(*parts->columns) || by_convolution(*parts->rows);
  }
  return std::holds_alternative<Convolved>(line.algorithm) || std::holds_alternative<Bluestein>(line.algorithm);
}

// Whether the stage that computes whole lines of an axis can carry out the map behind it.
bool can_store_map(const AxisTask& task, const Leaf& leaf, Precision precision, const DeviceLimits& limits) {
  Stage stage;
  stage.precision = precision;
  stage.length = leaf.length;
  stage.radices = leaf.radices;
  stage.convolution = leaf.convolution;
  stage.load_map = task.rule.load_map;
  stage.store_map = task.rule.store_map;
  return holds_store_map(stage, limits);
}

// Whether an extended line keeps means of a quarter: in two stages on chip, of which the first one can carry out its
// map. Of several lines on the host half of each is faster, and slices of them need no more than the data. Nor where
// powers of 13, which round more than others, leave no room for what means do: 49 * 13^3 points have 1.09 times FFTW's
// error on an H100, 3 * 13^4 points 1.13 times on the host.
bool can_keep_means(const AxisTask& task, const LineRecipe& line, Precision precision, const DeviceLimits& limits) {
  constexpr std::uint64_t many_thirteens = 13 * 13 * 13;
  if (!task.rule.extended || !has_two_parts(line) || task.rule.points % many_thirteens == 0) return false;
  const bool host = limits.shape == DeviceLimits::Shape::owned;
  if (host && lines_along(task.source, task.dimension) > 1) return false;
  const auto leaf = [](const auto& part) { return *chip_leaf(*part); };
  const auto& parts = std::get<FourStep>(line.algorithm);
  return can_store_map(task, leaf(parts.columns), precision, limits) &&
         can_store_map(task, leaf(parts.rows), precision, limits);
}

// Whether the map between a spectrum and reals of a line in two stages can be carried out by the one that is beside it.
bool can_share_map(const AxisTask& task, const LineRecipe& line, Precision precision, const DeviceLimits& limits) {
  const auto* four_step = std::get_if<FourStep>(&line.algorithm);
  if (four_step == nullptr || limits.shape != DeviceLimits::Shape::on_chip || task.rule.first_map) return false;
  const auto* columns = std::get_if<Stockham>(&four_step->columns->algorithm);
  const auto* rows = std::get_if<Stockham>(&four_step->rows->algorithm);
  if (columns == nullptr || rows == nullptr) return false;
  if (task.rule.load_map.has_value() == task.rule.store_map.has_value()) return false;
  // Too few tiles leave compute units idle, which a pass of the map's own does not.
  const std::uint64_t turns =
      (task.rule.load_map ? four_step->rows : four_step->columns)->length * lines_along(task.source, task.dimension);
  if (2 * turns < limits.compute_units * tile_width(limits)) return false;
  if (task.rule.load_map) {
    return task.rule.load_map->rule == LineMap::Rule::c2r_load && four_step->rows->length % 2 == 0 &&
           task.rule.load_map->source_count == full_source_count(LineMap::Rule::c2r_load, task.rule.load_map->length);
  }
  Stage last;
  last.precision = precision;
  last.length = four_step->rows->length;
  last.radices = rows->radices;
  return task.rule.store_map->rule == LineMap::Rule::r2c_store && four_step->columns->length % 2 == 0 &&
         task.rule.store_map->count == full_count(LineMap::Rule::r2c_store, task.rule.store_map->length) &&
         holds_shared_map(last, limits);
}

// The same on the host, for plain lines of adjacent numbers, where the second stage has enough transforms for whole
// vectors on either side: its columns, or its rows if these come last. Whether rows come first then; nothing where the
// map is a stage of its own. From memory rows last are faster, as these are read in order: r2c of 270000 to 4194304
// doubles and floats takes 0.68 to 1.03 of the time on an EPYC (Zen 4), in place 0.58 to 1.02, two threads 0.63 to 0.98
// and 0.57 to 1.09. Out of place they need a third array, which the last cache is to hold as well while it holds all:
// data of 8 to 12 cores' caches took 0.88 to 1.44.
std::optional<bool> takes_map_by_rows_first(const AxisTask& task, const LineRecipe& line, const PlaceRules& rules,
                                            const DeviceLimits& limits) {
  constexpr std::size_t fewest = 128;
  constexpr std::uint64_t cores_out_of_place = 12;
  const auto* four_step = std::get_if<FourStep>(&line.algorithm);
  if (four_step == nullptr || task.rule.first_map || task.rule.load_map || !task.rule.store_map) return std::nullopt;
  const LineMap& map = *task.rule.store_map;
  const View& written = rules.sides.written;
  const std::size_t columns = four_step->columns->length;
  const std::size_t rows = four_step->rows->length;
  const bool plain = std::holds_alternative<Stockham>(four_step->columns->algorithm) &&
                     std::holds_alternative<Stockham>(four_step->rows->algorithm) &&
                     map.rule == LineMap::Rule::r2c_store && is_whole(map) && task.source.order.empty() &&
                     !rules.load_hook && !rules.store_hook && task.dimension + 1 == task.source.extents.size() &&
                     written.strides[task.dimension] == 1 &&
                     written.storage == Storage{Storage::Form::interleaved, rules.precision, 0};
  if (!plain) return std::nullopt;
  const std::uint64_t cores = rules.placement == Placement::in_place ? host_rows_first_cores : cores_out_of_place;
  const bool from_memory = memory_bytes(rules.sides.read) > cores * limits.level2_cache;
  if (from_memory && columns >= fewest && host_maps_rows_last(columns, rows, rules.precision)) return false;
  if (rows >= fewest && rows % 2 == 0) return true;
  return std::nullopt;
}

// Whether complex numbers between columns and rows of an odd number of reals, which are one row more than reals, are
// more than one part in 14 more. On an H200 reals take 0.50 to 0.99 of the time then, else 0.79 to 1.58.
bool has_wide_edge(const LineRecipe& line) {
  constexpr std::size_t most_columns = 13;
  const auto* parts = std::get_if<FourStep>(&line.algorithm);
  return parts != nullptr && parts->columns->length <= most_columns;
}

// Whether so many passes make up for one more, which tells two spectra apart or puts them together.
bool has_many_stages(const LineRecipe& line) {
  if (std::holds_alternative<Bluestein>(line.algorithm)) return true;
  if (const auto* staged = std::get_if<Staged>(&line.algorithm)) return staged->radices.size() > 2;
  const auto* parts = std::get_if<FourStep>(&line.algorithm);
  return parts != nullptr && !(chip_leaf(*parts->columns) && chip_leaf(*parts->rows));
}

// A pair in several stages has two arrays of complex numbers, which is all of the data of four lines, and a line that
// is left over has stages of its own. Halves need the data of their line, but more time: r2c of 16 lines of 19683
// floats 1.2 times as much without local memory, c2r of 531441 1.4 times on a CPU.
bool too_few_for_pairs(const AxisTask& task) {
  constexpr std::uint64_t many = 16;
  const std::uint64_t paired = task.source.extents[*task.paired];
  // Of 15 x 15 lines of 6561 floats those left over take longer forward: 1.09 times as long in pairs, back 0.93 times.
  const std::uint64_t lines = task.source.real ? paired : lines_along(task.source, task.dimension);
  return lines < many && (lines < 4 || paired % 2 != 0);
}

// Where lines of reals of odd length take more than two stages, those of one dimension are transformed in pairs: of
// that which has most of them, if possible an even number.
void pair_lines_of(AxisTask& task, const LineRecipe& line, const Transform& transform, const DeviceLimits& limits) {
  if (!has_many_stages(line) || !pairs_real_lines(transform, task.dimension - 1, limits)) return;
  for (std::size_t d = 0; d < task.source.extents.size(); ++d) {
    const auto value = [&](std::size_t dimension) {
      const std::uint64_t lines = task.source.extents[dimension];
      return std::pair(lines % 2 == 0, lines);
    };
    if (d == task.dimension || task.source.extents[d] < 2) continue;
    if (!task.paired || value(d) > value(*task.paired)) task.paired = d;
  }
  if (task.halves && too_few_for_pairs(task)) return task.paired.reset();
  task.halves = false;
  take_two_spectra(task.rule);
}

std::size_t convolved_parts(const LineRecipe& line) {
  if (const auto* parts = std::get_if<FourStep>(&line.algorithm)) {
    return convolved_parts(*parts->columns) + convolved_parts(*parts->rows);
  }
  return std::holds_alternative<Convolved>(line.algorithm) ? 1 : 0;
}

// Half of the spectra of reals with three parts by convolution or more, whose errors add up: of the first one's results
// the mean of both halves has less. 67 * 61 * 61 doubles have 1.11 times the error of FFTW's otherwise; two parts have
// at most 1.08 times, and floats have room.
void take_means(AxisTask& task, const LineRecipe& line, Precision precision, const DeviceLimits& limits) {
  const bool from_spectrum = task.rule.store_map && task.rule.direction == Direction::inverse;
  if (!task.halves || !task.source.real || from_spectrum || limits.shape != DeviceLimits::Shape::on_chip) return;
  if (precision != Precision::float64 || convolved_parts(line) < 3) return;
  task.means = can_store_map(task, leaves(line).front(), precision, limits);
}

// Whether what stands between the stages of a line is more than its results have room for, as reals, or halves, where
// the line is of complex numbers, or floats: stages that move elements, and a map behind them, would need two such
// arrays. Of several lines slices need less.
bool needs_two_arrays(const AxisTask& task, bool full_precision) {
  constexpr std::uint64_t few = 4;
  if (!task.rule.store_map || task.paired || lines_along(task.source, task.dimension) >= few) return false;
  const std::uint64_t numbers = task.destination.extents[task.dimension] * (task.destination.real ? 1 : 2);
  return !full_precision || 2 * task.rule.points > numbers;
}

// Whether neighbours along a dimension are not neighbours in memory.
bool has_lines_apart(const Frame& frame, std::size_t dimension) {
  return frame.extents[dimension] > 1 &&
         std::any_of(frame.extents.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, frame.extents.end(),
                     [](std::uint64_t extent) { return extent > 1; });
}

// Throws where the elements that change places would not be as many rows as columns.
void require_square(const Frame& frame, std::size_t dimension, const Strategy& strategy) {
  std::uint64_t columns = 1;
  for (std::size_t d = dimension + 1; d < frame.extents.size(); ++d) columns *= frame.extents[d];
  if (columns == frame.extents[dimension]) return;
  throw Unsupported(
      fmt::format("strategy {}: rows and columns change places within one memory where they are equally many; "
                  "got {} x {}, for which transposes=blocked serves",
                  describe(strategy), frame.extents[dimension], columns));
}

// The last stage that can scale what it stores.
Stage& scaling_stage(std::vector<DraftGroup>& groups) {
  const auto scales = [](const DraftGroup& group) { return !group.drafts.front().stage.swaps; };
  return std::find_if(groups.rbegin(), groups.rend(), scales)->drafts.front().stage;
}

// Throws where a hook would belong to a stage that only moves elements.
void require_stage_for_hook(const Stage& stage, const DeviceLimits& limits) {
  const bool leaves_device = stage.on_host && limits.shape != DeviceLimits::Shape::owned;
  if (!stage.swaps && !leaves_device) return;
  throw Unsupported(
      fmt::format("strategy {}: its transposition is where the transform's hook would be called; expected none, or "
                  "transposes=blocked",
                  describe(limits.strategy)));
}

// Other dimensions than that of the transforms come last.
void launch_each_line(Draft& draft) {
  draft.stage.launched_loops =
      static_cast<std::size_t>(std::count_if(draft.loops.begin(), draft.loops.end(),
                                             [&](const DraftLoop& loop) { return loop.dimension != draft.dimension; }));
}

Draft transposition(const Frame& source, const Frame& destination, const std::string& axis, const Strategy& strategy) {
  using Transposes = Strategy::Transposes;
  const bool blocked = strategy.transposes == Transposes::blocked;
  const std::uint64_t block = strategy.block == 0 ? usual_block : strategy.block;
  Draft draft = transposition_draft(source, destination, blocked ? block : 1);
  draft.stage.on_host = strategy.transposes == Transposes::host;
  draft.stage.swaps = strategy.transposes == Transposes::in_place;
  draft.stage.step = fmt::format("{}: {}", axis, draft.stage.step);
  return draft;
}

// Pairs of lines as one, and every stage with its kernel shape.
Program shaped_in_pairs(Program placed, const DeviceLimits& limits) {
  Program program{{}, placed.scratch_bytes};
  auto turns = placed.turns.begin();
  for (std::size_t i = 0; i < placed.stages.size(); ++i) {
    const bool begins = turns != placed.turns.end() && turns->first == i;
    if (begins)
      program.turns.push_back({program.stages.size(), 0, turns->places, turns->slice_bytes, turns->slices_begin});
    for (Stage& stage : pair_lines(std::move(placed.stages[i]), limits)) {
      stage = in_measured_passes(std::move(stage), limits);
      stage.shape = choose_shape(stage, limits);
      program.stages.push_back(std::move(stage));
    }
    if (turns == placed.turns.end() || i + 1 != turns->first + turns->stages) continue;
    program.turns.back().stages = program.stages.size() - program.turns.back().first;
    ++turns;
  }
  return program;
}

}  // namespace

Program lower_apart(const Recipe& recipe, const Transform& transform, Direction direction, Placement placement,
                    const DeviceLimits& limits, std::optional<std::uint64_t> most_scratch) {
  if (transform.load_hook && transform.load_hook->gathers && placement == Placement::in_place) {
    throw InvalidArgument("the load hook gathers from all of the input; expected another memory for the output");
  }
  const DeviceLimits scaled = limits_for(limits, transform.precision);
  PlaceRules rules{sides_of(transform, direction, placement),
                   placement,
                   transform.overwrite_input,
                   arithmetic_precision(transform.precision),
                   scaled.strategy.parts == Strategy::Parts::planar,
                   transform.load_hook,
                   transform.store_hook};
  const bool writes_reals = rules.sides.written.storage.form == Storage::Form::real;
  Frame frame{rules.sides.read.extents, rules.sides.read.storage.form == Storage::Form::real};
  // Else results have no room for what is between stages, of which only one should move elements: the last one, but
  // where a map behind them does.
  const bool full_precision = rules.precision == transform.precision;
  std::vector<DraftGroup> groups;
  std::vector<AxisGroups> axes;
  long double scale = scale_factor(transform, direction);
  const std::vector<const Recipe::Axis*> ordered = ordered_axes(recipe, transform, direction, rules.sides);
  for (const Recipe::Axis* const ordered_axis : ordered) {
    const Recipe::Axis& axis = *ordered_axis;
    const std::size_t dimension = axis.axis + 1;
    AxisTask task;
    task.dimension = dimension;
    task.name = fmt::format("axis {}", axis.axis);
    task.rule = axis_rule(transform, direction, axis.axis, frame.extents[dimension],
                          rules.sides.written.extents[dimension], scaled, axis.form);
    // Two transforms in a row round more than one, which a mean makes up for. The host's lines of one stage are exact
    // enough.
    const bool host = scaled.shape == DeviceLimits::Shape::owned;
    const bool one_stage = chip_leaf(axis.line).has_value();
    if (task.rule.store_map && by_convolution(axis.line) && !(host && one_stage)) {
      task.rule.store_map->rule = mean_rule(task.rule.store_map->rule);
    }
    task.source = task.destination = frame;
    task.destination.extents[dimension] = rules.sides.written.extents[dimension];
    task.destination.real = task.rule.real_result || (&axis == ordered.back() && writes_reals);
    const bool transposes =
        scaled.strategy.transposes != Strategy::Transposes::none && has_lines_apart(frame, dimension);
    if (transposes) {
      if (scaled.strategy.transposes == Strategy::Transposes::in_place) {
        for (const Frame* side : {&frame, &task.destination}) require_square(*side, dimension, scaled.strategy);
        if (groups.empty()) groups.push_back(group_of(copy_draft(frame)));  // the input stays as it was
      }
      task.source = rows_along(task.source, dimension);
      task.destination = rows_along(task.destination, dimension);
      groups.push_back(group_of(transposition(frame, task.source, task.name, scaled.strategy)));
    }
    const auto leaf = chip_leaf(axis.line);
    task.fuse_load_map = leaf.has_value();
    task.fuse_store_map = leaf && can_store_map(task, *leaf, rules.precision, scaled);
    task.halves = keeps_halves(task, axis.line, scaled);
    task.planar_halves = host || has_wide_edge(axis.line);
    task.means = can_keep_means(task, axis.line, rules.precision, scaled);
    const bool by_bluestein = std::holds_alternative<Bluestein>(axis.line.algorithm);
    if (by_bluestein && axis.line.length % 2 != 0 && has_spectrum_of_reals(task.rule)) keep_half_spectrum(task.rule);
    const auto by_rows_first =
        host && scaled.strategy == Strategy{} ? takes_map_by_rows_first(task, axis.line, rules, limits) : std::nullopt;
    const bool on_device = !host && !hooks_see_elements(transform);
    task.share_map = by_rows_first || (on_device && can_share_map(task, axis.line, rules.precision, scaled));
    const bool in_caches = memory_bytes(rules.sides.read) <= host_rows_first_cores * limits.level2_cache;
    task.rows_first = (axes.empty() && ordered.size() > 1 && passes_through_scratch(transform, direction, placement)) ||
                      (host && by_rows_first.value_or((full_precision || task.rule.store_map) && in_caches));
    task.last_moves = !full_precision;
    pair_lines_of(task, axis.line, transform, scaled);
    take_means(task, axis.line, rules.precision, scaled);
    task.keeps_places = scaled.strategy == Strategy{} && needs_two_arrays(task, full_precision);
    scale *= point_factor(task).value_or(1);
    axes.push_back({task, &axis.line, groups.size(), 0});
    for (Draft& draft : emit(task, axis.line)) {
      if (scaled.strategy.launches == Strategy::Launches::one_per_row) launch_each_line(draft);
      groups.push_back(group_of(std::move(draft)));
    }
    axes.back().count = groups.size() - axes.back().first;
    frame = task.destination;
    if (!transposes) continue;
    frame.order.clear();
    groups.push_back(group_of(transposition(task.destination, frame, task.name, scaled.strategy)));
  }
  const bool nothing_to_do = groups.empty() && scale == 1.0L && placement == Placement::in_place &&
                             rules.sides.read == rules.sides.written && !transform.load_hook && !transform.store_hook;
  if (nothing_to_do) return {};
  if (groups.empty()) groups.push_back(group_of(copy_draft(frame)));
  scaling_stage(groups).scale *= scale;

  Program placed = scaled.strategy == Strategy{} ? place_in_slices(groups, axes, rules, scaled, most_scratch)
                                                 : place(groups, rules).value().program;
  for (const Stage& stage : placed.stages) {
    if (stage.load_hook || stage.store_hook) require_stage_for_hook(stage, scaled);
  }
  Program program = shaped_in_pairs(std::move(placed), scaled);
  require_vectors(program, scaled.strategy);
  return program;
}

Program lower(const Recipe& recipe, const Transform& transform, Direction direction, Placement placement,
              const DeviceLimits& limits, std::optional<std::uint64_t> most_scratch) {
  const DeviceLimits scaled = limits_for(limits, transform.precision);
  Program apart = lower_apart(recipe, transform, direction, placement, limits, most_scratch);
  Program program = with_measured_planes(with_joined_stages(std::move(apart), placement, scaled), placement, scaled);
  return with_measured_images(std::move(program), placement, scaled);
}

}  // namespace twiddle::plan
