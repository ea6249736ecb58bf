// How many neighbouring transforms a bundle has side by side.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/stage_worker.hpp"

namespace twiddle::backend::host {

// Transforms that are neighbours along `lane_loop` (StageLoops::no_loop: of a stage without loops): a multiple of a
// vector's lanes, and at least a cache line of complex numbers. Where neighbours are adjacent in memory, wide bundles
// make use of more of each page and each run of cache lines; they must fit into caches, and leave every thread
// something to do.
template <class T>
[[nodiscard]] std::size_t bundle_lanes(const plan::Stage& stage, std::size_t lane_loop, const WorkerOptions& options);

// Whether elements `stride` scalars apart fall onto few sets of the caches.
template <class T>
[[nodiscard]] bool share_sets(std::int64_t stride);

}  // namespace twiddle::backend::host
