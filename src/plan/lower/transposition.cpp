// Drafts of stages that move elements and do nothing else.
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

bool moves_elements(const Draft& draft) {
  if (draft.source.order != draft.destination.order) return true;
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

Draft transposition_draft(const Frame& source, const Frame& destination, std::uint64_t block) {
  Draft draft = copy_draft(source);
  draft.destination = destination;
  draft.stage.step = "transposition";
  const std::size_t read = innermost(source);
  const std::size_t written = innermost(destination);
  const std::uint64_t length = std::min(block, source.extents[read]);
  if (length <= 1 || read == written) return draft;
  draft.stage.step += fmt::format(" by blocks of {}", length);
  draft.stage.length = length;
  draft.dimension = read;
  const auto step = static_cast<std::int64_t>(length);
  for (DraftLoop& loop : draft.loops) {
    if (loop.dimension == read) loop = {(loop.count + length - 1) / length, read, step, step};
  }
  if (source.extents[read] % length == 0) return draft;
  Bound bound{source.extents[read], 1, {}};
  for (const DraftLoop& loop : draft.loops) bound.loop_strides.push_back(loop.dimension == read ? step : 0);
  draft.stage.load_bound = draft.stage.store_bound = bound;
  return draft;
}

}  // namespace twiddle::plan
