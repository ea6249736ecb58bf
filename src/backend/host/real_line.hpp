// A line of real data on one side and half of its spectrum on the other: a first or last pass between reals and
// R = radix / 2 + 1 of the results of each column, whose others are conjugates, and complex passes over R instead of
// `radix` times the columns. Forward (decimation in frequency, N = radix m, first radix real): with
//   y[k][p] = w^(p k) sum_j x[p + m j] exp(-2 pi i j k / radix),  w = exp(-2 pi i / N),  0 <= k < R,
// the transforms of y[k] over the m columns p are X[radix s + k], and the rest is X[N - i] = conj(X[i]). Back: the same
// steps reversed. (H. V. Sorensen et al., Real-valued fast Fourier transform algorithms, 1987, prune each stage; here
// the first one is, so that all later ones are complex passes.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/half_spectrum.hpp"
#include "backend/host/line_passes.hpp"
#include "backend/host/pass.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// Which side of a stage in scalars is real, so that half of the spectrum on the other side says everything.
enum class RealSide { none, input, output };
[[nodiscard]] RealSide real_side(const plan::Stage& stage);

// The stage that loads the reals, or the half spectrum as it is in memory; and the one that stores. Their lengths are
// the elements that are moved.
[[nodiscard]] plan::Stage loading_stage(const plan::Stage& stage);
[[nodiscard]] plan::Stage storing_stage(const plan::Stage& stage);

template <class T>
struct RealLine {
  // `radices` as plan::host_real_radices gives them; `lanes` the widest bundle, 1 for rows.
  RealLine(const plan::Stage& stage, std::vector<unsigned> radices, LineShape shape, std::size_t lanes,
           std::int64_t targets);

  // What the real pass is called with, but for the places of the data. It fetches where it is the only pass.
  [[nodiscard]] PassCall<T> call(std::size_t lanes, const Prefetch& prefetch) const;

  RealSide side;
  unsigned radix;
  std::size_t columns;
  std::size_t half;    // results of a column
  std::size_t places;  // half * columns
  std::size_t loaded;  // elements: reals, or those of the half spectrum that are in memory
  std::size_t stored;
  std::size_t vector;  // lanes of one
  T sign;  // of the spectrum's imaginary parts: -1 for an inverse transform of reals, and a forward one to reals
  LinePasses<T> inner;
  PassFunction<T> pass;
  AlignedArray<T> twiddles;
  AlignedArray<T> roots;  // of a direct radix
  SpectrumKernels<T> moves;
  std::vector<SpectrumElement> elements;  // stored ones; when loading, all up to the middle
};

}  // namespace twiddle::backend::host
