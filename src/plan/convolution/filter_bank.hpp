// What a stage does that convolves segments of lines with a bank of filters: overlap-save, or direct sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twiddle/convolution.hpp"

namespace twiddle::plan {

// Taps across lines, for more than one dimension. The line of outer tap o, 0 <= o < taps, has the place p = i + offset
// - o, where i is the index in loop `loop` of the stage (whose input_stride is 0); with the load_bound's `outside`, it
// is that of boundary_source(outside, p, count), input_stride times that behind the others' position. Where there is
// none, it is 0.
struct OuterTaps {
  std::uint64_t taps = 1;
  std::size_t loop = 1;
  std::uint64_t count = 1;
  std::int64_t offset = 0;
  std::int64_t input_stride = 0;
  bool operator==(const OuterTaps&) const = default;
};

// Overlap-save (e.g. A. V. Oppenheim, R. W. Schafer, Discrete-Time Signal Processing, section 8.7; fused into one
// kernel: Adamek et al. 2020, see convolution.hpp). The transforms of such a stage are segments of `length` points;
// loops[0] walks over the segments of a line. Element k of a segment x convolved cyclically with filter f,
//   y_f[k] = sum_m h_f[m] x[(k - m) mod length],    0 <= m < taps,
// is what the linear convolution gives for the elements from taps - 1 on; the stage's store_bound keeps no others.
//
// Kinds:
//   spectra   The stage makes what the other stages take from Operand::spectra, its destination. Each transform is a
//             filter, zero beyond the load_bound. It is transformed by the radices and stored scaled (1 / length), in
//             the order in which the engine's own passes leave it: only the engine that wrote it reads it. It takes
//             `length` complex numbers of the stage's precision for a filter, one filter after the other. Engines of
//             devices have the filters' taps behind all of them, complex, `taps` for a filter: where a sample of a
//             segment is not finite, its results are the sums of `direct`, which it spoils no more of than it touches.
//   cyclic    Each segment is transformed by the radices (forward), multiplied by each filter's spectrum, and each
//             product is transformed back.
//   direct    The same y_f[k], as the sum stands, for the elements that are stored only; radices are empty. The filters
//             are in Operand::spectra as they are, `taps` elements each, real where `real_taps`, interleaved complex
//             otherwise, in the stage's precision.
//   separable The same sums with taps across lines (`outer`, one dimension of them), of filters that are products of a
//             column and a row: h_f[o][m] = c_f[o] r_f[m]. Operand::spectra has c_f, then r_f, of each filter. Columns
//             are summed first, then along the row.
//
// Filters longer than a segment (cyclic, spectra): in `partitions` of `taps` elements, the first the one that meets the
// latest samples, the last one with `last_taps`. Then y_f[k] = sum_p sum_m h_f[p taps + m] x_p[(k - m) mod length],
// where x_p is the segment `p taps` samples before x, which is the one that is `p` turns before in loops[0] where there
// is such a turn: a turn moves by as many outputs as a partition has taps. Spectra are those of the first filter's
// partitions, then of the next filter's (J.-S. Soo, K. K. Pang, Multidelay block frequency domain adaptive filter,
// 1990; F. Wefers, Partitioned convolution algorithms for real-time auralization, 2015).
//
// Direct sums may have taps across lines as well (`outer`), so that
//   y_f[k] = sum over outer taps o and taps m of h_f[o][m] x_o[k - m];
// see OuterTaps for the line x_o. The filters then have the product of all taps as elements, those of `outer` slowest.
//
// What is stored: elements k of the store_bound, first_element <= k < end_element. Let j = k - first_element. After
// post-processing, element j of filter f lies at
//   output_offset + f * filter_stride + (j / decimation) * output_stride + loops...
// where j is a multiple of `decimation` (others are not stored); an interbinned one at twice that multiple, and the one
// between it and the next one output_stride behind it. Positions of the bound are those of y, undecimated.
// A function that takes neighbours finds them within the segment, and so does the user's in the store hook:
// first_element >= taps - 1 + halo.left, and end_element <= length - halo.right. The neighbours that a hook sees are
// what the function makes of them, not decimated.
//
// Two segments of reals are the real and the imaginary part of one where both storages are planar: `imaginary_offset`
// of the input is the distance of segments in the input, that of the output in the output, and `imaginary_step` of the
// bounds that in positions; the bounds hold for each part on its own. Post-processing sees two real numbers, not a
// complex one.
struct FilterBank {
  enum class Kind { spectra, cyclic, direct, separable };
  Kind kind = Kind::cyclic;
  std::uint64_t filters = 1;
  std::uint64_t taps = 1;  // of a filter, or of a partition of it
  std::uint64_t partitions = 1;
  std::uint64_t last_taps = 0;     // of the last of several partitions, which may have fewer
  std::int64_t filter_stride = 0;  // from a filter's results to the next one's, in elements of the output
  bool real_taps = false;          // direct and separable only
  std::vector<OuterTaps> outer{};  // likewise
  // With post.maximum, the largest output over all filters is stored once, as of filter 0, and the index of its filter,
  // as a scalar of the output, `index_offset` scalars behind it.
  PostProcessing post{};
  std::int64_t index_offset = 0;
  bool operator==(const FilterBank&) const = default;
};

// Neighbouring outputs that are needed before and behind each output.
struct Halo {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
};
// Of a function and of the user's own (none: null).
[[nodiscard]] Halo halo_of(PostProcessing::Function function, const Hook* store_hook);
[[nodiscard]] Halo halo_of(const twiddle::Convolution& convolution);
// Whether a hook reads other results beside each.
[[nodiscard]] bool reads_neighbours(const Hook& hook);

// Whether a function makes real numbers of complex ones.
[[nodiscard]] bool makes_reals(PostProcessing::Function function);
// Interbinning: two outputs for each.
[[nodiscard]] bool interbins(PostProcessing::Function function);
// Outputs that are stored for so many results in a line.
[[nodiscard]] std::uint64_t stored_outputs(PostProcessing::Function function, std::uint64_t decimation,
                                           std::uint64_t results);
// The amplitude factor of interbinning.
[[nodiscard]] long double interbin_factor(PostProcessing::Function function);

// Taps of a filter, the outer ones included; of one that is summed as a column and a row those of both.
[[nodiscard]] std::uint64_t all_taps(const FilterBank& bank);
// Lines that a result is summed from: the product of the outer taps.
[[nodiscard]] std::uint64_t outer_taps(const FilterBank& bank);

// "16 filters of 257, power".
[[nodiscard]] std::string to_string(const FilterBank& bank);

}  // namespace twiddle::plan
