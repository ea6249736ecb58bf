// Programs in which the stages of a line of reals keep to their places, as those of complex lines do behind a copy that
// moves elements (moved_first.hpp): of halves, whose floats have room in place of them and as much scratch memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/place.hpp"
#include "plan/lower/slice.hpp"

namespace twiddle::plan {

struct RealPlaces {
  std::uint64_t block = 1;   // so many neighbouring pairs go together
  bool of_spectrum = false;  // of an even number of reals that were frequencies, the places are those of these
  // A hook sees each frequency, so that the first one of an odd number of reals has a place for its imaginary part.
  bool hooked_spectrum = false;
};

// The groups, of which one axis has a line of reals in several stages, on one side or both: of odd length as
// moved_odd_reals.hpp has it; of even length half of the points as complex numbers, and between these and the reals'
// spectrum a map that makes mirror images together (Stage::mirrored). Elements move before the stages where they are
// decimated in time, which is so on the way to a spectrum, and behind them on the way back; the reals of cosine, sine
// and Hartley transforms move on either side. What moves remains halves: all along the line, in blocks where pairs
// stay pairs. If `first_moves`, the first stage of the program reads other memory than it writes, and may move elements
// itself. Nothing where there is no such axis, or another one in several stages, or where the line is pruned.
[[nodiscard]] std::optional<std::vector<DraftGroup>> with_reals_in_places(const std::vector<DraftGroup>& groups,
                                                                          const std::vector<AxisGroups>& axes,
                                                                          bool first_moves, const RealPlaces& places);

}  // namespace twiddle::plan
