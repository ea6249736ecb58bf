// Segments of a filter bank's stage between memory and planes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/combination.hpp"
#include "backend/host/pass.hpp"
#include "plan/stage.hpp"

namespace twiddle::backend::host {

// A transform of a stage with a bank: where its element 0 is, in memory and beside the bounds.
struct BankSegment {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t load_position = 0;
  std::int64_t store_position = 0;
};

[[nodiscard]] BankSegment bank_segment(const plan::Stage& stage, std::uint64_t index);

// planes = the segment's elements: both lines of a pair, or a complex line, or a real one (then the imaginary plane may
// be null, else it becomes zero).
template <class T>
void load_segment(const plan::Stage& stage, const BankSegment& segment, const T* input,
                  const CombinationKernels<T>& kernels, const Planes<T>& planes);

}  // namespace twiddle::backend::host
