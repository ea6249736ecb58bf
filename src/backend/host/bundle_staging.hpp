// What bundles do by way of staging: lines to planes and back where there is more to do than to move complex numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/line_passes.hpp"
#include "backend/host/multiplied_lanes.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/staging.hpp"

namespace twiddle::backend::host {

// Pieces of lines side by side, but for the place: so many elements, of so many scalars, `stride` scalars apart.
template <class T>
[[nodiscard]] Prefetch prefetch_of_lanes(std::size_t elements, std::size_t scalars, std::int64_t stride) {
  return {nullptr, elements, std::max<std::size_t>(scalars * sizeof(T) / cache_line, 1),
          stride * static_cast<std::ptrdiff_t>(sizeof(T))};
}

template <class T>
class BundleStaging {
 public:
  // Of a stage in scalars, so many `lanes` at once, which the passes hold in `order` on both sides. `twiddled`: the
  // stage twiddle behind the passes, and the scale with it, are applied elsewhere. `past_cache`: lines of reals that
  // follow each other in memory are stored past the cache.
  BundleStaging(const plan::Stage& stage, const Position& lane_step, bool twiddled, std::size_t lanes, LaneOrder order,
                bool past_cache, const WorkerOptions& options);

  // Elements of each lane that planes must have room for, and scalars that storing needs beside these.
  [[nodiscard]] std::size_t elements() const { return staging_.elements(); }
  [[nodiscard]] std::size_t room() const { return run_; }

  // What is fetched of a bundle's input, but for the place: no pieces where lines are neither side by side nor one
  // behind the other.
  [[nodiscard]] const Prefetch& prefetch() const { return prefetch_; }
  // Whether these are pieces of lines that are side by side.
  [[nodiscard]] bool reads_lanes() const { return reads_lanes_; }

  // What Staging says, with lanes in the passes' order. `full`: all lanes are there.
  void load(const InputMemory& input, const StageLoops::Item& item, std::size_t lanes, bool full,
            const Planes<T> planes[2]) const;
  void store(const Planes<T> planes[2], std::size_t at, const StageLoops::Item& item, std::size_t lanes, bool full,
             const OutputMemory& output, T* room) const;
  // The same of lanes in their own order.
  void store_in_order(const Planes<T> planes[2], std::size_t at, StageLoops::Item item, std::size_t lanes,
                      const OutputMemory& output, T* room) const;

 private:
  void choose_prefetch(const plan::Stage& stage, std::int64_t apart);
  // Between the order of lanes in staging and in the passes.
  void reorder_lanes(const Planes<T>& line, std::size_t lanes) const;

  std::size_t length_;
  std::size_t lanes_;
  T scale_;
  CombinationKernels<T> kernels_;
  Staging<T> staging_;
  // What staging does of whole bundles in other ways.
  std::optional<MultipliedLanes<T>> multiplied_input_;
  std::optional<MultipliedLanes<T>> multiplied_output_;
  MoveFunction<T> reorder_lanes_ = nullptr;  // null: the order is that of staging
  std::size_t run_ = 0;                      // scalars of a bundle that go past the cache together; 0: none do
  Prefetch prefetch_;
  bool reads_lanes_ = false;
};

}  // namespace twiddle::backend::host
