// Real lines in several stages, of which only half is kept in between: of odd length, or extended.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/emit.hpp"

namespace twiddle::plan {

// Whether the line is one of reals on one side, or on both, of odd length, in several stages, each of its own part. Not
// of those on both sides where too many convolutions would add their errors up.
[[nodiscard]] bool keeps_halves(const AxisTask& task, const LineRecipe& line, const DeviceLimits& limits);

// The stages of such a line: of its columns' spectra the lower halves say everything, so only their rows are
// transformed, and store the mirrored rows' results as well; for reals as results the other way round. (Symmetry as in
// G. D. Bergland, A fast Fourier transform algorithm for real-valued series, 1968, in one step of the radix `columns`.)
// Rows of several parts stay where they are until the last part, which alone moves elements, or on the way back the
// first. Cosine, sine and Hartley transforms have a map between the half of the spectrum, in the order of columns and
// rows, and their reals; on the other side, where the line is in another order, elements are loaded from or stored to
// their places.
[[nodiscard]] std::vector<Draft> emit_halves(const AxisTask& task, const LineRecipe& line);

// The stages of dct1 or dst1 as the transform of an even or odd line of `task.rule.points` points, an even number:
// columns are loaded by way of their mirror images, and rows store reals, in the lower half of the line. Of all that is
// symmetric about such a line it makes no use in between, which leaves the errors of mirrored elements independent, and
// stores the real part of their sum; of an odd line columns are multiplied by i, which makes its results real.
[[nodiscard]] std::vector<Draft> emit_extended(const AxisTask& task, const LineRecipe& line);

// A half spectrum cut into blocks of so many frequencies, which lie further apart: behind each block stand the first
// ones of the next once more. The last block ends in the middle.
struct SpectrumBlocks {
  std::uint64_t frequencies = 1;
  std::uint64_t apart = 2;
  std::uint64_t count = 1;
  std::uint64_t places = 1;  // of all blocks
};

// The blocks in which the spectrum of such a line must stand so that all stages on the way back to reals but the last
// ones keep to their places; nothing where none do.
[[nodiscard]] std::optional<SpectrumBlocks> spectrum_blocks(const AxisTask& task, const LineRecipe& line);

// These stages: rows, and two for columns, beside each other. The task's source has the places of the blocks.
[[nodiscard]] std::vector<Draft> emit_halves_in_blocks(const AxisTask& task, const LineRecipe& line);

}  // namespace twiddle::plan
