// The part of a stage kernel that touches global memory: where elements lie, and what is folded into loads and stores.
#pragma once

#include <string>

#include "kernel/stage_layout.hpp"
#include "kernel/text.hpp"

namespace twiddle::kernel {

class StageMemory {
 public:
  StageMemory(const plan::Stage& stage, const StageLayout& layout, Text& text)
      : stage_(stage), layout_(layout), text_(text) {}

  // v[m * radix + k] = input element k of butterfly m of the first pass, with factor and twiddle.
  void load(const Pass& pass);
  // Outputs of the last pass, with twiddle, factor and scale, where their transform exists.
  void store(const Pass& pass);

  // The group's transforms as one run of memory, v[i] being element item + i * transforms of it.
  void load_run();
  void store_run();
  // What store() folds in, for outputs that store_run() writes.
  void finish_values(const Pass& pass);

  // The loop over the butterflies b of this work-item in a pass, idle ones left out. `b` is declared where needed.
  void open_rounds(const Pass& pass, bool needs_butterfly = true);
  void close_rounds(const Pass& pass);

 private:
  void locate(bool clamp);
  [[nodiscard]] std::string offset(std::int64_t plan::Loop::*stride, std::int64_t element_stride) const;
  std::string step(const Pass& pass, const char* index, std::int64_t stride, bool needs_element);
  void locate_factor(const plan::Factor& factor, const char* name);
  void write_root();
  void open_run();
  [[nodiscard]] std::string scaled(const std::string& value) const;

  const plan::Stage& stage_;
  const StageLayout& layout_;
  Text& text_;
};

}  // namespace twiddle::kernel
