// Convolutions as stages with a filter bank: of one dimension, and direct sums of up to three.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/stage.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::plan {

// How a bank convolves: in segments of so many points, by transforms of these radices or (none) by direct sums.
struct BankRecipe {
  std::uint64_t segment = 1;
  std::vector<unsigned> radices;
  bool operator==(const BankRecipe&) const = default;
};

// What a convolution's plan executes: `prepare` makes Operand::spectra of the filters, its input; `apply` convolves.
struct BankPrograms {
  Program prepare;
  Program apply;
  std::uint64_t spectra_bytes = 0;
  bool operator==(const BankPrograms&) const = default;
};

// Outputs that a segment of so many points gives: those that are not aliased and have their neighbours, a multiple of
// the decimation; 0 where it is too short.
[[nodiscard]] std::uint64_t segment_outputs(const twiddle::Convolution& convolution, std::uint64_t segment);

// The convolution, which is valid; with more than one dimension only direct sums. The segment, along the last
// dimension, must give outputs. Shapes are left open.
[[nodiscard]] BankPrograms lower_bank(const twiddle::Convolution& convolution, const BankRecipe& recipe);

}  // namespace twiddle::plan
