// The elements that a LineMap makes, one at a time, by whatever roots of unity suit who asks.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plan/lower/line_map.hpp"
#include "plan/numbers/exact_number.hpp"
#include "plan/numbers/tables.hpp"

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

// exp(-2 pi i k / n) for many k at once, by whoever has vectors for that.
class ManyRoots {
 public:
  static constexpr std::size_t most = 128;
  virtual ~ManyRoots() = default;
  // The real part of each is the sum of its numbers in to[0] and to[1], the imaginary part of those in to[2] and to[3]:
  // a rounding of long double off the nearest at most. The powers, `count` of them, are whole numbers below n. There is
  // room for `most` on either side.
  virtual void make(const double* powers, std::size_t count, const std::array<double*, 4>& to) const = 0;
};

// For one n. Where there is none, products of roots in long double serve, and in double for entries in float.
using MakeManyRoots = std::function<std::unique_ptr<const ManyRoots>(std::uint64_t n)>;

// Coefficients rounded to Real: all but one value in thousands the nearest one in float and double, and in long double
// as exact as NearestRoots.
template <class Real>
class MapEntries {
 public:
  explicit MapEntries(const LineMap& map, const MakeManyRoots& make_roots = {});
  // What elements first, first + 1 ... are made of, below map.count: a and b of map_tables().
  void make(std::uint64_t first, std::span<MapEntry<Real>> entries) const;
  [[nodiscard]] MapEntry<Real> operator()(std::uint64_t i) const;

 private:
  // A block at most.
  void make_by_rule(std::span<const std::uint64_t> elements, MapEntry<Real>* entries) const;
  [[nodiscard]] MapEntry<Real> adapted(std::uint64_t element, MapEntry<Real> values) const;

  LineMap map_;
  bool plain_;       // all of the source where the rule has it, and its coefficients
  bool makes_half_;  // elements in the order of half columns
  std::uint64_t order_;
  std::unique_ptr<const ManyRoots> roots_;           // in double
  std::vector<ExactComplex> few_;                    // likewise, all of them where they are few
  std::optional<ProductsOfRoots<double>> products_;  // in float
};
extern template class MapEntries<long double>;
extern template class MapEntries<float>;
extern template class MapEntries<double>;

}  // namespace twiddle::plan
