// Which SIMD kernels run: Highway's table of targets, restricted to a mask that the caller gives.
#pragma once

#include <cstdint>

#include "backend/host/pass.hpp"
#include "backend/host/short_rows.hpp"
#include "hwy/highway.h"

namespace twiddle::backend::host {

// Index into a table made by HWY_EXPORT of the best target in `targets` that this file was compiled for.
HWY_INLINE std::size_t dispatch_index(std::int64_t targets) {
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return chosen.GetIndex();
}
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define TWIDDLE_HOST_DISPATCH(function, targets) (static_cast<void>(targets), *HWY_DISPATCH_TABLE(function)[0])
#else
#define TWIDDLE_HOST_DISPATCH(function, targets) (*HWY_DISPATCH_TABLE(function)[dispatch_index(targets)])
#endif

// The kernels' files are compiled once for each precision of arithmetic.
using Scalar = TWIDDLE_HOST_SCALAR;

// The parts of find_pass, each in a file of its own: those of some radices, and of primes above 16.
template <class T, unsigned... kRadices>
PassFunction<T> find_pass_among(PassKind kind, unsigned radix, std::int64_t targets);
template <class T>
PassFunction<T> find_pass_prime(PassKind kind, unsigned radix, std::int64_t targets);
template <class T>
PassFunction<T> find_real_prime_pass(RealPassKind kind, unsigned radix, std::int64_t targets);
template <class T>
ShortRowsKernels<T> find_short_real_rows(ShortRowsKind kind, std::size_t length, std::int64_t targets);
template <>
ShortRowsKernels<Scalar> find_short_real_rows<Scalar>(ShortRowsKind kind, std::size_t length, std::int64_t targets);
template <>
PassFunction<Scalar> find_real_prime_pass<Scalar>(RealPassKind kind, unsigned radix, std::int64_t targets);
template <>
PassFunction<Scalar> find_pass_among<Scalar, 1, 2, 3, 4, 5, 6, 7>(PassKind kind, unsigned radix, std::int64_t targets);
template <>
PassFunction<Scalar> find_pass_among<Scalar, 8, 9, 10>(PassKind kind, unsigned radix, std::int64_t targets);
template <>
PassFunction<Scalar> find_pass_among<Scalar, 11, 12, 13>(PassKind kind, unsigned radix, std::int64_t targets);
template <>
PassFunction<Scalar> find_pass_among<Scalar, 15, 16>(PassKind kind, unsigned radix, std::int64_t targets);
template <>
PassFunction<Scalar> find_pass_among<Scalar, 20, 24, 25, 32>(PassKind kind, unsigned radix, std::int64_t targets);
template <>
PassFunction<Scalar> find_pass_prime<Scalar>(PassKind kind, unsigned radix, std::int64_t targets);

}  // namespace twiddle::backend::host
