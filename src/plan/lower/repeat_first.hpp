// Programs whose first stage is carried out once for each part of its results, so that what stands between the stages
// is a part of the data: where results have no room for it, and there are no lines that could take turns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/place.hpp"

namespace twiddle::plan {

// The groups, each of a draft, as one that carries them out for each of so many parts of the first draft's results,
// which are elements of its transforms that follow each other. Of each transform it computes all elements and stores
// those of the part; the other drafts have so many fewer lines each time. Nothing where that cannot be: where the first
// draft stores by a map, and where what the others do with an element depends on where it stands in the first one's
// transform, but for bounds with a period, or on another one, as a map does that mirrored transforms share.
[[nodiscard]] std::optional<DraftGroup> repeat_first(const std::vector<DraftGroup>& groups, std::uint64_t parts);

}  // namespace twiddle::plan
