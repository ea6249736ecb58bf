// Where everything is when a convolution is computed by transforms of the whole padded signal, or of long segments of
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twiddle/convolution.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::run {

// A cyclic convolution of `padded` points along each axis, whose first elements are the outputs; along the last axis
// with the neighbours at both ends that post-processing needs. In one dimension it may be cut into overlapping segments
// of that many points, each with `step` outputs of its own; the whole is one segment.
class WholeGeometry {
 public:
  using Lengths = std::vector<std::size_t>;

  // `step` 0: one segment.
  WholeGeometry(Convolution convolution, Lengths padded, std::size_t step);

  [[nodiscard]] const Convolution& convolution() const { return convolution_; }
  [[nodiscard]] const Lengths& padded() const { return padded_; }
  [[nodiscard]] const Lengths& outputs() const { return outputs_; }
  // What the signal's transforms read: all of the signal, or, with a boundary other than zero and for segments, what
  // stands beyond its ends too (extend).
  [[nodiscard]] const Lengths& given() const { return given_; }
  // Where the first of what is given stands, along each axis of the signal, where it is extended.
  [[nodiscard]] std::vector<std::int64_t> first_positions() const;
  [[nodiscard]] bool extends() const { return step_ != 0 || convolution_.boundary != Boundary::zero; }
  [[nodiscard]] std::size_t segments() const { return segments_; }
  [[nodiscard]] std::size_t step() const { return step_; }  // outputs of each but the last; 0: one segment
  [[nodiscard]] std::size_t scalars() const { return convolution_.complex ? 2 : 1; }  // of an element
  // Complex numbers of the spectrum of a segment.
  [[nodiscard]] std::size_t points() const { return points_; }

  // Whether outputs are stored as they are.
  [[nodiscard]] bool stores_outputs() const {
    return convolution_.post == PostProcessing{} && !convolution_.store_hook;
  }

  // Of arrays whose elements beyond `stored` are zero, and not there, or are not wanted.
  [[nodiscard]] Transform transform(const Lengths& stored) const;

  // Forward from what is given of all signals; its spectra lie one after the other, segments of a signal together.
  [[nodiscard]] Transform signal_transform() const;
  // Of all filters, whose spectra lie one after the other.
  [[nodiscard]] Transform filter_transform() const;
  // Inverse from the signals' spectra, as if they were there once for each filter, one set after the other, to all
  // outputs: one for all segments but the last, whose outputs are as many as remain, and one for that. The batch are
  // the filters.
  [[nodiscard]] std::vector<Transform> result_transforms() const;

  // Which outputs, of all of them, some samples touch: of all that are given.
  [[nodiscard]] std::vector<bool> touched(std::vector<bool> samples) const;

  // Where the sample that output 0 of an axis meets last, with tap 0 of a convolution, stands in what is given: below 0
  // it is not there.
  [[nodiscard]] std::int64_t first_sample(std::size_t axis) const;

  // Which tap, modulo the points of the axis, an axis' padded array begins with; of a correlation counted from the
  // last.
  [[nodiscard]] std::int64_t first_tap(std::size_t axis) const;

  // A filter in the padded array, which is zero before: moved so that the first output is the cyclic convolution's
  // element 0; reversed and conjugated for correlation.
  template <class T>
  void place_filter(const T* filter, T* padded) const;

  // A signal with what stands beyond its ends, `given` elements, where the boundary is not zero.
  template <class T>
  void extend(const T* signal, T* extended) const;

 private:
  [[nodiscard]] Transform segment_transform(std::size_t segments, std::size_t stored) const;
  [[nodiscard]] Transform result_transform(std::size_t first, std::size_t segments, const Lengths& stored) const;

  Convolution convolution_;
  Lengths padded_;
  Lengths outputs_;
  Lengths given_;
  std::vector<std::int64_t> starts_;  // where each axis' outputs begin in the linear convolution
  std::size_t step_;
  std::size_t segments_ = 1;
  std::size_t points_ = 1;
};

// Product of the lengths.
[[nodiscard]] std::size_t element_count(const std::vector<std::size_t>& lengths);

}  // namespace twiddle::run
