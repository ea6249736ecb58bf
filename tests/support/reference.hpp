// What a transform should give: its definition, a quick long-double version of it, and FFTW's float result to compare
// with.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "twiddle/transform.hpp"

namespace twiddle::test {

using Signal = std::vector<std::complex<float>>;
using Spectrum = std::vector<std::complex<long double>>;

// `count` values with both parts uniform in [-1, 1); the same for the same seed on every machine.
[[nodiscard]] Signal random_signal(std::size_t count, std::uint64_t seed = 1);

// The definition of the DFT of one line, unscaled, summed term by term in long double: O(n^2).
[[nodiscard]] Spectrum direct_sum(std::span<const std::complex<long double>> line, Direction direction);

// The transform, scaled as it asks, in long double by FFTW's long-double library (any length, any axes).
[[nodiscard]] Spectrum reference_transform(const Transform& transform, Direction direction, Spectrum input);
[[nodiscard]] Spectrum reference_transform(const Transform& transform, Direction direction,
                                           std::span<const std::complex<float>> input);

// The same by FFTW's single-precision library (FFTW_ESTIMATE).
[[nodiscard]] Signal fftw_transform(const Transform& transform, Direction direction,
                                    std::span<const std::complex<float>> input);

// ||actual - expected|| / ||expected||, in the Euclidean norm; ||actual|| where expected is zero. Not a number where
// the sizes differ, so that no comparison with it holds.
[[nodiscard]] double relative_l2_error(std::span<const std::complex<float>> actual,
                                       std::span<const std::complex<long double>> expected);
[[nodiscard]] double relative_l2_error(std::span<const std::complex<long double>> actual,
                                       std::span<const std::complex<long double>> expected);

}  // namespace twiddle::test
