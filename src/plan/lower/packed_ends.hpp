// Transforms back to an even number of reals over several dimensions whose input stays as it is: with all that stands
// between stages in the output's memory.
#pragma once

#include <optional>
#include <vector>

#include "plan/lower/draft.hpp"
#include "plan/lower/place.hpp"
#include "plan/lower/slice.hpp"

namespace twiddle::plan {

// The program of the axes, of which the last one makes reals of a half spectrum, without scratch memory but for one of
// its frequencies. Its first and its last frequency count without imaginary parts by then: the real parts of the last
// one, which a program of its own makes of the input, take the places of the imaginary parts of the first one, so that
// half as many complex numbers as reals are all there is (LineMap::Rule::half_spectrum_load). `groups` are those of the
// axes, the last of which have the scale. Nothing where that cannot be: for a last axis in several stages or of an odd
// length, for axes that are pruned, for an output with gaps or of halves.
[[nodiscard]] std::optional<Program> with_packed_ends(const std::vector<DraftGroup>& groups,
                                                      const std::vector<AxisGroups>& axes, const PlaceRules& rules);

}  // namespace twiddle::plan
