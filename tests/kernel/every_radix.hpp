// All radices that have butterflies.
#pragma once

#include <vector>

#include "kernel/butterfly.hpp"

namespace twiddle::test {

[[nodiscard]] inline std::vector<unsigned> every_radix() {
  std::vector<unsigned> radices;
  for (unsigned radix = 2; radix <= plan::longest_radices.back(); ++radix) {
    if (kernel::has_butterfly(radix)) radices.push_back(radix);
  }
  return radices;
}

}  // namespace twiddle::test
