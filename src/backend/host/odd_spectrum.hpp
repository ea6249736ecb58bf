// The maps of dct2, dct3, dst2, dst3 and dht of an odd number of reals between these and half of a spectrum of reals,
// which is one column of all points (plan::LineMap::half_columns): two reals from each frequency, or the other way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/turned_reals.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {

template <class T>
class OddSpectrum {
 public:
  // For dct2_store, dst2_store, dht_store, dct3_load and dst3_load of whole lines; nothing for other maps, and lines
  // of less than a vector of items. What the map makes is multiplied by `scale`.
  static std::optional<OddSpectrum> make(const plan::LineMap& map, T scale, std::int64_t targets);

  // Frequencies from 0 on.
  [[nodiscard]] std::size_t items() const { return turned_.call.items; }
  // Items begin..end-1, at least a vector and one: from an interleaved line to one of reals, or the other way.
  void apply(const T* source, T* to, std::size_t begin, std::size_t end) const;

 private:
  OddSpectrum() = default;

  bool loads_ = false;     // dct3, dst3
  T first_weight_ = 1;     // of the real of frequency 0, which is one by itself
  TurnedReals<T> turned_;  // its roots are times the scale
};

}  // namespace twiddle::backend::host
