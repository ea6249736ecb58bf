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

class LinePasses {
 public:
  // `lanes`: the bundle's width; 1 for rows.
  LinePasses(const plan::Stage& stage, LineShape shape, std::size_t lanes, std::int64_t targets);

  [[nodiscard]] std::size_t count() const { return passes_.size(); }
  [[nodiscard]] std::size_t planar_size() const {
    return planar_size_;
  }  // scalars of each planar array, excess included

  // What pass i is called with, but for the data's places.
  [[nodiscard]] PassCall<float> call(std::size_t i) const;

  // Runs passes first..last-1, planar to planar, from planes[from], alternating between the two; returns where the
  // result is. The very last pass of a line must then be `last_planar`.
  std::size_t run_middle(std::size_t first, std::size_t last, Planes planes[2], std::size_t from,
                         const PassCall<float>& prefetch) const;

  struct Pass {
    unsigned radix;
    std::size_t columns;
    std::size_t run;
    AlignedArray<float> twiddles;
    PassFunction<float> middle;
  };
  [[nodiscard]] const Pass& pass(std::size_t i) const { return passes_[i]; }

 private:
  std::vector<Pass> passes_;
  std::size_t lanes_;
  std::size_t planar_size_;
};

}  // namespace twiddle::backend::host
