// The part of a stage kernel that fetches lines ahead, or tiles of columns: as many groups as are resident take one
// after the other, and while a group transforms one the next is copied to its local memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/stage_layout.hpp"
#include "kernel/stage_memory.hpp"
#include "kernel/text.hpp"

namespace twiddle::kernel {

class StagePrefetch {
 public:
  // Throws Unsupported for a stage with a prefetch whose lines are not whole neighbours in memory, one in each group,
  // nor columns in whole tiles.
  StagePrefetch(const plan::Stage& stage, const StageLayout& layout, StageMemory& memory, Text& text);

  // Of the launch, and of its local memory.
  [[nodiscard]] std::uint64_t groups() const;
  [[nodiscard]] std::size_t local_bytes() const;

  // Declares the local memory, whose arrays follow each other, before and after the kernel's first act.
  void declare_memory();
  void declare_arrays();
  // Opens the loop over the group's lines or tiles and waits for the one at hand, `own` or `tile`, which memory.load()
  // then takes from local memory.
  void open_lines();
  // Once all have loaded their part of it: sends for the next.
  void fetch_next();

 private:
  void fetch_line(const char* line);
  void fetch_tile(const char* tile);
  [[nodiscard]] std::uint64_t fetched_elements() const;
  [[nodiscard]] std::uint64_t exchange_elements() const;

  const plan::Stage& stage_;
  const bool tiles_;
  const StageLayout& layout_;
  StageMemory& memory_;
  Text& text_;
};

}  // namespace twiddle::kernel
