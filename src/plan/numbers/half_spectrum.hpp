// Between the transform of pairs of reals and the reals' spectrum, for those who have roots of unity at hand.
#pragma once

#include <complex>

#include "plan/lower/line_map.hpp"

namespace twiddle::plan {

// What map_tables() has as a[k] of the rules r2c_store and c2r_load, from root = exp(-2 pi i k / length). With b[k] its
// sum is 1 for r2c_store and 2 for c2r_load.
template <class Complex>
[[nodiscard]] Complex half_spectrum_factor(LineMap::Rule rule, const Complex& root) {
  using Real = typename Complex::value_type;
  // 1 + i conj(root), and (1 - i root) / 2, without general products: long lines have many.
  if (rule == LineMap::Rule::c2r_load) return {Real{1} + root.imag(), root.real()};
  return {(Real{1} + root.imag()) * Real{0.5}, root.real() * Real{-0.5}};
}

}  // namespace twiddle::plan
