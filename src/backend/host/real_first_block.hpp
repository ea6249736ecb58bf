// Blocks of planar complex numbers of which those at position 0 are real, and have no place for an imaginary part
// (plan::Bound::real_first), and of which the last ones may have a place for that alone (imaginary_last).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/memory_access.hpp"
#include "plan/lower/element_rules.hpp"

namespace twiddle::backend::host {

// A block whose extents[1] is set, and whose element 0 of lane 0 is at position `base`.
struct RealFirstBlock {
  const plan::Bound& bound;
  Block block;
  std::int64_t base = 0;
  std::int64_t lane_step = 0;
};

// As read_block() and write_block() do. A hook on pairs of reals, where there is one, sees each part that is there, on
// storing of what is scaled already.
template <class T>
void read_real_first(const plan::Storage& storage, const InputMemory& memory, const RealFirstBlock& numbers,
                     std::size_t lanes, const BlockKernels<T>& kernels, const std::optional<plan::StageHook>& hook,
                     const Planes<T>& planes);
template <class T>
void write_real_first(const plan::Storage& storage, const OutputMemory& memory, const RealFirstBlock& numbers,
                      std::size_t lanes, T scale, const BlockKernels<T>& kernels,
                      const std::optional<plan::StageHook>& hook, const Planes<T>& planes);

}  // namespace twiddle::backend::host
