// Drafts of stages that move elements and do nothing else, and loops of all drafts.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "plan/lower/draft.hpp"

namespace twiddle::plan {
namespace {

// The dimension whose neighbours are neighbours in memory.
std::size_t innermost(const Frame& frame) {
  for (std::size_t place = frame.extents.size(); place-- > 0;) {
    const std::size_t dimension = frame.order.empty() ? place : frame.order[place];
    if (frame.extents[dimension] > 1) return dimension;
  }
  return 0;
}

}  // namespace

Draft copy_draft(const Frame& frame) {
  Draft copy;
  copy.source = copy.destination = frame;
  copy.stage.step = "copy";
  for (std::size_t d = frame.extents.size(); d-- > 0;) copy.loops.push_back({frame.extents[d], d, 1, 1});
  return copy;
}

Bound bound_along(const Draft& draft, std::size_t dimension, std::uint64_t count, std::int64_t DraftLoop::*weight) {
  const std::int64_t own = weight == &DraftLoop::input_weight ? draft.input_weight : draft.output_weight;
  Bound result{count, draft.dimension == dimension ? own : 0, {}};
  for (const DraftLoop& loop : draft.loops) {
    result.loop_strides.push_back(loop.dimension == dimension ? loop.*weight : 0);
  }
  return result;
}

bool moves_elements(const Draft& draft) {
  if (draft.source.order != draft.destination.order) return true;
  if (draft.reorders) return false;
  if (draft.input_weight != draft.output_weight) return true;
  for (const DraftLoop& loop : draft.loops) {
    if (loop.input_weight != loop.output_weight) return true;
  }
  return false;
}

std::uint64_t lines_along(const Frame& frame, std::size_t dimension) {
  std::uint64_t lines = 1;
  for (std::size_t d = 0; d < frame.extents.size(); ++d) lines *= d == dimension ? 1 : frame.extents[d];
  return lines;
}

Frame rows_along(Frame frame, std::size_t dimension) {
  frame.order.resize(frame.extents.size());
  std::iota(frame.order.begin(), frame.order.end(), std::size_t{0});
  std::rotate(frame.order.begin() + static_cast<std::ptrdiff_t>(dimension),
              frame.order.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, frame.order.end());
  return frame;
}

void add_loop(Draft& draft, const DraftLoop& loop) {
  draft.loops.push_back(loop);
  for (auto* strides : position_strides(draft.stage)) strides->push_back(0);
}

void split_loop(Draft& draft, std::size_t dimension, const std::vector<DraftLoop>& loops) {
  *std::ranges::find(draft.loops, dimension, &DraftLoop::dimension) = loops.front();
  for (std::size_t i = 1; i < loops.size(); ++i) add_loop(draft, loops[i]);
}

void move_in_blocks(Draft& draft, std::size_t loop, std::uint64_t block) {
  const auto [count, dimension, input_weight, output_weight] = draft.loops[loop];
  const std::uint64_t length = std::min(block, count);
  if (length <= 1) return;
  const auto step = static_cast<std::int64_t>(length);
  draft.stage.length = length;
  draft.dimension = dimension;
  draft.input_weight = input_weight;
  draft.output_weight = output_weight;
  draft.loops[loop] = {(count + length - 1) / length, dimension, step * input_weight, step * output_weight};
  if (count % length == 0) return;
  Bound bound{count, 1, std::vector<std::int64_t>(draft.loops.size())};
  bound.loop_strides[loop] = step;
  draft.stage.load_bound = draft.stage.store_bound = bound;
}

Draft transposition_draft(const Frame& source, const Frame& destination, std::uint64_t block) {
  Draft draft = copy_draft(source);
  draft.destination = destination;
  draft.stage.step = "transposition";
  const std::size_t read = innermost(source);
  const std::uint64_t length = std::min(block, source.extents[read]);
  if (length <= 1 || read == innermost(destination)) return draft;
  draft.stage.step += fmt::format(" by blocks of {}", length);
  const auto loop = std::ranges::find(draft.loops, read, &DraftLoop::dimension);
  move_in_blocks(draft, static_cast<std::size_t>(loop - draft.loops.begin()), block);
  return draft;
}

}  // namespace twiddle::plan
