// Where the transforms of a stage are: from a running number to positions in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// One transform, or the first of a bundle's.
struct Position {
  std::int64_t input = 0;  // of its first element, in scalars
  std::int64_t output = 0;
  std::uint64_t twiddle_index = 0;  // its index in the loop that the stage twiddle names
  std::int64_t load_factor = 0;     // position of its first element in the factor's sequence
  std::int64_t store_factor = 0;
  std::int64_t load_bound = 0;  // position of its first element beside the bound
  std::int64_t store_bound = 0;
};

// The loops of a stage in scalars (scalar_stage.hpp), one of which (`lane_loop`, if any) is walked in blocks of
// `lanes`.
class StageLoops {
 public:
  static constexpr std::size_t no_loop = ~std::size_t{0};

  StageLoops(const plan::Stage& stage, std::size_t lane_loop, std::size_t lanes);

  // Blocks of the lane loop, times the other loops' counts.
  [[nodiscard]] std::uint64_t items() const { return items_; }
  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }

  // Some transforms that are neighbours in the lane loop: where the first one is, its index in that loop, how many.
  struct Item {
    Position position;
    std::uint64_t lane = 0;
    std::size_t active = 1;
  };
  [[nodiscard]] Item item(std::uint64_t i) const;

  // The item without its first `lanes` transforms.
  [[nodiscard]] Item rest(Item item, std::size_t lanes) const;

  // The item moved on by so many transforms, as many fewer than it had at the end of the lane loop.
  [[nodiscard]] Item moved(Item item, std::size_t lanes) const;

  // What one step along the lane loop adds.
  [[nodiscard]] const Position& lane_step() const { return lane_step_; }

 private:
  struct Turn {
    std::uint64_t count;
    Position step;
  };
  std::vector<Turn> turns_;  // the other loops, fastest first
  Position start_;
  Position lane_step_;
  std::uint64_t lane_count_ = 1;
  std::size_t lanes_;
  std::uint64_t blocks_ = 1;
  std::uint64_t items_ = 1;
};

}  // namespace twiddle::backend::host
