// Stages that follow each other while a core's caches hold what is between them.
#pragma once

#include <optional>

#include "plan/lower/slice_search.hpp"

namespace twiddle::plan {

// On the host, what is more than the last cache holds: lines in several stages, and images and volumes, of which each,
// or each plane of a volume, stays in the caches of a core while the stages of its axes follow each other, instead of
// going to memory and back. In place images stay where they are; out of place, rows that end within a cache line are
// copied to the results as one run. Nothing where that does not pay: lines and images of more than two to eight of a
// core's caches, maps that are stages with tables of their own, which push each other's out of the cache, few lines,
// which leave threads idle, and symmetric ones, of which some took 1.2 to 1.3 times as long on two threads. Nor where
// many threads' slices of lines that are mostly zeros, or mostly not wanted, are more than the data.
[[nodiscard]] std::optional<Program> place_in_core_caches(const SliceSearch& whole, const PlaceRules& rules);

}  // namespace twiddle::plan
