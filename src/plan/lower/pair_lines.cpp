// Pairs of lines as planar complex lines, and their spectra by maps.
#include "plan/lower/pair_lines.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "plan/shape/shape.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

bool is_real(const Storage& storage) { return storage.form == Storage::Form::real; }

bool real_to_real(const Stage& stage) {
  return is_real(stage.input_storage) && is_real(stage.output_storage) && stage.store_map &&
         !pairs_reals(stage.store_map->rule);
}

// The lower half of the spectrum of a whole line, nothing left out.
bool stores_half_spectrum(const Stage& stage) {
  const auto& bound = stage.store_bound;
  return is_real(stage.input_storage) && !is_real(stage.output_storage) && !stage.load_map && !stage.store_map &&
         bound && bound->first == 0 && bound->count == stage.length / 2 + 1 && bound->element_stride == 1 &&
         !bound->real_first &&
         std::all_of(bound->loop_strides.begin(), bound->loop_strides.end(),
                     [](std::int64_t step) { return step == 0; });
}

bool loads_half_spectrum(const Stage& stage) {
  return is_real(stage.output_storage) && !is_real(stage.input_storage) && !stage.store_map && stage.load_map &&
         stage.load_map->rule == Rule::hermitian_load && stage.load_map->source_count == stage.length / 2 + 1;
}

// A line of reals on its own by convolution, whose two transforms in a row round more than one: the halves of the
// spectrum differ by their errors only, of which their mean has less.
Stage for_one_line(Stage stage, const DeviceLimits& limits) {
  if (!stage.convolution || limits.shape != DeviceLimits::Shape::on_chip || !stores_half_spectrum(stage)) return stage;
  if (stage.twiddle || stage.load_factor || stage.store_factor || stage.store_hook) return stage;
  Stage mean = stage;
  mean.store_bound.reset();
  mean.store_map = LineMap{Rule::mean_spectrum_store, stage.length, stage.length, stage.length / 2 + 1};
  return holds_store_map(mean, limits) ? mean : stage;
}

// Work-groups hold whole lines in local memory. The host computes half of a line of reals, but by convolution, where
// two lines as one take less; Bluestein's points then have to serve for all of the line.
bool takes_two_spectra(const Stage& stage, const DeviceLimits& limits) {
  if (limits.shape != DeviceLimits::Shape::owned) return limits.shape == DeviceLimits::Shape::on_chip;
  return stage.convolution && stage.convolution->inputs == 0;
}

// The stage for two lines, their distances on either side still to be said; nothing where it cannot be.
std::optional<Stage> for_two_lines(Stage stage, const DeviceLimits& limits) {
  const auto has_period = [](const std::optional<Bound>& bound) { return bound && bound->period != 0; };
  const bool mirrored = has_period(stage.load_bound) || has_period(stage.store_bound);  // which conjugates, of one line
  const bool plain = !stage.radices.empty() && !stage.twiddle && !stage.load_factor && !stage.store_factor &&
                     !stage.load_hook && !stage.store_hook && !mirrored;
  if (!plain) return std::nullopt;
  if (real_to_real(stage)) return stage;
  if (stage.length % 2 == 0 || !takes_two_spectra(stage, limits)) return std::nullopt;
  const std::uint64_t both = 2 * (stage.length / 2 + 1);
  if (stores_half_spectrum(stage)) {
    stage.store_bound.reset();
    stage.store_map = LineMap{Rule::two_spectra_store, stage.length, stage.length, both};
    if (holds_store_map(stage, limits)) return stage;
  } else if (loads_half_spectrum(stage)) {
    stage.load_map = LineMap{Rule::two_spectra_load, stage.length, both, stage.length};
    return stage;
  }
  return std::nullopt;
}

// Two lines as one; or the second line's spectrum, that far away.
void take_both(Stage& stage, Storage& storage, std::int64_t distance) {
  if (is_real(storage)) {
    storage.form = Storage::Form::planar;
    storage.imaginary_offset = distance;
  } else {
    stage.second_spectrum = distance;
  }
}

// Whether the lines of a loop differ by their places alone.
bool has_equal_lines(const Stage& stage, std::size_t loop) {
  if (stage.loops[loop].input_stride == 0) return false;
  const auto depends = [&](const std::optional<Bound>& bound) { return bound && bound->loop_strides[loop] != 0; };
  return !depends(stage.load_bound) && !depends(stage.store_bound);
}

// The loop whose lines are paired: the one with most turns, so that the least is left over; one that leaves nothing
// over goes before. Nothing where there is none of two lines.
std::optional<std::size_t> choose_loop(const Stage& stage) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i + stage.launched_loops < stage.loops.size(); ++i) {  // in one launch
    if (stage.loops[i].count < 2 || !has_equal_lines(stage, i)) continue;
    const auto value = [&](std::size_t loop) {
      return std::pair(stage.loops[loop].count % 2 == 0, stage.loops[loop].count);
    };
    if (!best || value(*best) < value(i)) best = i;
  }
  return best;
}

// Where one of few lines is left over, it costs a launch more, which half of the work does not outweigh: on an H200, 3
// to 201 lines of 243 to 2187 points take 0.5 of the time without pairs, and single lines of 59049 reals, whose columns
// they are, 0.66 to 1.0.
bool launches_in_vain(const Stage& stage, std::size_t loop, const DeviceLimits& limits) {
  constexpr std::uint64_t elements_for_each_unit = 2048;
  return limits.shape == DeviceLimits::Shape::on_chip && stage.loops[loop].count % 2 != 0 &&
         transform_count(stage) * stage.length < elements_for_each_unit * limits.compute_units;
}

// Whether the host transforms a few rows, of an odd number of reals, faster one after the other, as reals between maps
// by vectors: 2 to 9 of 35 to 2187 points take 0.3 to 0.7 of the time of pairs, which in the lanes of vectors make up
// for it the earlier the shorter they are.
bool are_faster_alone(const Stage& stage, const DeviceLimits& limits) {
  constexpr std::uint64_t shortest = 35;  // others are products with a matrix
  constexpr std::uint64_t least = 6, most = 10, points_of_one_more = 64;
  if (limits.shape != DeviceLimits::Shape::owned || !real_to_real(stage) || stage.convolution) return false;
  if (stage.length % 2 == 0 || stage.length < shortest) return false;
  const bool by_vectors = std::ranges::any_of(
      std::array{Rule::dct2_store, Rule::dst2_store, Rule::dct3_store, Rule::dst3_store, Rule::dht_store},
      [&](Rule rule) { return stage.store_map->rule == rule; });
  const bool whole = is_whole(*stage.store_map) && (!stage.load_map || is_whole(*stage.load_map));
  const bool rows = stage.input_stride == 1 && stage.output_stride == 1 &&
                    stage.input_storage.precision == stage.precision &&
                    stage.output_storage.precision == stage.precision;
  return by_vectors && whole && rows &&
         transform_count(stage) < std::clamp(stage.length / points_of_one_more, least, most);
}

// Whether neighbours among the lines are nearer to each other than those in a line: these stay neighbours, and lines as
// far apart as possible are paired.
bool runs_across(const Stage& stage, const Loop& lines) {
  return std::abs(lines.input_stride) < std::abs(stage.input_stride) ||
         std::abs(lines.output_stride) < std::abs(stage.output_stride);
}

}  // namespace

bool pairs_real_lines(const Transform& transform, std::size_t axis, const DeviceLimits& limits) {
  if (transform.load_hook || transform.store_hook) return false;
  if (transform.kind != Kind::r2c || axis != transformed_axes(transform).back()) return false;
  const std::size_t n = transform.lengths[axis];
  if (n % 2 == 0 || (!transform.output_extents.empty() && transform.output_extents[axis] <= n / 2)) return false;
  const std::vector<std::size_t>& extents =
      transform.input_extents.empty() ? transform.lengths : transform.input_extents;
  if (limits.shape == DeviceLimits::Shape::owned && extents[axis] < n) return false;  // fewer points serve one line
  bool several = transform.batch > 1;
  for (std::size_t d = 0; d < extents.size(); ++d) several = several || (d != axis && extents[d] > 1);
  return several;
}

std::vector<Stage> pair_lines(Stage stage, const DeviceLimits& limits) {
  const std::optional<std::size_t> loop = choose_loop(stage);
  const bool pays = loop && !launches_in_vain(stage, *loop, limits) && !are_faster_alone(stage, limits);
  std::optional<Stage> both = pays ? for_two_lines(stage, limits) : std::nullopt;
  if (!both) return {for_one_line(std::move(stage), limits)};
  const Loop lines = stage.loops[*loop];
  const auto pairs = static_cast<std::int64_t>(lines.count / 2);
  const std::int64_t apart = runs_across(stage, lines) ? pairs : 1;  // turns from a line to its partner
  std::vector<Stage> result;
  take_both(*both, both->input_storage, apart * lines.input_stride);
  take_both(*both, both->output_storage, apart * lines.output_stride);
  Loop& turns = both->loops[*loop];
  turns.count = lines.count / 2;
  if (apart == 1) {
    turns.input_stride *= 2;
    turns.output_stride *= 2;
  }
  tidy_loops(*both);
  result.push_back(std::move(*both));
  if (lines.count % 2 != 0) {
    stage.loops[*loop].count = 1;
    stage.input_offset += 2 * pairs * lines.input_stride;
    stage.output_offset += 2 * pairs * lines.output_stride;
    tidy_loops(stage);
    result.push_back(for_one_line(std::move(stage), limits));
  }
  return result;
}

}  // namespace twiddle::plan
