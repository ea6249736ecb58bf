// What the hooks that problems can name should do, in long double.
#pragma once

#include <cstdint>
#include <functional>

#include "twiddle/hook.hpp"
#include "verify/long_fourier.hpp"

namespace twiddle::verify {

struct ReferenceHook {
  std::function<Value(Value value, std::int64_t index)> apply;
  bool linear = true;    // the error of a result is no larger, relative to results of average size, than before
  double roundings = 0;  // that it adds, of the precision it computes in
};

// Throws InvalidArgument for a hook that named_hook() did not make: there is nothing to compare its results with.
[[nodiscard]] ReferenceHook reference_hook(const Hook& hook);

}  // namespace twiddle::verify
