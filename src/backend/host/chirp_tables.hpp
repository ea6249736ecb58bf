// Chirps of Bluestein's algorithm and their spectra in double-double arithmetic, for lines of many points.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "backend/host/double_double.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// Shorter ones are made by the thread that asks, others by all of the arena that it is in.
inline constexpr std::uint64_t shortest_shared_chirp = 32768;

// Longer ones are left to others.
inline constexpr std::uint64_t longest_chirp = std::uint64_t{1} << 31;

// exp(-pi i j^2 / length), j = 0..length - 1, rounded once; length < longest_chirp.
template <class T>
void make_chirp(std::uint64_t length, const DoubleDoubleKernels& kernels, std::complex<T>* to);

// Whether so many points are columns and rows for make_chirp_spectrum.
[[nodiscard]] bool makes_chirp_spectrum(std::size_t points, const DoubleDoubleKernels& kernels);

// `scale`, which is at most 1, times the values of a forward factor's chirp_spectrum (plan/lower/stage.hpp),
// factor.padded of them, rounded once; factor.length < longest_chirp.
template <class T>
void make_chirp_spectrum(const plan::Factor& factor, long double scale, const DoubleDoubleKernels& kernels,
                         std::complex<T>* to);

}  // namespace twiddle::backend::host
