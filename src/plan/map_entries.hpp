// The elements that a LineMap makes, one at a time, by whatever roots of unity suit who asks.
#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "plan/line_map.hpp"
#include "plan/tables.hpp"

namespace twiddle::plan {

// `coefficient` times element `index` of the source; MapTables::none: zero.
template <class Real>
struct MapTerm {
  std::uint64_t index = MapTables::none;
  std::complex<Real> coefficient{0, 0};
};

template <class Real>
struct MapEntry {
  MapTerm<Real> first;
  MapTerm<Real> second;  // of the source's conjugate where MapTables says so
};

// Coefficients rounded to Real. Roots: NearestRoots, or ProductsOfRoots of a longer precision, which take a tenth of
// the time and leave all but one value in thousands the nearest one.
template <class Roots, class Real>
class MapEntries {
 public:
  explicit MapEntries(const LineMap& map);
  // What elements first, first + 1 ... are made of, below map.count: a and b of map_tables().
  void make(std::uint64_t first, std::span<MapEntry<Real>> entries) const;
  [[nodiscard]] MapEntry<Real> operator()(std::uint64_t i) const;

 private:
  [[nodiscard]] MapEntry<Real> adapted(std::uint64_t i) const;

  LineMap map_;
  bool plain_;  // all of the source where the rule has it, and its coefficients
  std::uint64_t order_;
  Roots roots_;
};
extern template class MapEntries<NearestRoots, long double>;
extern template class MapEntries<ProductsOfRoots<double>, float>;
extern template class MapEntries<ProductsOfRoots<long double>, double>;

}  // namespace twiddle::plan
