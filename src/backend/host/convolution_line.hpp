// Lines transformed by convolution (plan/recipe/convolution.hpp) between planar arrays: Bluestein's and Rader's
// algorithms on the passes of smooth lengths.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/line_passes.hpp"
#include "backend/host/pass.hpp"
#include "plan/lower/stage.hpp"
#include "plan/recipe/convolution.hpp"

namespace twiddle::backend::host {

template <class T>
class ConvolutionLine {
 public:
  // The stage has a convolution. `lanes`: lines side by side, a multiple of the vector's in bundles, 1 in rows.
  ConvolutionLine(const plan::Stage& stage, LineShape shape, std::size_t lanes, std::int64_t targets);

  // Scalars that each plane must have room for.
  [[nodiscard]] std::size_t room() const;

  // Transforms the line in planes[0], [element][lane], with planes[1] to work in; returns where the result is.
  // `element` has room for 2 * lanes scalars.
  std::size_t run(const Planes<T> planes[2], T* element) const;

 private:
  struct Sequence {
    AlignedArray<T> real;  // zeros follow up to a whole vector
    AlignedArray<T> imaginary;
    std::size_t count = 0;
  };
  template <class Real>
  static Sequence sequence(const std::vector<std::complex<Real>>& values, std::size_t vector);
  template <class Real>
  void take(plan::ConvolutionTables<Real> tables);
  void multiply(const Sequence& sequence, const Planes<T>& line) const;
  void reorder(const Planes<T>& from, const std::vector<std::uint32_t>& places, const Planes<T>& to) const;
  void add_first(const Planes<T>& spectrum, const Planes<T>& first) const;
  std::size_t transform(bool swapped, const Planes<T> planes[2], std::size_t at) const;

  std::size_t length_;
  std::size_t points_;
  std::size_t lanes_;
  bool inverse_;
  CombinationKernels<T> kernels_;
  LinePasses<T> passes_;
  PassFunction<T> first_ = nullptr;  // of rows: columns in the lanes
  Sequence spectrum_;
  Sequence chirp_;                            // Bluestein
  std::vector<std::uint32_t> load_order_;     // Rader
  std::vector<std::uint32_t> result_places_;  // likewise, of all results but the first
};

}  // namespace twiddle::backend::host
