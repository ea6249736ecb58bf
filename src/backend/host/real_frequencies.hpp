// The results of dct2, dst2 and dht of one long line from the transform of half its points: four of them from two
// elements that mirror each other, in vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {

template <class T>
class RealFrequencies {
 public:
  // For dct2_half_store, dst2_half_store and dht_half_store of whole lines; nothing for other maps, and lines so
  // short that they have no vector of items. Results are multiplied by `scale`.
  static std::optional<RealFrequencies> make(const plan::LineMap& map, T scale, std::int64_t targets);

  // Elements up to the middle of the source, each of which has a mirror image behind it.
  [[nodiscard]] std::size_t items() const { return half_ / 2 + 1; }
  // The results of items begin..end-1, at least a vector and one, from an interleaved line to one of reals.
  void apply(const T* source, T* to, std::size_t begin, std::size_t end) const;

 private:
  RealFrequencies() = default;
  void apply_first(const T* source, T* to) const;

  std::size_t half_ = 0;
  bool backwards_ = false;  // dst2
  T scale_ = 1;             // of dht
  T first_weight_ = 1;      // of the result of frequency 0
  CombinationKernels<T> kernels_{};
  AlignedArray<T> root_real_;  // -i exp(-2 pi i k / n)
  AlignedArray<T> root_imaginary_;
  AlignedArray<T> factor_real_;  // of frequency k; none for dht
  AlignedArray<T> factor_imaginary_;
  AlignedArray<T> mirror_factor_real_;  // of half - k
  AlignedArray<T> mirror_factor_imaginary_;
};

}  // namespace twiddle::backend::host
