// The stage twiddles of bundles: those of each vector of neighbouring transforms.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/pass.hpp"
#include "backend/host/stage_loops.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

template <class T>
class BundleTwiddles {
 public:
  // Of a stage that has some, times `scale`.
  BundleTwiddles(const plan::Stage& stage, std::size_t lane_loop, long double scale, std::int64_t targets);

  // Whether neighbouring transforms have others each, or all of an item the same.
  [[nodiscard]] bool follow_lanes() const { return lanes_.size() > 0; }
  // What a last pass is called with.
  void put(const StageLoops::Item& item, PassCall<T>& call) const;
  // Of those that follow lanes, what the item's first vector of lanes is turned by. Lanes are in blocks.
  [[nodiscard]] TurnCall<T> turn(const Planes<T>& line, const StageLoops::Item& item, std::size_t lanes) const;
  // The whole item.
  void apply(const Planes<T>& line, const StageLoops::Item& item, std::size_t lanes,
             const CombinationKernels<T>& kernels) const;

 private:
  [[nodiscard]] const T* block(std::uint64_t index) const { return blocks_.data() + 2 * length_ * index; }

  std::size_t length_;
  std::size_t vector_;
  AlignedArray<T> blocks_;  // of each vector's first transform
  AlignedArray<T> lanes_;   // by what the others differ from it
};

}  // namespace twiddle::backend::host
