// Pairs of neighbouring lines as planar complex lines.
#include "plan/pair_lines.hpp"

#include <algorithm>

namespace twiddle::plan {
namespace {

bool can_pair(const Stage& stage) {
  return stage.input_storage.form == Storage::Form::real && stage.output_storage.form == Storage::Form::real &&
         !stage.radices.empty() && stage.store_map && !pairs_reals(stage.store_map->rule) && !stage.twiddle &&
         !stage.load_hook && !stage.store_hook;
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

std::vector<Stage> pair_lines(Stage stage) {
  if (!can_pair(stage) || stage.loops.empty()) return {std::move(stage)};
  const std::size_t loop = widest_loop(stage);
  const Loop lines = stage.loops[loop];
  if (lines.count < 2 || lines.input_stride == 0) return {std::move(stage)};
  std::vector<Stage> result;
  if (lines.count % 2 != 0) {
    Stage last = stage;
    last.loops[loop].count = 1;
    const auto skipped = static_cast<std::int64_t>(lines.count - 1);
    last.input_offset += skipped * lines.input_stride;
    last.output_offset += skipped * lines.output_stride;
    tidy_loops(last);
    result.push_back(std::move(last));
  }
  stage.input_storage.form = stage.output_storage.form = Storage::Form::planar;
  stage.input_storage.imaginary_offset = lines.input_stride;
  stage.output_storage.imaginary_offset = lines.output_stride;
  stage.loops[loop].count = lines.count / 2;
  widen(stage, loop, 2);
  tidy_loops(stage);
  result.insert(result.begin(), std::move(stage));
  return result;
}

}  // namespace twiddle::plan
