// What transforms of an odd number of reals have around those of their columns (moved_odd_reals.hpp).
#pragma once

#include <optional>

#include "plan/lower/emit.hpp"
#include "plan/lower/real_order.hpp"

namespace twiddle::plan {

// What the frequencies are multiplied by so that their parts are reals of the line.
enum class FrequencyTurn {
  none,
  quarter,   // of cosine and sine transforms: up to a quarter turn along the line
  diagonal,  // of Hartley's: by 1 + i
  eighths    // of dct4 and dst4: one or several of them, another number for each frequency
};

struct OddKind {
  bool to_spectrum = true;
  bool reals_read = true;
  bool reals_written = true;
  std::optional<RealOrder> reals{};        // of the reals before they are transformed, or behind it: else as they are
  std::optional<RealOrder> frequencies{};  // of the reals that frequencies become, or are made of
  bool shifted = false;                    // instead, both orders are those of quarter_shifted(); of sines `backwards`
  bool backwards = false;
  FrequencyTurn turn = FrequencyTurn::none;
  bool orthogonal = false;
};

// Nothing where the line is no whole one of an odd number of reals, on one side or both.
[[nodiscard]] std::optional<OddKind> odd_kind(const AxisTask& task);

}  // namespace twiddle::plan
