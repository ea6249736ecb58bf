// Tables of measured kernel shapes (measured_choices.hpp) for an NVIDIA H200 through CUDA.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/choice/measured_choices.hpp"

namespace twiddle::plan {

struct MeasuredRow {
  std::uint64_t length;
  LineUse use;
  MeasuredChoice choice;
};

// With 227 KiB of local memory, where several groups of large transforms fit side by side: the fastest of 13 to 100
// shapes each (docs/cuda-shapes.md); in single precision and in double.
[[nodiscard]] const std::vector<MeasuredRow>& rows_in_much_memory();
[[nodiscard]] const std::vector<MeasuredRow>& doubles_in_much_memory();

}  // namespace twiddle::plan
