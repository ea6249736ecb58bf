// Kernels whose work-items move several neighbouring complex numbers at once: 16 bytes of single precision.
#pragma once

#include <cstdint>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// The widest vector that kernels have, in complex numbers.
inline constexpr std::uint32_t widest_vector = 2;

// Whether the stage, laid out so, may have work-items that move `vector` numbers at once. They must be neighbours on at
// least one side, begin at even places there, be interleaved in single precision, and nothing but a twiddle and the
// scale may be folded into the stage. A buffer may begin at any complex number: kernels look at its address, and move
// single numbers where it is not aligned.
[[nodiscard]] bool may_move_vectors(const Stage& stage, KernelShape shape, std::uint32_t vector);

// The shape with `vector`, each work-item taking so many times as much where it must; as it was where the stage may not
// have that, or an item would hold more than the strategy allows.
[[nodiscard]] KernelShape with_vectors(const Stage& stage, KernelShape shape, std::uint32_t vector,
                                       const DeviceLimits& limits);

// The shape, or the tile that was measured to be faster for columns on both sides into which nothing is folded, where
// these stand as vectors may and are enough for all compute units. Not all of the tiles have vectors.
[[nodiscard]] KernelShape with_measured_tile(const Stage& stage, KernelShape shape, const DeviceLimits& limits);

// Throws Unsupported where the strategy asks for vectors and no stage of the program has any.
void require_vectors(const Program& program, const Strategy& strategy);

}  // namespace twiddle::plan
