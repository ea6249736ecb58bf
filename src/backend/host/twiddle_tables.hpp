// The roots of unity that passes and stages multiply by, laid out as the kernels read them.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "plan/tables.hpp"

namespace twiddle::backend::host {

// In a longer precision, as float and double need no more. Long double gets the nearest values, which products of two
// are not.
template <class T>
using Roots =
    std::conditional_t<std::is_same_v<T, long double>, plan::NearestRoots,
                       plan::ProductsOfRoots<std::conditional_t<std::is_same_v<T, float>, double, long double>>>;

// A root in the precision of a table.
template <class T>
struct RootValue {
  T real;
  T imaginary;
};

// exp(-2 pi i k / n) for k = 0..n-1: for tables that take each of them many times. `targets`: a mask of SIMD targets.
template <class T>
using AllRoots = std::vector<RootValue<T>>;
template <class T>
[[nodiscard]] AllRoots<T> all_roots(std::uint64_t n, std::int64_t targets);

// For a pass of `radix` over `columns` that makes `results` elements of a column, broadcast to all lanes:
// [p][k = 1..results-1][real, imaginary] of exp(-2 pi i p k / (radix columns)). The roots are those of a multiple of
// radix columns.
template <class T>
[[nodiscard]] AlignedArray<T> broadcast_twiddles(const AllRoots<T>& roots, std::size_t columns, unsigned radix,
                                                 unsigned results);

// The same for a first pass whose vectors hold `lanes` columns: [vector][k][real, imaginary][lane], where the last
// vector starts at columns - lanes (or at 0).
template <class T>
[[nodiscard]] AlignedArray<T> column_twiddles(const AllRoots<T>& roots, std::size_t columns, unsigned radix,
                                              unsigned results, std::size_t lanes);

// [k = 0..length-1][real, imaginary][lane] of exp(-2 pi i k lane / modulus) - 1, which is small: a root w times the
// root of a lane is w plus w times this, and as exact as w.
template <class T>
[[nodiscard]] AlignedArray<T> lane_twiddles(std::size_t length, std::size_t lanes, std::uint64_t modulus);

// [block][k = 0..length-1][real, imaginary] of exp(-2 pi i k block step / modulus), or that times i.
template <class T>
[[nodiscard]] AlignedArray<T> block_twiddles(std::size_t length, std::size_t blocks, std::size_t step,
                                             std::uint64_t modulus, bool times_i);

// [k = 1..radix/2][j = 1..radix/2][real, imaginary] of exp(-2 pi i j k / radix), for an odd radix.
template <class T>
[[nodiscard]] AlignedArray<T> direct_roots(unsigned radix, std::int64_t targets);

}  // namespace twiddle::backend::host
