// What stands ahead of both stages in the kernel that carries them out in one launch.
#include "kernel/stage_parts.hpp"

#include <fmt/format.h>

#include "kernel/butterfly.hpp"
#include "kernel/kernel_source.hpp"
#include "kernel/stage_preamble.hpp"

namespace twiddle::kernel {

std::string shared_prelude(const PartPair& parts, Dialect dialect, Precision precision, bool limits_registers,
                           bool wide_index) {
  std::string text;
  if (precision == Precision::float64) text += double_prelude(dialect);
  text += prelude(dialect, precision, limits_registers);
  text += fmt::format("#define TW_INDEX {}\n", wide_index ? "TW_WIDE" : "TW_UINT");
  if (parts.first.steps_back || parts.second.steps_back) {
    text += fmt::format("#define TW_OFFSET {}\n", signed_type(dialect, wide_index));
  }
  return text;
}

std::string shared_functions(const PartPair& parts, Dialect dialect, Precision precision) {
  std::string text(product_function());
  auto butterflies = parts.first.butterflies;
  butterflies.insert(parts.second.butterflies.begin(), parts.second.butterflies.end());
  for (const auto& [radix, direction] : butterflies) {
    text += kept_butterfly_source(radix, direction, dialect, precision, Rounding::usual, false);
    text += "\n";
  }
  return text;
}

KernelSource two_stage_kernel(const plan::Program& program, Dialect dialect) {
  return program.planes ? plane_kernel(program, dialect) : joined_kernel(program, dialect);
}

}  // namespace twiddle::kernel
