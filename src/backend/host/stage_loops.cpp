// From the number of a bundle to where it is.
#include "backend/host/stage_loops.hpp"

#include <algorithm>

namespace twiddle::backend::host {
namespace {

void advance(Position& position, const Position& step, std::uint64_t times) {
  const auto count = static_cast<std::int64_t>(times);
  position.input += count * step.input;
  position.output += count * step.output;
  position.twiddle_index += times * step.twiddle_index;
  position.load_factor += count * step.load_factor;
  position.store_factor += count * step.store_factor;
  position.load_bound += count * step.load_bound;
  position.store_bound += count * step.store_bound;
}

}  // namespace

StageLoops::StageLoops(const plan::Stage& stage, std::size_t lane_loop, std::size_t lanes) : lanes_(lanes) {
  start_.input = stage.input_offset;
  start_.output = stage.output_offset;
  start_.load_factor = stage.load_factor ? stage.load_factor->offset : 0;
  start_.store_factor = stage.store_factor ? stage.store_factor->offset : 0;
  if (!stage.bank) {  // which counts them itself
    start_.load_bound = stage.load_bound ? stage.load_bound->offset : 0;
    start_.store_bound = stage.store_bound ? stage.store_bound->offset : 0;
  }
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    const plan::Loop& loop = stage.loops[i];
    Position step;
    step.input = loop.input_stride;
    step.output = loop.output_stride;
    step.twiddle_index = stage.twiddle && stage.twiddle->loop == i ? 1 : 0;
    step.load_factor = stage.load_factor ? stage.load_factor->loop_strides[i] : 0;
    step.store_factor = stage.store_factor ? stage.store_factor->loop_strides[i] : 0;
    step.load_bound = stage.load_bound ? stage.load_bound->loop_strides[i] : 0;
    step.store_bound = stage.store_bound ? stage.store_bound->loop_strides[i] : 0;
    if (i == lane_loop) {
      lane_step_ = step;
      lane_count_ = loop.count;
    } else {
      turns_.push_back({loop.count, step});
      items_ *= loop.count;
    }
  }
  blocks_ = (lane_count_ + lanes_ - 1) / lanes_;
  items_ *= blocks_;
}

StageLoops::Item StageLoops::item(std::uint64_t i) const {
  Item item;
  item.position = start_;
  if (i == 0) {  // single transforms are often short, and this is a good part of their time
    item.active = static_cast<std::size_t>(std::min<std::uint64_t>(lanes_, lane_count_));
    return item;
  }
  item.lane = i % blocks_ * lanes_;
  i /= blocks_;
  item.active = static_cast<std::size_t>(std::min<std::uint64_t>(lanes_, lane_count_ - item.lane));
  advance(item.position, lane_step_, item.lane);
  for (const Turn& turn : turns_) {
    advance(item.position, turn.step, i % turn.count);
    i /= turn.count;
  }
  return item;
}

StageLoops::Item StageLoops::rest(Item item, std::size_t lanes) const {
  item.lane += lanes;
  item.active -= lanes;
  advance(item.position, lane_step_, lanes);
  return item;
}

StageLoops::Item StageLoops::moved(Item item, std::size_t lanes) const {
  item.lane += lanes;
  item.active =
      item.lane < lane_count_ ? static_cast<std::size_t>(std::min<std::uint64_t>(lanes_, lane_count_ - item.lane)) : 0;
  advance(item.position, lane_step_, lanes);
  return item;
}

}  // namespace twiddle::backend::host
