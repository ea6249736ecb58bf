// Programs that move elements before anything else is done to them, so that all stages keep to their places: those of
// halves, whose floats have room in place of them and as much scratch memory (Spot::apart), but not twice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/place.hpp"
#include "plan/lower/slice.hpp"

namespace twiddle::plan {

// What moves elements.
enum class Mover {
  copy,        // a stage of its own, which halves remain halves in
  first_stage  // that which computes first
};

// The groups, of which complex lines in several stages are decimated in time: their elements are put in the order of
// reversed digits before, along all such axes at once; by a copy in blocks of so many neighbours. Nothing where there
// is no such line, or where one in several stages has a map beside it, or is pruned, in pairs or by Bluestein's
// algorithm through memory.
[[nodiscard]] std::optional<std::vector<DraftGroup>> with_elements_moved_first(const std::vector<DraftGroup>& groups,
                                                                               const std::vector<AxisGroups>& axes,
                                                                               Mover mover, std::uint64_t block);

}  // namespace twiddle::plan
