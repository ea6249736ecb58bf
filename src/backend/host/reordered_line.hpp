// The maps of real transforms that only move elements, without a table of places: dct2 and dst2 by half the points, or
// of an odd number of reals, before the transform, dct3 and dst3 after it (plan/lower/map_formulas.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/combination.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {

template <class T>
class ReorderedLine {
 public:
  // Of whole lines, those of odd length between reals; nothing for other maps, and lines of less than a vector of
  // items. Elements are multiplied by `scale`.
  static std::optional<ReorderedLine> make(const plan::LineMap& map, T scale, std::int64_t targets);

  [[nodiscard]] std::size_t items() const { return call_.length / 2; }
  // Two reals an item, of at least a vector, the parts of complex elements counting as reals.
  void apply(const T* source, T* to, std::size_t begin, std::size_t end) const;

 private:
  ReorderedLine() = default;

  ReorderedRealsCall<T> call_;  // but for the places and the items
  void (*reorder_)(const ReorderedRealsCall<T>&) = nullptr;
};

}  // namespace twiddle::backend::host
