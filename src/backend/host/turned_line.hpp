// The maps of dct3, dct4, dst3 and dst4 of one line by half its points that make a complex number of two reals and
// a root of unity, or two reals of a complex number and a root, by a table of these roots alone.
#pragma once

#include <cstddef>
#include <optional>

#include "backend/host/turned_reals.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {

template <class T>
class TurnedLine {
 public:
  // For dct3_half_before, dct4_half_load, dct4_half_store and their sines, of whole lines; nothing for other maps, and
  // lines of less than a vector of items. What the map makes is multiplied by `scale`.
  static std::optional<TurnedLine> make(const plan::LineMap& map, T scale, std::int64_t targets);

  [[nodiscard]] std::size_t items() const { return turned_.call.items; }
  // A complex number an item, of at least a vector and one: from reals to an interleaved line, or the other way.
  void apply(const T* source, T* to, std::size_t begin, std::size_t end) const;

 private:
  TurnedLine() = default;

  bool has_ends_ = false;  // dct3: item 0 has two elements by themselves, with these weights
  std::size_t ends_[2] = {0, 0};
  T end_weights_[2] = {1, 1};
  TurnedReals<T> turned_;  // its roots are times the scale
};

}  // namespace twiddle::backend::host
