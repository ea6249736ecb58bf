// Lines of which a part is not there, or not wanted, as whole ones but at the ends of a program: what moves elements
// first, or last, leaves out the others.
#pragma once

#include <optional>
#include <vector>

#include "plan/lower/place.hpp"
#include "plan/lower/slice.hpp"

namespace twiddle::plan {

// The only axis of a program, whole, and its groups.
struct WholeLine {
  std::vector<DraftGroup> groups;
  AxisGroups axis;
};

// That of groups of one axis that is pruned on either side; nothing where there is no such one, or its lines are not
// whole in any way.
[[nodiscard]] std::optional<WholeLine> whole_line(const std::vector<DraftGroup>& groups,
                                                  const std::vector<AxisGroups>& axes);

// Makes a program of whole lines along `dimension` read what there is of them, and write what is wanted: as many
// elements as the frames have. False where its first or last stages can't leave out others.
[[nodiscard]] bool prune_ends(std::vector<DraftGroup>& groups, std::size_t dimension, const Frame& read,
                              const Frame& written);

}  // namespace twiddle::plan
