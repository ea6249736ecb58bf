// Sizes and text of stages.
#include "plan/stage.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace twiddle::plan {
namespace {

std::string_view name(Operand operand) {
  switch (operand) {
    case Operand::input: return "input";
    case Operand::output: return "output";
    case Operand::scratch: break;
  }
  return "scratch";
}

std::string_view name(KernelShape::Lanes lanes) {
  return lanes == KernelShape::Lanes::elements ? "elements" : "transforms";
}

std::string factor_text(const Factor& factor) {
  return factor.sequence == Factor::Sequence::chirp ? fmt::format("chirp of {}", factor.length)
                                                    : fmt::format("chirp spectrum of {}", factor.length);
}

}  // namespace

std::uint64_t transform_count(const Stage& stage) {
  std::uint64_t count = 1;
  for (const Loop& loop : stage.loops) count *= loop.count;
  return count;
}

void tidy_loops(Stage& stage) {
  struct Turn {
    Loop loop;
    bool twiddle = false;
    std::int64_t load_stride = 0;
    std::int64_t store_stride = 0;
  };
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    if (stage.loops[i].count == 1) continue;
    turns.push_back({stage.loops[i], stage.twiddle && stage.twiddle->loop == i,
                     stage.load_factor ? stage.load_factor->loop_strides[i] : 0,
                     stage.store_factor ? stage.store_factor->loop_strides[i] : 0});
  }
  // Stores that run across transforms decide the order; otherwise the loads do.
  const auto closest_output = std::min_element(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::abs(a.loop.output_stride) < std::abs(b.loop.output_stride);
  });
  const bool by_output =
      closest_output != turns.end() && std::abs(closest_output->loop.output_stride) < std::abs(stage.output_stride);
  std::stable_sort(turns.begin(), turns.end(), [by_output](const Turn& a, const Turn& b) {
    const auto stride = by_output ? &Loop::output_stride : &Loop::input_stride;
    return std::abs(a.loop.*stride) < std::abs(b.loop.*stride);
  });
  std::vector<Turn> merged;
  for (const Turn& turn : turns) {
    if (!merged.empty() && !turn.twiddle && !merged.back().twiddle) {
      Turn& inner = merged.back();
      const auto continues = [&](std::int64_t outer_stride, std::int64_t inner_stride) {
        return outer_stride == inner_stride * static_cast<std::int64_t>(inner.loop.count);
      };
      if (continues(turn.loop.input_stride, inner.loop.input_stride) &&
          continues(turn.loop.output_stride, inner.loop.output_stride) &&
          continues(turn.load_stride, inner.load_stride) && continues(turn.store_stride, inner.store_stride)) {
        inner.loop.count *= turn.loop.count;
        continue;
      }
    }
    merged.push_back(turn);
  }

  bool twiddle_left = false;
  stage.loops.clear();
  if (stage.load_factor) stage.load_factor->loop_strides.clear();
  if (stage.store_factor) stage.store_factor->loop_strides.clear();
  for (std::size_t i = 0; i < merged.size(); ++i) {
    stage.loops.push_back(merged[i].loop);
    if (stage.load_factor) stage.load_factor->loop_strides.push_back(merged[i].load_stride);
    if (stage.store_factor) stage.store_factor->loop_strides.push_back(merged[i].store_stride);
    if (merged[i].twiddle) {
      stage.twiddle->loop = i;
      twiddle_left = true;
    }
  }
  if (!twiddle_left) stage.twiddle.reset();  // its index was always 0
}

std::string to_string(const Stage& stage) {
  std::string text = stage.radices.empty() ? std::string("copy")
                                           : fmt::format("{} = {}", stage.length, fmt::join(stage.radices, "."));
  text += fmt::format(", elements {}->{}", stage.input_stride, stage.output_stride);
  for (const Loop& loop : stage.loops) {
    text += fmt::format(", {} x {}->{}", loop.count, loop.input_stride, loop.output_stride);
  }
  if (stage.load_factor) text += ", load * " + factor_text(*stage.load_factor);
  if (stage.twiddle) {
    text += fmt::format(", {}twiddle {} by loop {}", stage.twiddle->on_load ? "load " : "", stage.twiddle->modulus,
                        stage.twiddle->loop);
  }
  if (stage.store_factor) text += ", store * " + factor_text(*stage.store_factor);
  if (stage.scale != 1.0) text += fmt::format(", scale {}", stage.scale);
  text += fmt::format(", {} -> {}", name(stage.source), name(stage.destination));
  const KernelShape& shape = stage.shape;
  text += fmt::format("; {} items x {} transforms, {} -> {}", shape.items_per_transform, shape.transforms_per_group,
                      name(shape.load), name(shape.store));
  if (shape.stage_through_local) text += ", loads and stores through local memory";
  if (shape.exchange == KernelShape::Exchange::split) text += ", split exchange";
  if (shape.exchange_rounds > 1) text += fmt::format(" in {} rounds", shape.exchange_rounds);
  return text;
}

}  // namespace twiddle::plan
