// Transforms back to reals whose input stays as it is: with one array between input and output.
#pragma once

#include <optional>
#include <vector>

#include "plan/lower/draft.hpp"
#include "plan/lower/slice.hpp"

namespace twiddle::plan {

// The drafts of the axes, of which the last one makes reals of a half spectrum, or of a whole one beside a real axis of
// one point, once more, so that only the first one and those that write reals need another memory for their results.
// Axes in several stages leave frequencies in reversed order, in which the last axis finds them; an odd last axis in
// two stages finds its spectrum in blocks (SpectrumBlocks), as the first stage of all leaves it. Nothing where that
// cannot be: by Bluestein's algorithm through memory, of a last axis of odd length in more than two stages, and of axes
// that are pruned.
[[nodiscard]] std::optional<std::vector<DraftGroup>> in_one_array(const std::vector<DraftGroup>& groups,
                                                                  const std::vector<AxisGroups>& axes);

}  // namespace twiddle::plan
