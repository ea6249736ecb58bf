// A LineMap on planar arrays: elements of a line made from those of another.
#pragma once

#include <cstddef>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/half_spectrum_lanes.hpp"
#include "backend/host/spectrum_pairs.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {

template <class T>
class LineCombination {
 public:
  LineCombination(const plan::LineMap& map, std::int64_t targets);

  [[nodiscard]] std::size_t source_count() const { return source_count_; }
  [[nodiscard]] std::size_t count() const { return count_; }

  // to[k * lanes + lane] for all k, from source[element * lanes + lane], whose elements that count as real lose their
  // imaginary parts. Spectra of reals take 1 lane, or a multiple of the vector's.
  void apply(const Planes<T>& source, std::size_t lanes, const Planes<T>& to) const;

 private:
  void take_half_spectrum(const plan::LineMap& map, std::int64_t targets);

  std::size_t source_count_;
  std::size_t count_;
  AlignedArray<CombinationTerm<T>> terms_;
  T sign_ = 1;
  std::vector<std::size_t> real_elements_;
  CombinationKernels<T> kernels_;
  void (*spectra_)(const SpectrumPairCall<T>&) = nullptr;  // instead of terms
  bool makes_line_ = false;                                // of spectra, or spectra of it
  HalfSpectrumFunction<T> half_spectrum_ = nullptr;        // likewise, of a whole line
  HalfSpectrumCall<T> half_spectrum_call_;                 // but for the lines and factors
  std::vector<T> half_spectrum_factors_;
};

}  // namespace twiddle::backend::host
