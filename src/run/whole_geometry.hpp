// Where everything is when a convolution is computed by transforms of the whole padded signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twiddle/convolution.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::run {

// A cyclic convolution of `padded` points along each axis, whose first elements are the outputs; along the last axis
// with the neighbours at both ends that post-processing needs.
class WholeGeometry {
 public:
  using Lengths = std::vector<std::size_t>;

  WholeGeometry(Convolution convolution, Lengths padded);

  [[nodiscard]] const Convolution& convolution() const { return convolution_; }
  [[nodiscard]] const Lengths& padded() const { return padded_; }
  [[nodiscard]] const Lengths& outputs() const { return outputs_; }
  // What the signal's transform reads: all of the signal, or, with a boundary other than zero, what stands beyond its
  // ends too (extend).
  [[nodiscard]] const Lengths& given() const { return given_; }
  // Where the first of what is given stands, along each axis of the signal, where it is extended.
  [[nodiscard]] std::vector<std::int64_t> first_positions() const;
  [[nodiscard]] bool extends() const { return convolution_.boundary != Boundary::zero; }
  [[nodiscard]] std::size_t scalars() const { return convolution_.complex ? 2 : 1; }  // of an element
  // Complex numbers of a spectrum.
  [[nodiscard]] std::size_t points() const { return points_; }

  // Whether outputs are stored as they are.
  [[nodiscard]] bool stores_outputs() const {
    return convolution_.post == PostProcessing{} && !convolution_.store_hook;
  }

  // Of arrays whose elements beyond `stored` are zero, and not there, or are not wanted.
  [[nodiscard]] Transform transform(const Lengths& stored) const;

  // A filter in the padded array, which is zero before: moved so that the first output is the cyclic convolution's
  // element 0; reversed and conjugated for correlation.
  template <class T>
  void place_filter(const T* filter, T* padded) const;

  // A signal with what stands beyond its ends, `given` elements.
  template <class T>
  void extend(const T* signal, T* extended) const;

 private:
  Convolution convolution_;
  Lengths padded_;
  Lengths outputs_;
  Lengths given_;
  std::vector<std::int64_t> starts_;  // where each axis' outputs begin in the linear convolution
  std::size_t points_ = 1;
};

// Product of the lengths.
[[nodiscard]] std::size_t element_count(const std::vector<std::size_t>& lengths);

}  // namespace twiddle::run
