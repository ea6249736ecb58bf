// Sums of products of spectra, in SIMD.
#pragma once

#include <cstddef>
#include <cstdint>

namespace twiddle::backend::host {

// sums[i] += left[i] * right[i] for interleaved complex numbers; count of them. T: float or double.
template <class T>
using AddProducts = void (*)(const T* left, const T* right, T* sums, std::size_t count);

// `targets`: the mask of SIMD instruction sets to choose from (settings.hpp).
template <class T>
[[nodiscard]] AddProducts<T> find_add_products(std::int64_t targets);

}  // namespace twiddle::backend::host
