// Lines of which a part is not there, or not wanted, as whole ones but at the ends of a program: what moves elements
// first, or last, leaves out the others.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plan/lower/place.hpp"
#include "plan/lower/slice.hpp"

namespace twiddle::plan {

// A program's groups of whole lines along the dimension of which a part is pruned, and their axes.
struct WholeLines {
  std::size_t dimension = 0;
  std::vector<DraftGroup> groups{};
  std::vector<AxisGroups> axes{};
};

// Those of groups of which one axis is pruned, on either side; nothing where there is no such one, or several are, or
// lines along one of them can't be whole: by Bluestein's algorithm through memory, even or odd, or in pairs.
[[nodiscard]] std::optional<WholeLines> whole_lines(const std::vector<DraftGroup>& groups,
                                                    const std::vector<AxisGroups>& axes);

// Makes a program of whole lines along `dimension` read what there is of them, and write what is wanted: as many
// elements as the frames have. False where its first or last stages can't leave out others.
[[nodiscard]] bool prune_ends(std::vector<DraftGroup>& groups, std::size_t dimension, const Frame& read,
                              const Frame& written);

}  // namespace twiddle::plan
