// Loops of stages that follow each other, brought into the same order.
#include "plan/shape/plane_loops.hpp"

#include <algorithm>

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

// Elements of a line between the two stages.
std::uint64_t written_elements(const Stage& stage) { return stage.store_map ? stage.store_map->count : stage.length; }
std::uint64_t read_elements(const Stage& stage) { return stage.load_map ? stage.load_map->source_count : stage.length; }

bool has_rule(const std::optional<LineMap>& map, Rule rule) { return !map || map->rule == rule; }

bool is_plain(const Stage& stage) {
  const auto is_usual = [&](const Storage& storage) {
    return storage == Storage{Storage::Form::interleaved, stage.precision, 0};
  };
  return !stage.radices.empty() && !stage.convolution && !stage.bank && !stage.direct && !stage.returns &&
         stage.launched_loops == 0 && !stage.swaps && !stage.on_host && !stage.twiddle && !stage.shared_map &&
         !counts_positions(stage) && !stage.load_hook && !stage.store_hook && is_usual(stage.input_storage) &&
         is_usual(stage.output_storage) && !stage.loops.empty();
}

// The loop over the lines of a plane, of so many, apart from those over the planes.
bool divide_loops(Stage& stage, std::uint64_t lines) {
  Loop& loop = stage.loops[0];
  if (loop.count % lines != 0) return false;
  if (loop.count == lines) return true;
  const auto times = static_cast<std::int64_t>(lines);
  const Loop planes{loop.count / lines, loop.input_stride * times, loop.output_stride * times};
  loop.count = lines;
  stage.loops.insert(stage.loops.begin() + 1, planes);
  return true;
}

}  // namespace

bool divide_planes(Stage& first, Stage& second) {
  if (first.precision != second.precision || !is_plain(first) || !is_plain(second) || first.load_map ||
      second.store_map || !has_rule(first.store_map, Rule::r2c_store) || !has_rule(second.load_map, Rule::c2r_load)) {
    return false;
  }
  if (first.destination != second.source || first.output_offset != second.input_offset) return false;
  if (!divide_loops(first, read_elements(second)) || !divide_loops(second, written_elements(first))) return false;
  if (first.loops[0].output_stride != second.input_stride || second.loops[0].input_stride != first.output_stride ||
      std::min(first.output_stride, second.input_stride) != 1) {
    return false;
  }
  return std::equal(first.loops.begin() + 1, first.loops.end(), second.loops.begin() + 1, second.loops.end(),
                    [](const Loop& written, const Loop& read) {
                      return written.count == read.count && written.output_stride == read.input_stride;
                    });
}

bool stay_in_place(const Stage& first, const Stage& second) {
  return first.input_offset == second.output_offset && first.input_stride == second.loops[0].output_stride &&
         first.loops[0].input_stride == second.output_stride &&
         std::equal(first.loops.begin() + 1, first.loops.end(), second.loops.begin() + 1, second.loops.end(),
                    [](const Loop& read, const Loop& written) { return read.input_stride == written.output_stride; });
}

}  // namespace twiddle::plan
