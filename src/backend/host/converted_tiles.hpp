// Whole rows of scalars that are converted on the way between memory and planes: as many at a time as a vector has
// lanes, by pieces that are transposed in registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "backend/host/block_runs.hpp"

namespace twiddle::backend::host {

// Whether whole rows of `unit` scalars an element pass through tiles that are transposed in registers.
template <class T>
bool by_tiles(const Block& block, std::size_t lanes, std::int64_t unit, const BlockKernels<T>& kernels) {
  const std::size_t vector = kernels.combinations.vector;
  return block.active > 1 && by_elements(block) && block.element_stride == unit && block.length >= vector &&
         lanes % vector == 0 && all_there(block) && !block.conjugated;
}

// Calls visit(first row, rows, first column, columns) for each piece, of a vector of columns at least.
template <class T, class Visit>
void for_each_piece(const Block& block, const BlockKernels<T>& kernels, std::size_t most_columns, const Visit& visit) {
  const std::size_t vector = kernels.combinations.vector;
  for (std::size_t row = 0; row < block.active; row += vector) {
    const std::size_t rows = std::min(vector, block.active - row);
    for (std::size_t column = 0; column < block.length; column += most_columns) {
      column = std::min(column, block.length - vector);
      visit(row, rows, column, std::min(most_columns, block.length - column));
    }
  }
}

constexpr std::size_t most_tile_rows = 16;  // lanes of any target's vectors of floats
constexpr std::size_t most_tile_columns = 256;

// A block by_tiles() of one scalar an element. `convert(position, count, to)` makes `count` scalars that begin at a
// position in memory.
template <class Convert>
void read_converted_tiles(const Block& block, std::size_t lanes, const BlockKernels<float>& kernels,
                          const Convert& convert, float* plane) {
  float buffer[most_tile_rows * most_tile_columns];
  for_each_piece(block, kernels, most_tile_columns,
                 [&](std::size_t row, std::size_t rows, std::size_t column, std::size_t columns) {
                   for (std::size_t i = 0; i < rows; ++i) {
                     const auto place =
                         static_cast<std::int64_t>(row + i) * block.lane_stride + static_cast<std::int64_t>(column);
                     convert(block.first + place, columns, buffer + i * most_tile_columns);
                   }
                   kernels.combinations.rows_to_lanes(buffer, most_tile_columns, rows, columns,
                                                      plane + column * lanes + row, lanes);
                 });
}

// The way back, times `scale`; `convert(from, count, position)`.
template <class Convert>
void write_converted_tiles(const Block& block, std::size_t lanes, float scale, const BlockKernels<float>& kernels,
                           const Convert& convert, const float* plane) {
  float buffer[most_tile_rows * most_tile_columns];
  for_each_piece(block, kernels, most_tile_columns,
                 [&](std::size_t row, std::size_t rows, std::size_t column, std::size_t columns) {
                   kernels.combinations.lanes_to_rows(plane + column * lanes + row, lanes, rows, columns, scale, buffer,
                                                      most_tile_columns);
                   for (std::size_t i = 0; i < rows; ++i) {
                     const auto place =
                         static_cast<std::int64_t>(row + i) * block.lane_stride + static_cast<std::int64_t>(column);
                     convert(buffer + i * most_tile_columns, columns, block.first + place);
                   }
                 });
}

}  // namespace twiddle::backend::host
