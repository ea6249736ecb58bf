// A hook that knows from an element's place where its sample is.
#include "plan/convolution/lower_extension.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

// The sample of an axis of `length` that stands at position `first` + c, c an unsigned number of that name.
std::string sample_text(Boundary boundary, std::int64_t first, std::int64_t length) {
  const auto modulo = [first](std::int64_t period) { return (first % period + period) % period; };
  switch (boundary) {
    case Boundary::periodic:
      return fmt::format("(c + {}) % {}", modulo(length), length);
    case Boundary::reflect:
      return fmt::format("((c + {0}) % {1} < {2} ? (c + {0}) % {1} : {1} - 1 - (c + {0}) % {1})", modulo(2 * length),
                         2 * length, length);
    case Boundary::nearest:
      if (first >= 0) return fmt::format("(c + {0} < {1} ? c + {0} : {2})", first, length, length - 1);
      return fmt::format("(c < {0} ? 0 : c - {0} < {1} ? c - {0} : {2})", -first, length, length - 1);
    case Boundary::zero:
      break;
  }
  return first < 0 ? fmt::format("c - {}", -first) : fmt::format("c + {}", first);
}

// Whether there is a sample at that position.
std::string inside_text(std::int64_t first, std::int64_t length) {
  if (first < 0) return fmt::format("c >= {0} && c - {0} < {1}", -first, length);
  return fmt::format("c + {} < {}", first, length);
}

}  // namespace

Program lower_extension(const twiddle::Convolution& convolution, const std::vector<std::int64_t>& first,
                        const std::vector<std::size_t>& given) {
  const bool zero = convolution.boundary == Boundary::zero;
  std::string text = "TW_INDEX rest = index;\nTW_INDEX at = 0;\n";
  if (zero) text += "bool inside = true;\n";
  std::uint64_t stride = 1;
  std::uint64_t elements = convolution.signals;
  for (std::size_t axis = given.size(); axis-- > 0;) {
    const std::size_t length = convolution.signal_lengths[axis];
    const bool wide = given[axis] + 2 * length >= std::uint64_t{1} << 32;  // what sums of 32 bits hold
    const auto samples = static_cast<std::int64_t>(length);
    text +=
        fmt::format("{{\nconst {3} c = rest % {0};\nrest /= {0};\nat += (TW_INDEX)({1}) * {2};\n{4}}}\n", given[axis],
                    sample_text(convolution.boundary, first[axis], samples), stride, wide ? "TW_WIDE" : "TW_INDEX",
                    zero ? fmt::format("inside = inside && {};\n", inside_text(first[axis], samples)) : "");
    stride *= length;
    elements *= given[axis];
  }
  text += fmt::format("at += rest * {};\n", stride);
  if (zero) text += "value = TW_MAKE(0, 0);\nif (inside) ";
  text += convolution.complex ? "value = ((TW_GLOBAL const TW_COMPLEX*)user)[at];"
                              : "value = TW_MAKE(((TW_GLOBAL const TW_REAL*)user)[at], 0);";
  auto hook = std::make_shared<Hook>();
  hook->source = std::move(text);
  Stage stage;
  stage.precision = convolution.precision;
  stage.input_storage = interleaved_or_real(convolution.complex, convolution.precision);
  stage.output_storage = stage.input_storage;
  stage.loops = {{elements, 0, 1}};
  stage.store_hook = StageHook{std::move(hook), 1};
  stage.step = "samples beyond the ends";
  Program program;
  program.stages.push_back(std::move(stage));
  return program;
}

}  // namespace twiddle::plan
