// Pairs of neighbouring lines as planar complex lines, and their spectra by maps.
#include "plan/pair_lines.hpp"

#include <algorithm>

#include "plan/shape.hpp"

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
         bound && bound->count == stage.length / 2 + 1 && bound->element_stride == 1 &&
         std::all_of(bound->loop_strides.begin(), bound->loop_strides.end(),
                     [](std::int64_t step) { return step == 0; });
}

bool loads_half_spectrum(const Stage& stage) {
  return is_real(stage.output_storage) && !is_real(stage.input_storage) && !stage.store_map && stage.load_map &&
         stage.load_map->rule == Rule::hermitian_load && stage.load_map->source_count == stage.length / 2 + 1;
}

// A line of reals on its own by convolution, whose two transforms in a row round more than one: the halves of the spectrum
// differ by their errors only, of which their mean has less.
Stage for_one_line(Stage stage, const DeviceLimits& limits) {
  if (!stage.convolution || limits.shape != DeviceLimits::Shape::on_chip || !stores_half_spectrum(stage)) return stage;
  if (stage.twiddle || stage.load_factor || stage.store_factor || stage.store_hook) return stage;
  Stage mean = stage;
  mean.store_bound.reset();
  mean.store_map = LineMap{Rule::mean_spectrum_store, stage.length, stage.length, stage.length / 2 + 1};
  return holds_store_map(mean, limits) ? mean : stage;
}

// The stage for two lines, their distances on either side still to be said; nothing where it cannot be.
std::optional<Stage> for_two_lines(Stage stage, const DeviceLimits& limits) {
  const bool plain = !stage.radices.empty() && !stage.twiddle && !stage.load_factor && !stage.store_factor &&
                     !stage.load_hook && !stage.store_hook;
  if (!plain) return std::nullopt;
  if (real_to_real(stage)) return stage;
  if (limits.shape != DeviceLimits::Shape::on_chip || stage.length % 2 == 0) return std::nullopt;
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

// The loop whose lines are paired: the one with most turns, so that the least is left over.
std::size_t widest_loop(const Stage& stage) {
  const auto widest = std::max_element(stage.loops.begin(), stage.loops.end(),
                                       [](const Loop& a, const Loop& b) { return a.count < b.count; });
  return static_cast<std::size_t>(widest - stage.loops.begin());
}

// Makes a turn of the loop step over `lines` lines.
void widen(Stage& stage, std::size_t loop, std::int64_t lines) {
  stage.loops[loop].input_stride *= lines;
  stage.loops[loop].output_stride *= lines;
  if (stage.load_bound) stage.load_bound->loop_strides[loop] *= lines;
  if (stage.store_bound) stage.store_bound->loop_strides[loop] *= lines;
}

}  // namespace

std::vector<Stage> pair_lines(Stage stage, const DeviceLimits& limits) {
  if (stage.launched_loops != 0) return {std::move(stage)};  // a launch has one line
  if (stage.loops.empty()) return {for_one_line(std::move(stage), limits)};
  const std::size_t loop = widest_loop(stage);
  const Loop lines = stage.loops[loop];
  if (lines.count < 2 || lines.input_stride == 0) return {for_one_line(std::move(stage), limits)};
  std::optional<Stage> both = for_two_lines(stage, limits);
  if (!both) return {for_one_line(std::move(stage), limits)};
  std::vector<Stage> result;
  take_both(*both, both->input_storage, lines.input_stride);
  take_both(*both, both->output_storage, lines.output_stride);
  both->loops[loop].count = lines.count / 2;
  widen(*both, loop, 2);
  tidy_loops(*both);
  result.push_back(std::move(*both));
  if (lines.count % 2 != 0) {
    const auto skipped = static_cast<std::int64_t>(lines.count - 1);
    stage.loops[loop].count = 1;
    stage.input_offset += skipped * lines.input_stride;
    stage.output_offset += skipped * lines.output_stride;
    tidy_loops(stage);
    result.push_back(for_one_line(std::move(stage), limits));
  }
  return result;
}

}  // namespace twiddle::plan
