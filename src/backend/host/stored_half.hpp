// Scalars between memory and arithmetic, half precision among them.
#pragma once

#include <fp16.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace twiddle::backend::host {

// Half precision in memory.
struct StoredHalf {
  std::uint16_t bits;
};

template <class T, class S>
T to_arithmetic(S stored) {
  if constexpr (std::is_same_v<S, StoredHalf>) {
    return static_cast<T>(fp16_ieee_to_fp32_value(stored.bits));
  } else {
    return static_cast<T>(stored);
  }
}

template <class S, class T>
S to_stored(T value) {
  if constexpr (std::is_same_v<S, StoredHalf>) {
    return {fp16_ieee_from_fp32_value(static_cast<float>(value))};
  } else {
    return static_cast<S>(value);
  }
}

template <class T>
void copy_scaled(const T* from, std::size_t count, T scale, T* to) {
  if (scale == T{1}) {
    std::copy_n(from, count, to);
  } else {
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i] * scale;
  }
}

}  // namespace twiddle::backend::host
