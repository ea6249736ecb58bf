// Places in arrays that are nowhere as places in those that are.
#include "run/whole_hooks.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

namespace twiddle::run {

// WholeGeometry::place_filter the other way round.
Hook padded_filter_hook(const WholeGeometry& geometry) {
  const Convolution& convolution = geometry.convolution();
  const bool correlated = convolution.operation == Convolution::Operation::correlate;
  std::string text = "TW_INDEX rest = index;\nTW_INDEX at = 0;\nbool inside = true;\n";
  std::size_t stride = 1;
  for (std::size_t d = convolution.kernel_lengths.size(); d-- > 0;) {
    const std::size_t taps = convolution.kernel_lengths[d];
    const std::size_t points = geometry.padded()[d];
    const bool wide = points >= std::size_t{1} << 31;  // what sums of 32 bits hold
    text += fmt::format(
        "{{\nconst {0} tap = (rest % {1} + ({0}){2}) % {1};\nrest /= {1};\ninside = inside && tap < {3};\n"
        "at += (TW_INDEX)({4}) * {5};\n}}\n",
        wide ? "TW_WIDE" : "TW_INDEX", points, geometry.first_tap(d), taps,
        correlated ? fmt::format("{} - tap", taps - 1) : "tap", stride);
    stride *= taps;
  }
  text += fmt::format("at += rest * {};\n", stride);
  Hook hook;
  hook.gathers = true;
  hook.source = text + (convolution.complex ? "if (inside) value = ((TW_GLOBAL const TW_COMPLEX*)memory)[at];"
                                            : "if (inside) value.x = ((TW_GLOBAL const TW_REAL*)memory)[at];");
  if (correlated && convolution.complex) hook.source += "\nvalue.y = -value.y;";
  return hook;
}

// The spectra of all signals and segments lie one after the other; each meets the same filter.
Hook product_hook(const WholeGeometry& geometry) {
  const Convolution& convolution = geometry.convolution();
  const std::size_t points = geometry.points();
  const std::size_t signals = convolution.signals * geometry.segments() * points;
  const std::string of_signal = convolution.filters == 1 ? "index" : fmt::format("index % {}", signals);
  const std::string of_filter = signals == points ? "index"
                                : convolution.filters == 1
                                    ? fmt::format("index % {}", points)
                                    : fmt::format("index / {0} * {1} + index % {1}", signals, points);
  Hook hook;
  hook.gathers = true;
  hook.source = fmt::format(
      "const TW_COMPLEX spectrum = ((TW_GLOBAL const TW_COMPLEX*)memory)[{}];\n"
      "const TW_COMPLEX factor = ((TW_GLOBAL const TW_COMPLEX*)user)[{}];\n"
      "value.x = spectrum.x * factor.x - spectrum.y * factor.y;\n"
      "value.y = spectrum.x * factor.y + spectrum.y * factor.x;",
      of_signal, of_filter);
  return hook;
}

Hook sum_hook(const WholeGeometry& geometry) {
  const Convolution& convolution = geometry.convolution();
  const char* const value_type = convolution.complex ? "TW_COMPLEX" : "TW_REAL";
  std::string text = "TW_WIDE rest = index;\n";
  std::string loops;
  std::string at = "0";
  std::string tap = "0";
  std::string closed;
  for (std::size_t d = geometry.outputs().size(); d-- > 0;) {
    const std::int64_t first = geometry.first_sample(d);
    text += fmt::format("const TW_WIDE last_{0} = rest % {1} {2} {3};\nrest /= {1};\n", d, geometry.outputs()[d],
                        first < 0 ? "-" : "+", std::abs(first));
  }
  for (std::size_t d = 0; d < geometry.outputs().size(); ++d) {
    const std::size_t taps = convolution.kernel_lengths[d];
    const std::size_t given = geometry.given()[d];
    loops += fmt::format(
        "#pragma unroll 1\nfor (TW_WIDE m_{0} = 0; m_{0} < {1}; ++m_{0}) {{\n"
        "const TW_WIDE at_{0} = last_{0} - m_{0};\nif (at_{0} >= {2}) continue;\n",
        d, taps, given);
    at = fmt::format("({}) * {} + at_{}", at, given, d);
    tap = fmt::format("({}) * {} + m_{}", tap, taps, d);
    closed += "}\n";
  }
  text += fmt::format(
      "TW_GLOBAL const {0}* taps = (TW_GLOBAL const {0}*)spectra + rest % {1} * {2};\nrest /= {1};\n"
      "TW_GLOBAL const {0}* samples = (TW_GLOBAL const {0}*)memory + rest * {3};\nif (rest < {4}) {{\n",
      value_type, convolution.filters, element_count(convolution.kernel_lengths), element_count(geometry.given()),
      convolution.signals);
  text += loops + fmt::format("const {0} a = samples[{1}];\nconst {0} b = taps[{2}];\n", value_type, at, tap);
  // Nothing makes a sum that is no number one again. The last real of an odd number has no partner in memory.
  text += convolution.complex ? "value = TW_MAKE(TW_FMA(a.x, b.x, TW_FMA(-a.y, b.y, value.x)),\n"
                                "                TW_FMA(a.x, b.y, TW_FMA(a.y, b.x, value.y)));\n"
                                "if (value.x != value.x && value.y != value.y) break;\n"
                              : "value.x = TW_FMA(a, b, value.x);\nif (value.x != value.x) break;\n";
  Hook hook;
  hook.gathers = true;
  hook.source = text + closed + "}";
  return hook;
}

}  // namespace twiddle::run
