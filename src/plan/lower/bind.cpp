// Strides from weights.
#include "plan/lower/bind.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

using Stride = std::int64_t Loop::*;

// One side of a stage.
struct Side {
  std::int64_t& element_stride;
  std::int64_t& offset;
  Storage& storage;
  Stride loop_stride;
};

// Pairs of reals as complex numbers: interleaved where every pair starts at an even place and is together, planar else.
void pack_pairs(Stage& stage, const Side& side, std::int64_t stride, bool whole) {
  side.element_stride *= 2;
  side.storage.form = Storage::Form::planar;
  side.storage.imaginary_offset = stride;
  bool together = whole && stride == 1 && side.offset % 2 == 0 && side.element_stride % 2 == 0;
  for (const Loop& loop : stage.loops) together = together && (loop.count == 1 || loop.*side.loop_stride % 2 == 0);
  if (!together) return;
  side.storage.form = Storage::Form::interleaved;
  side.storage.imaginary_offset = 0;
  side.element_stride /= 2;
  side.offset /= 2;
  for (Loop& loop : stage.loops) loop.*side.loop_stride /= 2;
}

void bind_side(const Draft& draft, const View& view, bool packed, std::int64_t part, std::int64_t begin,
               std::int64_t weight, std::int64_t DraftLoop::*loop_weight, const std::optional<Bound>& bound,
               Stage& stage, const Side& side) {
  const std::int64_t stride = view.strides[draft.dimension];
  // The data begins with its bound's first position.
  side.offset = view.offset - (bound ? static_cast<std::int64_t>(bound->first) * stride : 0) +
                begin * view.strides[draft.begin.dimension];
  side.storage = view.storage;
  if (part != 0) {
    side.storage.form = Storage::Form::planar;
    side.storage.imaginary_offset = part * view.strides[draft.parts_along.value_or(draft.dimension)];
  }
  side.element_stride = weight * stride;
  for (std::size_t i = 0; i < draft.loops.size(); ++i) {
    const DraftLoop& loop = draft.loops[i];
    const std::int64_t pairs = packed && loop.dimension == draft.dimension ? 2 : 1;
    stage.loops[i].*side.loop_stride = loop.*loop_weight * pairs * view.strides[loop.dimension];
  }
  if (packed) pack_pairs(stage, side, stride, !bound || bound->imaginary_step == 0);
}

// The second lines of pairs lie half of the dimension behind the first ones.
void bind_pairs(const View& view, std::size_t dimension, Stage& stage, Storage& storage) {
  const std::int64_t apart = static_cast<std::int64_t>(view.extents[dimension] / 2) * view.strides[dimension];
  if (storage.form == Storage::Form::real) {
    storage.form = Storage::Form::planar;
    storage.imaginary_offset = apart;
  } else {
    stage.second_spectrum = apart;
  }
}

// Pairs of reals of the view that are interleaved numbers become planar ones.
void take_reals_apart(Stage& stage, const View& view, const Side& side) {
  if (view.storage.form != Storage::Form::real || side.storage.form != Storage::Form::interleaved) return;
  side.storage.form = Storage::Form::planar;
  side.storage.imaginary_offset = 1;
  side.element_stride *= 2;
  side.offset *= 2;
  for (Loop& loop : stage.loops) loop.*side.loop_stride *= 2;
}

std::int64_t distance_of_reals(const Storage& storage, const View& view) {
  const bool pairs = view.storage.form == Storage::Form::real && storage.form == Storage::Form::planar;
  return pairs ? storage.imaginary_offset : 0;
}

}  // namespace

Stage bind(const Draft& draft, const View& source, const View& destination) {
  Stage stage = draft.stage;
  stage.loops.clear();
  for (const DraftLoop& loop : draft.loops) stage.loops.push_back({loop.count, 0, 0});
  bind_side(draft, source, draft.packed_input, draft.input_part, draft.begin.input, draft.input_weight,
            &DraftLoop::input_weight, stage.load_bound, stage,
            {stage.input_stride, stage.input_offset, stage.input_storage, &Loop::input_stride});
  bind_side(draft, destination, draft.packed_output, draft.output_part, draft.begin.output, draft.output_weight,
            &DraftLoop::output_weight, stage.store_bound, stage,
            {stage.output_stride, stage.output_offset, stage.output_storage, &Loop::output_stride});
  if (draft.pairs_in_source) bind_pairs(source, *draft.pairs_in_source, stage, stage.input_storage);
  if (draft.pairs_in_destination) bind_pairs(destination, *draft.pairs_in_destination, stage, stage.output_storage);
  tidy_loops(stage);
  return stage;
}

void bind_load_hook(Stage& stage, std::shared_ptr<const Hook> hook, const View& source) {
  take_reals_apart(stage, source, {stage.input_stride, stage.input_offset, stage.input_storage, &Loop::input_stride});
  stage.load_hook = StageHook{std::move(hook), 1, distance_of_reals(stage.input_storage, source)};
}

void bind_store_hook(Stage& stage, std::shared_ptr<const Hook> hook, const View& destination) {
  take_reals_apart(stage, destination,
                   {stage.output_stride, stage.output_offset, stage.output_storage, &Loop::output_stride});
  stage.store_hook = StageHook{std::move(hook), 1, distance_of_reals(stage.output_storage, destination)};
}

View slice_of(View view, std::size_t dimension, std::uint64_t from, std::uint64_t lines) {
  view.offset += static_cast<std::int64_t>(from) * view.strides[dimension];
  view.extents[dimension] = lines;
  return view;
}

Draft in_turns(Draft draft, std::uint64_t turns, std::size_t dimension, std::uint64_t read_step,
               std::uint64_t written_step) {
  if (turns == 1) return draft;
  add_loop(draft, {turns, dimension, static_cast<std::int64_t>(read_step), static_cast<std::int64_t>(written_step)});
  draft.stage.launched_loops = 1;
  return draft;
}

}  // namespace twiddle::plan
