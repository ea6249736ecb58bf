// The twiddle of a whole stage without gathering: of each transform the roots of few outputs, and products of these.
#include <fmt/format.h>

#include "kernel/stage_layout.hpp"
#include "kernel/stage_memory.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::kernel {

void add_line_roots(const plan::Stage& stage, StageLayout& layout) {
  if (!stage.twiddle || stage.twiddle->on_load || stage.shape.vector != 1) return;
  const Pass& last = layout.passes.back();
  if (last.rounds != 1 || last.partial) return;
  const std::uint64_t count = stage.loops[stage.twiddle->loop].count;
  plan::LongVector<std::complex<long double>>& constants = layout.tables.constants;
  LineRoots roots{.first = static_cast<std::uint32_t>(constants.size()), .count = static_cast<std::uint32_t>(count)};
  const auto add = [&](std::uint64_t element, bool turned) {
    const std::complex<long double> quarter = plan::root_of_unity(1, 4);
    const std::complex<long double> turn = turned ? std::conj(quarter) : 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::complex<long double> root =
          plan::root_of_unity(element * i % stage.twiddle->modulus, stage.twiddle->modulus);
      constants.push_back(stage.direction == Direction::forward ? turn * root : std::conj(turn * root));
    }
  };
  for (std::uint64_t b = 0; b < last.butterflies; ++b) add(b, stage.twiddle->times_i);
  roots.steps = static_cast<std::uint32_t>(constants.size());
  for (std::uint64_t j = 1; j < last.radix; j += j < LineRoots::few ? 1 : LineRoots::few) {
    add(j * last.butterflies, false);
  }
  layout.line_roots = roots;
}

// Ahead of all stores, past which the compiler would read the roots again.
void StageMemory::turn_by_line_roots(const Pass& pass) {
  if (!layout_.line_roots) return;
  const LineRoots& roots = *layout_.line_roots;
  open_reads(pass);
  text_.line("TW_GLOBAL const TW_COMPLEX* roots = constants + {};", index_in(stage_.twiddle->loop));
  text_.line("const TW_COMPLEX base = roots[{} + b * {}];", roots.first, roots.count);
  text_.loop("j", 0, pass.radix);
  text_.line("const TW_UINT far = j / {0}, near = j % {0};", LineRoots::few);
  text_.line("const TW_COMPLEX most = far == 0 ? base : multiply(base, roots[{} + ({} + far) * {}]);", roots.steps,
             LineRoots::few - 2, roots.count);
  text_.line("const TW_COMPLEX root = near == 0 ? most : multiply(most, roots[{} + (near - 1) * {}]);", roots.steps,
             roots.count);
  text_.line("v[m * {0} + j] = multiply(v[m * {0} + j], root);", pass.radix);
  text_.close();
  close_reads();
}

}  // namespace twiddle::kernel
