// Where elements of a stage's transforms lie in global memory, as text.
#include <fmt/format.h>

#include <algorithm>

#include "kernel/stage_memory.hpp"
#include "plan/shape/prefetch.hpp"

namespace twiddle::kernel {

using plan::Loop;

namespace {

// A negative stride wraps around as the sums that it is part of do.
std::string factor_text(std::int64_t stride) {
  return stride < 0 ? fmt::format("(TW_INDEX){}", stride) : fmt::to_string(stride);
}

// "x", "x * 3" or nothing for a factor of 0; joined by " + ".
void add_term(std::string& sum, const std::string& variable, std::int64_t stride) {
  if (stride == 0) return;
  if (!sum.empty()) sum += " + ";
  sum += stride == 1 ? variable : fmt::format("{} * {}", variable, factor_text(stride));
}

}  // namespace

std::string StageMemory::times(const std::string& expression, std::int64_t stride) {
  return stride == 1 ? expression : fmt::format("(TW_INDEX)({}) * {}", expression, factor_text(stride));
}

// The number of the work-item's transform.
std::string StageMemory::own_transform() const {
  const std::uint32_t transforms = stage_.shape.transforms_per_group;
  const std::uint32_t groups = stage_.shape.groups_per_transform;
  if (plan::fetches_tiles(stage_.shape)) return fmt::format("tile * {} + slot", transforms);
  return fmt::format("{}(TW_INDEX)TW_GROUP{} + slot", stage_.launched_loops == 0 ? "" : "begin + ",
                     groups != 1       ? fmt::format(" / {}", groups)
                     : transforms == 1 ? ""
                                       : fmt::format(" * {}", transforms));
}

// Declares the index of the work-item's transform in each loop. Transforms beyond the last, in the last group, are
// clamped to it when loading, unless their work-items have returned; open_existing() says whether to store.
void StageMemory::locate(bool clamp) {
  if (stage_.bank) return locate_loops("segment");
  if (stage_.shape.prefetch && !plan::fetches_tiles(stage_.shape)) return locate_loops("own");
  text_.line("const TW_INDEX own = {};", own_transform());
  const bool clamped = clamp && !layout_.idle_return;
  locate_loops(clamped ? fmt::format("(own < count ? own : count - {})", taken_transforms()) : "own");
}

// Without a barrier, what the last transform reads may have been overwritten with what it stores: in place, a work-item
// beyond it would read while another one writes.
void StageMemory::leave_idle() {
  if (layout_.idle_return) text_.line("if ({} >= count) return;", own_transform());
}

void StageMemory::open_existing() { text_.open("{}{{", layout_.idle_return ? "" : "if (own < count) "); }

// The same of the transform `rest`.
void StageMemory::locate_loops(std::string rest) {
  for (std::size_t i = 0; i < stage_.loops.size(); ++i) {
    const bool last = i + 1 == stage_.loops.size();
    if (!last && i == 0) {
      text_.line("const TW_INDEX transform = {};", rest);
      rest = "transform";
    }
    const std::string turn = rest + (last ? "" : fmt::format(" % {}", stage_.loops[i].count));
    if (i == 0 && stage_.shared_map) {
      write_turn(turn);
    } else {
      text_.line("const TW_INDEX loop{} = {};", i, turn);
    }
    if (!last) {
      text_.line("const TW_INDEX rest{} = {} / {};", i, rest, stage_.loops[i].count);
      rest = fmt::format("rest{}", i);
    }
  }
}

bool StageMemory::steps_back(Stride stride) const {
  const bool loading = stride == &Loop::input_stride;
  const std::int64_t element = loading ? stage_.input_stride : stage_.output_stride;
  const std::optional<plan::Bound>& bound = loading ? stage_.load_bound : stage_.store_bound;
  return element < 0 || (bound && bound->period != 0) ||
         std::any_of(stage_.loops.begin(), stage_.loops.end(), [&](const Loop& loop) { return loop.*stride < 0; });
}

// Unsigned sums wrap around where something is negative; the right width of sign brings them back.
std::string StageMemory::distance(const std::string& expression, Stride stride) const {
  return steps_back(stride) ? fmt::format("(TW_OFFSET)({})", expression) : expression;
}

// The first transform's first element.
std::string StageMemory::base(Stride stride) const {
  const bool loading = stride == &Loop::input_stride;
  const std::int64_t offset = loading ? stage_.input_offset : stage_.output_offset;
  const char* name = loading ? "input" : "output";
  return offset == 0 ? name : fmt::format("{} + {}", name, offset);
}

// From there to the first element of the current transform or, `with_lane`, of the work-item in it.
std::string StageMemory::offset(Stride stride, bool with_lane) const {
  std::string sum;
  // Where a map is shared, its line's beginning serves all of its transforms.
  const bool line = stage_.shared_map && stage_.load_map && stride == &Loop::input_stride;
  for (std::size_t i = line ? 1 : 0; i < stage_.loops.size(); ++i)
    add_term(sum, fmt::format("loop{}", i), stage_.loops[i].*stride);
  if (with_lane) {
    add_term(sum, first_element(stride), stride == &Loop::input_stride ? stage_.input_stride : stage_.output_stride);
  }
  return distance(sum.empty() ? "0" : sum, stride);
}

void StageMemory::locate_sequence(const std::vector<std::int64_t>& loop_strides, const char* name, std::int64_t begin) {
  std::string offset = begin == 0 ? std::string() : fmt::format("{}", begin);
  for (std::size_t i = 0; i < stage_.loops.size(); ++i) add_term(offset, fmt::format("loop{}", i), loop_strides[i]);
  text_.line("const TW_INDEX {} = {};", name, offset.empty() ? "0" : offset);
}

// The distance of element `index` of a butterfly from b.
std::string StageMemory::position(const Pass& pass, const char* index) {
  return fmt::format("{} * {}{}", index, pass.butterflies, pass.line_order ? " + 1" : "");
}

// The distance of the current element from the work-item's first one: a constant once the loops are unrolled, so that
// it becomes part of the instruction.
std::string StageMemory::step(const Pass& pass, const char* index, Stride stride) const {
  const std::string own = turn(pass, stage_.shape.items_per_transform * stage_.shape.groups_per_transform);
  return step((own.empty() ? own : own + " + ") + position(pass, index), stride);
}

std::string StageMemory::step(const std::string& elements, Stride stride) const {
  return distance(times(elements, element_stride(stride)), stride);
}

// Between neighbouring elements of a line, of tiles that were fetched ahead in local memory.
std::int64_t StageMemory::element_stride(Stride stride) const {
  if (stride != &Loop::input_stride) return stage_.output_stride;
  return plan::fetches_tiles(stage_.shape) ? stage_.shape.transforms_per_group : stage_.input_stride;
}

// The place of the element kept instead of the one at `place`.
std::string StageMemory::kept_place(const std::optional<plan::Bound>& bound, const std::string& place,
                                    Stride stride) const {
  if (!bound || bound->period == 0) return place;
  const std::int64_t element = stride == &Loop::input_stride ? stage_.input_stride : stage_.output_stride;
  return distance(fmt::format("{} + {}", place, times("kept - position", element / bound->element_stride)), stride);
}

}  // namespace twiddle::kernel
