// Elements of any storage read into planar arrays and written from them: any strides, any precision, whatever exists of
// them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/host/combination.hpp"
#include "backend/host/pass.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/side_memory.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// Only elements (k, lane) with base + k * element_stride + lane * lane_stride below `count` are there.
struct Extent {
  std::uint64_t count = ~std::uint64_t{0};
  std::int64_t base = 0;
  std::int64_t element_stride = 0;
  std::int64_t lane_stride = 0;
};

// A block of elements: `length` of each of `active` lines.
struct Block {
  std::size_t length = 1;
  std::size_t active = 1;
  std::int64_t first = 0;  // scalar that element 0 of line 0 lies at
  std::int64_t element_stride = 1;
  std::int64_t lane_stride = 0;
  std::array<Extent, 2> extents{};  // what there is of them
  bool added = false;               // reading leaves what is not there as it stands in the planes
  bool conjugated = false;          // memory has the conjugates of the elements
};

// The kernels that blocks move with where they can.
template <class T>
struct BlockKernels {
  explicit BlockKernels(std::int64_t targets);
  CombinationKernels<T> combinations;
  MoveFunction<T> rows_in;
  MoveFunction<T> rows_out;
};

// planes[k * lanes + lane] = element k of each line; zero for what is not there, anything finite in lanes beyond those
// active.
template <class T>
void read_block(const plan::Storage& storage, const InputMemory& memory, const Block& block, std::size_t lanes,
                const BlockKernels<T>& kernels, const Planes<T>& planes);

// The elements of each line in reversed order.
template <class T>
void reverse_elements(std::size_t length, std::size_t lanes, const Planes<T>& planes) {
  for (T* const plane : {planes.real, planes.imaginary}) {
    for (std::size_t k = 0; k < length / 2; ++k) {
      std::swap_ranges(plane + k * lanes, plane + (k + 1) * lanes, plane + (length - 1 - k) * lanes);
    }
  }
}

// Each element that is there becomes what the hook makes of it; without a plane of imaginary parts each is a real.
template <class T>
void apply_hook(const plan::StageHook& hook, const Block& block, std::size_t lanes, const Planes<T>& planes);

// Each element that is there becomes its conjugate or, of an odd line, minus it.
template <class T>
void conjugate_block(const Block& block, std::size_t lanes, bool odd, const Planes<T>& planes);

// The way back, times `scale`; what is not there is left alone.
template <class T>
void write_block(const plan::Storage& storage, const OutputMemory& memory, const Block& block, std::size_t lanes,
                 T scale, const BlockKernels<T>& kernels, const Planes<T>& planes);

}  // namespace twiddle::backend::host
