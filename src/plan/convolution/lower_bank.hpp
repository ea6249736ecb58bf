// Convolutions as stages with a filter bank: of one dimension, and direct sums of up to three.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// How a bank convolves: in segments of so many points, by transforms of these radices or (none) by direct sums, which
// may be of columns and rows (two dimensions). A filter that is longer than a segment is cut into partitions.
struct BankRecipe {
  std::uint64_t segment = 1;
  std::vector<unsigned> radices;
  bool separable = false;
  bool partitioned = false;
  bool operator==(const BankRecipe&) const = default;
};

// What a convolution's plan executes: `prepare` makes Operand::spectra of the filters, its input; `apply` convolves.
// For columns and rows `prepare` has no stages: separate_filters() (separation.hpp) makes these. Where there are stages
// of `results`, `apply` leaves `convolved_bytes` for them that are both their input and the memory of their load hooks.
struct BankPrograms {
  Program prepare;
  Program apply;
  Program results{};
  std::uint64_t spectra_bytes = 0;
  std::uint64_t taps_bytes = 0;  // behind the spectra, on devices
  std::uint64_t convolved_bytes = 0;
  bool operator==(const BankPrograms&) const = default;
};

// How transforms of so many points serve a convolution of one dimension: the outputs that each segment gives, those
// that are not aliased and have their neighbours, a multiple of the decimation (0: it is too short); and the partitions
// that filters are cut into; where that is asked for, they have as many taps as a segment gives outputs.
struct SegmentUse {
  std::uint64_t outputs = 0;
  std::uint64_t taps = 1;
  std::uint64_t partitions = 1;
  bool operator==(const SegmentUse&) const = default;
};
[[nodiscard]] SegmentUse use_of_segment(const twiddle::Convolution& convolution, std::uint64_t segment,
                                        bool partitioned = false);

// The convolution, which is valid; with more than one dimension only direct sums. The segment, along the last
// dimension, must give outputs. Shapes are left open.
[[nodiscard]] BankPrograms lower_bank(const twiddle::Convolution& convolution, const BankRecipe& recipe);

// What such a device keeps of the filters, in bytes: their spectra and, where there are work-groups, behind them the
// taps.
[[nodiscard]] std::uint64_t filter_bytes(const BankPrograms& programs, const DeviceLimits& limits);

}  // namespace twiddle::plan
