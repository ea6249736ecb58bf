// Transforms of segments in planes, there and back, and what values that are not finite do to their results.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "backend/host/line_passes.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// Forward transforms of planar lines and back, through the row passes.
template <class T>
class SegmentTransform {
 public:
  SegmentTransform(const plan::Stage& stage, std::int64_t targets)
      : passes_(line_stage(stage), LineShape::row, 1, targets),
        first_(find_pass<T>(PassKind::first_row_planar, passes_.pass(0).radix, targets)) {}

  // Scalars of a plane for lines of so many points, a multiple of a cache line's: passes write whole vectors, the first
  // one as many as it has columns.
  [[nodiscard]] std::size_t plane_size(std::size_t points, std::size_t vector) const {
    return (points + (2 + passes_.pass(0).radix) * vector + 15) / 16 * 16 + 16;
  }

  // From planes[at] by way of both; returns where the result is. The transform back is the forward one with the parts
  // swapped.
  std::size_t run(bool back, const Planes<T>& a, const Planes<T>& b) const {
    const auto seen = [back](const Planes<T>& planes) {
      return back ? Planes<T>{planes.imaginary, planes.real} : planes;
    };
    const Planes<T> planes[2] = {seen(a), seen(b)};
    PassCall<T> call = passes_.call(0, 1, {});
    call.input = planes[0].real;
    call.input_imaginary = planes[0].imaginary;
    call.output = planes[1].real;
    call.output_imaginary = planes[1].imaginary;
    first_(call);
    return passes_.run_middle(1, passes_.count(), 1, planes, 1, {});
  }

 private:
  static plan::Stage line_stage(const plan::Stage& stage) {
    plan::Stage line;
    line.length = stage.length;
    line.radices = stage.radices;
    line.step = stage.step;
    return line;
  }

  LinePasses<T> passes_;
  PassFunction<T> first_;
};

// Which results of a segment's two planes values that are not finite touch; transforms would spread them over the
// whole segment, and over the one that is paired with it.
class Spoiled {
 public:
  // Whether a transform met values that are not finite: its first elements are the sums of both parts.
  template <class T>
  static bool by(const Planes<T>& spectrum) {
    return !std::isfinite(spectrum.real[0]) || !std::isfinite(spectrum.imaginary[0]);
  }

  // Makes such values 0; `mixed`: of complex numbers, whose products mix the parts.
  template <class T>
  Spoiled(const Planes<T>& planes, std::size_t points, bool mixed)
      : real_(hide(planes.real, points)), imaginary_(hide(planes.imaginary, points)) {
    for (std::size_t k = 0; mixed && k < points; ++k) real_[k] = imaginary_[k] = real_[k] || imaginary_[k];
  }

  // Spoils the results of `taps` samples that they touch.
  template <class T>
  void mark(std::size_t taps, const Planes<T>& results) const {
    mark_part(real_, taps, results.real);
    mark_part(imaginary_, taps, results.imaginary);
  }

 private:
  template <class T>
  static std::vector<bool> hide(T* plane, std::size_t points) {
    std::vector<bool> hidden(points, false);
    for (std::size_t k = 0; k < points; ++k) {
      if (std::isfinite(plane[k])) continue;
      hidden[k] = true;
      plane[k] = T{0};
    }
    return hidden;
  }

  template <class T>
  static void mark_part(const std::vector<bool>& hidden, std::size_t taps, T* plane) {
    std::size_t left = 0;
    for (std::size_t k = 0; k < hidden.size(); ++k) {
      if (hidden[k]) left = taps;
      if (left == 0) continue;
      plane[k] = std::numeric_limits<T>::quiet_NaN();
      --left;
    }
  }

  std::vector<bool> real_;  // which elements were hidden
  std::vector<bool> imaginary_;
};

}  // namespace twiddle::backend::host
