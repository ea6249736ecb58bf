// The passes of one line, ready to be called: kernels chosen for the SIMD target, twiddles computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/pass.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// How the lines of a stage meet the vectors: one at a time, from planar or from interleaved memory, or neighbours
// together; `inner` is a bundle of which only run_middle is asked for.
enum class LineShape { row, interleaved_row, bundle, inner };

// Memory to fetch while a line is computed, spread over its passes: `pieces` of `lines` cache lines, `stride` bytes
// apart.
struct Prefetch {
  const char* start = nullptr;  // null: nothing
  std::size_t pieces = 0;
  std::size_t lines = 1;
  std::ptrdiff_t stride = 64;
};

template <class T>
class LinePasses {
 public:
  // `lanes`: the widest bundle that will be asked for; 1 for rows. `parted`: the first pass of an interleaved row makes
  // its twiddles of two, which takes it longer, but reads a table that is shorter by a vector's lanes. The kernels of
  // that are first_row and first_row_in_blocks alone.
  LinePasses(const plan::Stage& stage, LineShape shape, std::size_t lanes, std::int64_t targets, bool parted = false);

  [[nodiscard]] std::size_t count() const { return passes_.size(); }
  [[nodiscard]] bool is_parted() const { return passes_.front().lane_twiddles.size() > 0; }

  // What pass i is called with, but for the data's places.
  [[nodiscard]] PassCall<T> call(std::size_t i, std::size_t lanes, const Prefetch& prefetch) const;

  // Runs passes first..last-1, planar to planar, from planes[at], alternating between the two; returns where the result
  // is. Works for the very last pass too, and for the very first one of a bundle. The planes need room for two vectors
  // more than the elements.
  std::size_t run_middle(std::size_t first, std::size_t last, std::size_t lanes, const Planes<T> planes[2],
                         std::size_t at, const Prefetch& prefetch) const;

  struct Pass {
    unsigned radix;
    std::size_t columns;
    std::size_t run;           // for one lane
    std::size_t steps;         // of the innermost loop
    std::size_t steps_before;  // of all passes before
    AlignedArray<T> twiddles;
    AlignedArray<T> lane_twiddles;  // of a parted first pass, [k = 0..radix-1]
    AlignedArray<T> roots;          // of a direct radix
    PassFunction<T> middle;
  };
  [[nodiscard]] const Pass& pass(std::size_t i) const { return passes_[i]; }

 private:
  std::vector<Pass> passes_;
  std::size_t steps_ = 0;
};

}  // namespace twiddle::backend::host
