// The constants of a butterfly as a precision holds them, chosen together.
#pragma once

#include <map>

#include "kernel/symbolic_fft.hpp"

namespace twiddle::kernel {

// For each constant of the graph that a product has, by its value: the number that stands for it in the precision, one
// of the two nearest. Each rounded to the nearest, they leave the butterfly not only errors of all kinds, which from
// pass to pass add up as squares, but the wanted results times 1 + g, and the gains g of all passes add up themselves:
// in float, 5 points had g = 0.27 roundings, and 5^10 points 1.11 times FFTW's error for it. So they are chosen for a
// small sum of both; more than 64 are rounded to the nearest. Precision::float32 or float64.
[[nodiscard]] std::map<long double, long double> rounded_constants(const ButterflyGraph& butterfly,
                                                                   Precision precision);

}  // namespace twiddle::kernel
