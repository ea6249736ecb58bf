// Forward transforms in place, complex or of reals in padded rows: what they take of memory, what of it is one array's,
// and how often they may follow each other.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "sampled_spectrum.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::bench {

// Bytes that the data takes: its spectra's.
[[nodiscard]] std::size_t data_bytes(const Transform& transform);

// Bytes that must be moved at least: what is read once and what is written once.
[[nodiscard]] double least_bytes(const Transform& transform);

// Executions after each other, 1 to 100, before results overflow: nothing is scaled, so each multiplies the norm, of
// inputs of make_input(), by the root of the number of points.
[[nodiscard]] std::size_t most_forward_executions(const Transform& transform);

// How far a result of twiddle's may be from the definition, relative L2.
[[nodiscard]] double accepted_error(Precision precision);

// The complex number of that precision that stands there.
[[nodiscard]] std::complex<double> complex_at(const std::byte* bytes, Precision precision);

// The spectrum of data whose numbers, as many as data_bytes() says or more, are `values`.
[[nodiscard]] SampledSpectrum expected_spectrum(const Transform& transform, const std::vector<double>& values);

}  // namespace twiddle::bench
