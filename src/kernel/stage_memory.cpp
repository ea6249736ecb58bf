// Loads and stores of a stage kernel.
#include "kernel/stage_memory.hpp"

#include <fmt/format.h>

namespace twiddle::kernel {
namespace {

// "x", "x * 3" or nothing for a factor of 0; joined by " + ".
void add_term(std::string& sum, const std::string& variable, std::int64_t stride) {
  if (stride == 0) return;
  if (!sum.empty()) sum += " + ";
  sum += stride == 1 ? variable : fmt::format("{} * {}", variable, stride);
}

std::string times(const std::string& expression, std::int64_t stride) {
  return stride == 1 ? expression : fmt::format("(TW_INDEX)({}) * {}", expression, stride);
}

}  // namespace

void StageMemory::open_rounds(const Pass& pass, bool needs_butterfly) {
  text_.loop("m", 0, pass.rounds);
  if (needs_butterfly || pass.partial) {
    text_.line("const TW_UINT b = lane{};",
               pass.rounds == 1 ? "" : fmt::format(" + m * {}", stage_.shape.items_per_transform));
  }
  if (pass.partial) text_.open("if (b < {}) {{", pass.butterflies);
}

void StageMemory::close_rounds(const Pass& pass) {
  if (pass.partial) text_.close();
  text_.close();
}

// Declares the index of the work-item's transform in each loop. Transforms beyond the last, in the last group, are
// clamped to it when loading; `own < count` says whether to store.
void StageMemory::locate(bool clamp) {
  const std::uint32_t transforms = stage_.shape.transforms_per_group;
  text_.line("const TW_INDEX own = (TW_INDEX)TW_GROUP{} + slot;",
             transforms == 1 ? "" : fmt::format(" * {}", transforms));
  std::string rest = clamp ? "(own < count ? own : count - 1)" : "own";
  for (std::size_t i = 0; i < stage_.loops.size(); ++i) {
    const bool last = i + 1 == stage_.loops.size();
    if (!last && i == 0) {
      text_.line("const TW_INDEX transform = {};", rest);
      rest = "transform";
    }
    text_.line("const TW_INDEX loop{} = {}{};", i, rest, last ? "" : fmt::format(" % {}", stage_.loops[i].count));
    if (!last) {
      text_.line("const TW_INDEX rest{} = {} / {};", i, rest, stage_.loops[i].count);
      rest = fmt::format("rest{}", i);
    }
  }
}

// The offset of the work-item's first element from the start of the data.
std::string StageMemory::offset(std::int64_t plan::Loop::*stride, std::int64_t element_stride) const {
  std::string sum;
  for (std::size_t i = 0; i < stage_.loops.size(); ++i) add_term(sum, fmt::format("loop{}", i), stage_.loops[i].*stride);
  add_term(sum, "(TW_INDEX)lane", element_stride);
  return sum;
}

void StageMemory::locate_factor(const plan::Factor& factor, const char* name) {
  std::string offset;
  for (std::size_t i = 0; i < stage_.loops.size(); ++i) add_term(offset, fmt::format("loop{}", i), factor.loop_strides[i]);
  text_.line("const TW_INDEX {} = {};", name, offset.empty() ? "0" : offset);
}

// Declares `root`, the stage twiddle of `element`.
void StageMemory::write_root() {
  const RootTables& roots = layout_.roots;
  text_.line("const TW_UINT turn = (TW_UINT)(element) * (TW_UINT)loop{};", stage_.twiddle->loop);
  text_.line("const TW_COMPLEX root = multiply(constants[{} + turn % {}], constants[{} + turn / {}]);", roots.fine,
             roots.fine_count, roots.coarse, roots.fine_count);
}

std::string StageMemory::scaled(const std::string& value) const {
  if (stage_.scale == 1.0) return value;
  const std::string factor = fmt::format("{:.9e}f", static_cast<float>(stage_.scale));
  return fmt::format("TW_MAKE({0}.x * {1}, {0}.y * {1})", value, factor);
}

// Declares `element` where something beside the address needs it, and returns the distance of the current element from
// the work-item's first one: a constant once the loops are unrolled, so that it becomes part of the instruction.
std::string StageMemory::step(const Pass& pass, const char* index, std::int64_t stride, bool needs_element) {
  if (needs_element) text_.line("const TW_UINT element = b + {} * {};", index, pass.butterflies);
  const std::string own = pass.rounds == 1 ? "" : fmt::format("m * {} + ", stage_.shape.items_per_transform);
  const std::string elements = fmt::format("{}{} * {}", own, index, pass.butterflies);
  return times(elements, stride);
}

void StageMemory::load(const Pass& pass) {
  const bool twiddled = stage_.twiddle && stage_.twiddle->on_load;
  text_.open("{{");
  locate(true);
  text_.line("TW_GLOBAL const TW_COMPLEX* source = input + ({});", offset(&plan::Loop::input_stride, stage_.input_stride));
  if (stage_.load_factor) locate_factor(*stage_.load_factor, "sequence");
  const bool needs_element = twiddled || stage_.load_factor;
  open_rounds(pass, needs_element);
  text_.loop("k", 0, pass.radix);
  const std::string value = fmt::format("source[{}]", step(pass, "k", stage_.input_stride, needs_element));
  const std::string target = fmt::format("v[m * {} + k]", pass.radix);
  if (stage_.load_factor) {
    const plan::Factor& factor = *stage_.load_factor;
    text_.line("const TW_INDEX at = sequence + {};", times("element", factor.element_stride));
    text_.line("{} = TW_MAKE(0.0f, 0.0f);", target);
    text_.line("if (at < {}) {} = multiply({}, constants[{} + at]);", factor.count(), target, value,
               layout_.load_factor);
  } else {
    text_.line("{} = {};", target, value);
  }
  if (twiddled) {
    write_root();
    text_.line("{0} = multiply({0}, root);", target);
  }
  text_.close();
  close_rounds(pass);
  text_.close();
}

void StageMemory::store(const Pass& pass) {
  const bool twiddled = stage_.twiddle && !stage_.twiddle->on_load;
  text_.open("{{");
  locate(false);
  text_.line("TW_GLOBAL TW_COMPLEX* destination = output + ({});", offset(&plan::Loop::output_stride, stage_.output_stride));
  if (stage_.store_factor) locate_factor(*stage_.store_factor, "sequence");
  text_.open("if (own < count) {{");
  const bool needs_element = twiddled || stage_.store_factor;
  open_rounds(pass, needs_element);
  text_.loop("j", 0, pass.radix);
  const std::string target = fmt::format("destination[{}]", step(pass, "j", stage_.output_stride, needs_element));
  const std::string value = fmt::format("v[m * {} + j]", pass.radix);
  if (twiddled) {
    write_root();
    text_.line("{0} = multiply({0}, root);", value);
  }
  if (stage_.store_factor) {
    const plan::Factor& factor = *stage_.store_factor;
    text_.line("const TW_INDEX at = sequence + {};", times("element", factor.element_stride));
    text_.open("if (at < {}) {{", factor.count());
    text_.line("{0} = multiply({0}, constants[{1} + at]);", value, layout_.store_factor);
    text_.line("{} = {};", target, scaled(value));
    text_.close();
  } else {
    text_.line("{} = {};", target, scaled(value));
  }
  text_.close();
  close_rounds(pass);
  text_.close();
  text_.close();
}

void StageMemory::finish_values(const Pass& pass) {
  if (stage_.scale == 1.0) return;
  text_.loop("i", 0, pass.radix);
  text_.line("v[i] = {};", scaled("v[i]"));
  text_.close();
}

// Opens the loop over the elements `at` of the group's run that this work-item moves, and says where the data ends.
void StageMemory::open_run() {
  const std::uint32_t transforms = stage_.shape.transforms_per_group;
  text_.open("{{");
  text_.line("const TW_INDEX first = (TW_INDEX)TW_GROUP * {} * {};", transforms, stage_.length);
  text_.line("const TW_INDEX end = count * {};", stage_.length);
  text_.loop("i", 0, static_cast<unsigned>(stage_.length));
  text_.line("const TW_INDEX at = first + item + i * {};", transforms);
}

void StageMemory::load_run() {
  open_run();
  text_.line("v[i] = input[at < end ? at : end - 1];");
  text_.close();
  text_.close();
}

void StageMemory::store_run() {
  open_run();
  text_.line("if (at < end) output[at] = v[i];");
  text_.close();
  text_.close();
}

}  // namespace twiddle::kernel
