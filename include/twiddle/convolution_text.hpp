// A short grammar in which convolutions are written down, for command lines.
#pragma once

#include <string>
#include <string_view>

#include "twiddle/convolution.hpp"

namespace twiddle {

// A convolution is conv:ELEMENTS:PRECISION:SIGNALS:FILTERS, such as
// conv:real:f32:1048576:32*257, followed by any of the options below, each after a colon and at most once:
//   ELEMENTS   real or complex
//   PRECISION  f32 or f64
//   SIGNALS    lengths joined by x, before them the number of signals and '*' where that is not 1
//   FILTERS    the same of the filters
//   correlate                        (default: convolve)
//   mode=full|same|valid             (default: full)
//   boundary=zero|periodic|reflect|nearest
//   method=direct|separable|whole|overlap-save, segment=N
//   post=power|magnitude|derivative|interbin-pi/4|interbin-2/pi, maximum, decimation=N
// Throws InvalidArgument naming the part that is wrong and what is expected, also where validate() refuses the value.
[[nodiscard]] Convolution parse_convolution(std::string_view text);

// The text from which parse_convolution() makes such a convolution again, options at their defaults left out. What the
// grammar has no words for, `past` and a hook, is left out, too.
[[nodiscard]] std::string convolution_text(const Convolution& convolution);

// Whether a text begins as one of a convolution does, and not as one of a transform (problem.hpp).
[[nodiscard]] bool is_convolution_text(std::string_view text);

}  // namespace twiddle
