// Lines of an axis in slices, so that what stands between its stages needs no more memory than the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/emit.hpp"
#include "plan/lower/place.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// An axis, and where the drafts that emit() made of it are: in `count` groups from `first` on, one in each.
struct AxisGroups {
  AxisTask task;
  const LineRecipe* line = nullptr;
  std::size_t first = 0;
  std::size_t count = 0;
};

// The groups as place() has them. Where scratch memory would be more than the data, the larger of input and output, the
// axes that need so much are carried out in slices across another dimension. Where there are too few lines for that,
// slices of one need the least. Long lines of the host that the last cache does not hold are carried out in slices,
// too, that the cores' own caches hold. Where slices do not do, and the input stays, the first stage is carried out for
// each part of its results (repeat_first.hpp). Of several axes, slices may be beside what all of them read in scratch
// memory, on one thread of the host where that takes a quarter off at least, and elsewhere where twice the data would
// not do. Where `most_scratch` bytes say how much it may be instead, and slices of an axis do not make do with them,
// all axes are carried out in slices of the batch.
[[nodiscard]] Program place_in_slices(const std::vector<DraftGroup>& groups, const std::vector<AxisGroups>& axes,
                                      const PlaceRules& rules, const DeviceLimits& limits,
                                      std::optional<std::uint64_t> most_scratch);

}  // namespace twiddle::plan
