// Short real-to-real lines as products with a matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// Elements of a line, on either side, that kernels have room for.
inline constexpr std::size_t most_matrix_points = 33;

struct MatrixLine {
  plan::Stage reals;                // in scalars: where the lines are, one real each; it says nothing else
  std::size_t inputs = 1;           // of a line
  std::size_t results = 1;          // likewise
  std::vector<long double> matrix;  // [result][input]
};

// Of a stage in scalars that is a dct, dst or dht of whole points by maps, and nothing else: the definition. Pairs of
// lines that are transformed as one complex line are two lines. Nothing for other stages, and for lines of more than
// `most` elements.
[[nodiscard]] std::optional<MatrixLine> matrix_line(const plan::Stage& stage, std::size_t most);

}  // namespace twiddle::backend::host
