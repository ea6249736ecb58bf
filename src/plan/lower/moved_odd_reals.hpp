// The stages of a line of an odd number of reals that keep to exactly as many places as there are reals, in and out of
// place: what moved_reals.hpp has of an even number.
#pragma once

#include <optional>
#include <vector>

#include "plan/lower/emit.hpp"
#include "plan/lower/line_in_places.hpp"

namespace twiddle::plan {

// Columns of n1 reals leave n1 / 2 + 1 frequencies, of which the first one is real: in the places of the n1 reals stand
// their real parts, then the imaginary ones of all but the first. So rows of frequencies other than 0 are complex lines
// whose parts are as far from each other, and the row of frequency 0 is a line of reals like the whole, beside them
// (the order of halves as in H. V. Sorensen, D. L. Jones, M. T. Heideman, C. S. Burrus, Real-valued fast Fourier
// transform algorithms, 1987, here of any odd radix). The stages multiply by `scale` in all. The first stage reads the
// reals from where they stand if `first_moves`. Where the line's frequencies are the user's, the drafts of `others`,
// axes of these behind the line or before it, are carried out on the frequencies in their places. Nothing where the
// line is no whole one of an odd number of reals, on one side or both, in several parts, or such axes do more than
// transform.
[[nodiscard]] std::optional<LineInPlaces> odd_reals_in_places(const AxisTask& task, const LineRecipe& line,
                                                              bool first_moves, long double scale,
                                                              const std::vector<Draft>& others);

}  // namespace twiddle::plan
