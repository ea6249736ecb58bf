// How much scratch memory the program of a problem needs, beside its data.
#pragma once

#include <cstddef>
#include <string>

#include "twiddle/device.hpp"

namespace twiddle::test {

struct ScratchSizes {
  double data = 0;         // bytes of the larger of input and output, in whole cache lines, as scratch memory counts
  double scratch = 0;      // bytes
  std::size_t slices = 0;  // axes in slices
  bool bluestein = false;  // by Bluestein's algorithm through memory
  std::size_t stages = 0;
};

// Of the problem with that text. Throws what planning throws.
[[nodiscard]] ScratchSizes scratch_sizes(const std::string& text, const DeviceLimits& limits);

}  // namespace twiddle::test
