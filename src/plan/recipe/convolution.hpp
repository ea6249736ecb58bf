// Transforms of any length as cyclic convolutions that stay on chip: what is multiplied by, and which element goes
// where.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "twiddle/transform.hpp"

namespace twiddle::plan {

// How lengths without fitting radices are transformed on chip: as a cyclic convolution of `points` points with a fixed
// sequence. The stage's radices, in its direction, transform what is made of the line (ConvolutionTables); that is
// multiplied by the spectrum, and the radices, in whatever order, transform it back in the opposite direction.
struct Convolution {
  enum class Algorithm {
    bluestein,  // any length n; points >= least_points(n), and no fewer than n
    rader       // an odd prime n; points = n - 1
  };
  Algorithm algorithm = Algorithm::bluestein;
  std::uint64_t points = 1;
  // Bluestein's: so many elements of the line, the first ones, are there or are wanted; others come out wrong, and the
  // stage's bounds leave them out. 0: all of them.
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
  bool operator==(const Convolution&) const = default;

  // Bluestein's, for lines of `length` elements.
  [[nodiscard]] std::uint64_t least_points(std::uint64_t length) const;
};

// The points that Bluestein's algorithm needs where so many elements of a line are there and so many are wanted: as
// many as these have differences. Of equally many the first and the last difference, which the chirp has the same value
// for, may share a point.
[[nodiscard]] std::uint64_t bluestein_points(std::uint64_t inputs, std::uint64_t outputs);

[[nodiscard]] std::string_view to_string(Convolution::Algorithm algorithm);

// Both algorithms compute the transform X of the line x, n elements long, from a convolution y of `points` values a.
//
// Bluestein (L. I. Bluestein, A linear filtering approach to the computation of the discrete Fourier transform, 1970):
//   a[j] = x[j] chirp[j] for j < n, 0 beyond;     X[k] = y[k] chirp[k] for k < n.
// Rader (C. M. Rader, Discrete Fourier transforms when the number of data samples is prime, 1968):
//   a[q] = x[load_order[q]];   A = transform(a), from which X[0] = x[0] + A[0];
//   X[store_order[q]] = y[q], where x[0] is added to A[0] spectrum[0] before transforming back, and so to every y[q].
// In both, y is the transform back, unscaled, of A[k] spectrum[k].
template <class Real>
struct ConvolutionTables {
  std::vector<std::complex<Real>> spectrum;  // `points` values in the order of frequencies, 1/points included
  std::vector<std::complex<Real>> chirp;     // Bluestein's n values
  std::vector<std::uint32_t> load_order;     // Rader's n - 1 places: powers of a primitive root modulo n
  std::vector<std::uint32_t> store_order;    // powers of its inverse
};

// For lines of `length` elements, transformed in `direction`; the length must suit the algorithm. Computed in Real:
// double is enough for arithmetic in single precision.
template <class Real>
[[nodiscard]] ConvolutionTables<Real> convolution_tables(const Convolution& convolution, std::uint64_t length,
                                                         Direction direction);
extern template ConvolutionTables<double> convolution_tables(const Convolution&, std::uint64_t, Direction);
extern template ConvolutionTables<long double> convolution_tables(const Convolution&, std::uint64_t, Direction);

// Rader's load_order and store_order.
[[nodiscard]] std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> rader_orders(std::uint64_t prime);

// The smallest primitive root modulo an odd prime below 2^32.
[[nodiscard]] std::uint64_t primitive_root(std::uint64_t prime);

}  // namespace twiddle::plan
