// Blocks of numbers of the arithmetic's precision that are adjacent in memory, moved by vectors: those of each line, or
// of lines that are side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "backend/host/block_runs.hpp"
#include "backend/host/memory_access.hpp"

namespace twiddle::backend::host {

// Elements of each line that are adjacent, to the lanes of planes and back.
template <class T>
void read_tiles(const plan::Storage& storage, const T* from, const T* from_imaginary, const Block& block,
                std::size_t lanes, const BlockKernels<T>& kernels, const Planes<T>& planes) {
  if (is_interleaved(storage, storage.precision)) {
    MoveCall<T> call;
    call.input = from;
    call.output = planes.real;
    call.output_imaginary = planes.imaginary;
    call.length = block.length;
    call.lanes = lanes;
    call.active = block.active;
    call.memory_step = block.lane_stride;
    kernels.rows_in(call);
    return;
  }
  const auto rows = kernels.combinations.rows_to_lanes;
  rows(from, block.lane_stride, block.active, block.length, planes.real, lanes);
  if (storage.form == plan::Storage::Form::real) {
    std::fill_n(planes.imaginary, block.length * lanes, T{0});
  } else {
    rows(from_imaginary, block.lane_stride, block.active, block.length, planes.imaginary, lanes);
  }
}

template <class T>
void write_tiles(const plan::Storage& storage, T* to, T* to_imaginary, const Block& block, std::size_t lanes, T scale,
                 const BlockKernels<T>& kernels, const Planes<T>& planes) {
  if (is_interleaved(storage, storage.precision)) {
    MoveCall<T> call;
    call.input = planes.real;
    call.input_imaginary = planes.imaginary;
    call.output = to;
    call.length = block.length;
    call.lanes = lanes;
    call.active = block.active;
    call.memory_step = block.lane_stride;
    call.scale = scale;
    kernels.rows_out(call);
    return;
  }
  const auto rows = kernels.combinations.lanes_to_rows;
  rows(planes.real, lanes, block.active, block.length, scale, to, block.lane_stride);
  if (storage.form == plan::Storage::Form::real) return;
  rows(planes.imaginary, lanes, block.active, block.length, scale, to_imaginary, block.lane_stride);
}

// Whether the block is numbers of neighbouring lines, side by side in memory: complex ones, or parts of them.
template <class T>
bool by_lanes(const Block& block, std::size_t lanes, std::int64_t unit, const BlockKernels<T>& kernels) {
  return block.lane_stride == unit && lanes % kernels.combinations.vector == 0 && !block.added && !block.conjugated &&
         all_there(block);
}

template <class T>
void read_lanes(const plan::Storage& storage, const T* from, const T* from_imaginary, const Block& block,
                std::size_t lanes, const CombinationKernels<T>& kernels, const Planes<T>& planes) {
  const SomeLanes some{block.active, lanes, block.length, block.element_stride};
  if (is_interleaved(storage, storage.precision)) return kernels.lanes_in(from, some, planes);
  kernels.real_lanes_in(from, some, planes.real);
  if (storage.form != plan::Storage::Form::real) return kernels.real_lanes_in(from_imaginary, some, planes.imaginary);
  std::fill_n(planes.imaginary, block.length * lanes, T{0});
}

template <class T>
void write_lanes(const plan::Storage& storage, T* to, T* to_imaginary, const Block& block, std::size_t lanes, T scale,
                 const CombinationKernels<T>& kernels, const Planes<T>& planes) {
  const SomeLanes some{block.active, lanes, block.length, block.element_stride};
  if (is_interleaved(storage, storage.precision)) return kernels.lanes_out(planes, some, scale, to);
  kernels.real_lanes_out(planes.real, some, scale, to);
  if (storage.form != plan::Storage::Form::real) kernels.real_lanes_out(planes.imaginary, some, scale, to_imaginary);
}

}  // namespace twiddle::backend::host
