// The passes of one line, ready to be called: kernels chosen for the SIMD target, twiddles computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/pass.hpp"
#include "plan/stage.hpp"

namespace twiddle::backend::host {

// Two planar arrays.
struct Planes {
  float* real = nullptr;
  float* imaginary = nullptr;
};

// How the lines of a stage meet the vectors.
enum class LineShape { row, bundle };

// Memory to fetch while a line is computed, spread over its passes: `pieces` of `lines` cache lines, `stride` bytes
// apart.
struct Prefetch {
  const char* start = nullptr;  // null: nothing
  std::size_t pieces = 0;
  std::size_t lines = 1;
  std::ptrdiff_t stride = 64;
};

class LinePasses {
 public:
  // `lanes`: the widest bundle that will be asked for; 1 for rows.
  LinePasses(const plan::Stage& stage, LineShape shape, std::size_t lanes, std::int64_t targets);

  [[nodiscard]] std::size_t count() const { return passes_.size(); }
  [[nodiscard]] std::size_t planar_size() const {
    return planar_size_;
  }  // scalars of each planar array, excess included

  // What pass i is called with, but for the data's places.
  [[nodiscard]] PassCall<float> call(std::size_t i, std::size_t lanes, const Prefetch& prefetch) const;

  // Runs passes first..last-1, planar to planar, from planes[0], alternating between the two; returns where the result
  // is. Works for the very last pass too.
  std::size_t run_middle(std::size_t first, std::size_t last, std::size_t lanes, const Planes planes[2],
                         const Prefetch& prefetch) const;

  struct Pass {
    unsigned radix;
    std::size_t columns;
    std::size_t run;           // for one lane
    std::size_t steps;         // of the innermost loop
    std::size_t steps_before;  // of all passes before
    AlignedArray<float> twiddles;
    AlignedArray<float> roots;  // of a direct radix
    PassFunction<float> middle;
  };
  [[nodiscard]] const Pass& pass(std::size_t i) const { return passes_[i]; }

 private:
  std::vector<Pass> passes_;
  std::size_t planar_size_;
  std::size_t steps_ = 0;
};

}  // namespace twiddle::backend::host
