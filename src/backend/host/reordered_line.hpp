// The maps of long real transforms that only move elements, without a table of places: dct2 and dst2 by half the points
// before the transform, dct3 and dst3 after it (plan/lower/map_formulas.hpp).
#pragma once

#include <cstddef>
#include <optional>

#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {

template <class T>
class ReorderedLine {
 public:
  // Of whole lines; nothing for other maps. Elements are multiplied by `scale`.
  static std::optional<ReorderedLine> make(const plan::LineMap& map, T scale);

  [[nodiscard]] std::size_t items() const { return half_; }
  // Two reals an item, the parts of complex elements counting as reals.
  void apply(const T* source, T* to, std::size_t begin, std::size_t end) const;

 private:
  ReorderedLine(std::size_t half, bool load, T scale, T odd_scale)
      : half_(half), load_(load), scale_(scale), odd_scale_(odd_scale) {}

  std::size_t half_;
  bool load_;
  T scale_;
  T odd_scale_;  // of reals of odd index, which sine transforms negate
};

}  // namespace twiddle::backend::host
