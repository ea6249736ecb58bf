// The maps of real transforms by half their points, r2c_store, c2r_load and half_spectrum_load, on single lines of
// adjacent elements: each element is combined with its mirror image, in vectors, and both are made at once.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {

template <class T>
class MirroredLine {
 public:
  // Not for other rules, nor where part of the source is not there.
  static bool serves(const plan::LineMap& map);
  // Nothing where it does not serve. What the map makes is multiplied by `scale`.
  static std::optional<MirroredLine> make(const plan::LineMap& map, T scale, std::int64_t targets);

  [[nodiscard]] std::size_t count() const { return count_; }

  // Elements up to the middle of the line, each of which has a mirror image behind it.
  [[nodiscard]] std::size_t pairs() const { return half_ / 2 + 1; }
  // a[k] of mirrored_line.cpp, for elements up to the middle, and a + b, times the scale.
  [[nodiscard]] std::complex<T> factor(std::size_t k) const { return {a_real_[k], a_imaginary_[k]}; }
  [[nodiscard]] T sum() const { return sum_; }
  // Elements begin..end-1 of those and their mirror images, as far as the map makes them, from a line that is planar,
  // or interleaved where `imaginary` is null, to one that is either. The two do not overlap.
  void apply(const Planes<const T>& source, const Planes<T>& to, std::size_t begin, std::size_t end) const;
  // Elements k..k+count-1, of which none is 0 or beyond the middle, and their mirror images, of planar blocks that have
  // those at 1..count, and behind them these, in order.
  void apply_block(const Planes<const T>& source, const Planes<T>& to, std::size_t k, std::size_t count) const;

 private:
  MirroredLine() = default;
  void apply_one(const Planes<const T>& source, const Planes<T>& to, std::size_t k) const;

  bool load_ = false;         // c2r_load, half_spectrum_load
  bool packed_ends_ = false;  // half_spectrum_load: the two real ends are the parts of element 0
  std::size_t half_ = 0;
  std::size_t count_ = 0;
  T sum_ = 1;
  AlignedArray<T> a_real_;  // of the elements up to the middle, and of a vector behind it
  AlignedArray<T> a_imaginary_;
  CombinationKernels<T> kernels_{};
};

}  // namespace twiddle::backend::host
