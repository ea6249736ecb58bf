// Memory of the caller's, as plans get it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace twiddle::run {

// Whether two pieces of memory have a byte in common.
[[nodiscard]] inline bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<const std::byte*> before;  // a total order, also for unrelated arrays
  return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

}  // namespace twiddle::run
