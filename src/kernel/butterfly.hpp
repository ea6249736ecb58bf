// Butterflies: straight-line code for a transform of a fixed small length, from one FFT run on symbols.
#pragma once

#include <string>
#include <vector>

#include "kernel/dialect.hpp"
#include "kernel/symbolic_fft.hpp"
#include "plan/recipe/radices.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::kernel {

inline constexpr unsigned largest_radix = 32;
inline constexpr unsigned largest_prime_radix = plan::lone_chip_prime;  // primes have butterflies up to this

// Whether there is a butterfly of that radix.
[[nodiscard]] bool has_butterfly(unsigned radix);

// Real additions (with subtractions) and multiplications by constants of a butterfly on complex data; negations are
// free where they fold into an addition, and counted as additions where they do not.
struct OperationCount {
  unsigned additions = 0;
  unsigned multiplications = 0;
  unsigned fused_operations = 0;  // all operations of the printed form, a fused multiply-add being one
  bool operator==(const OperationCount&) const = default;
};

// The cost of a radix, forward. Throws InvalidArgument where it has no butterfly.
[[nodiscard]] OperationCount butterfly_cost(unsigned radix);

// The source text of one function that transforms `radix` values in natural order:
//   OpenCL C, CUDA C++:  TW_INLINE void butterfly_8_forward(TW_COMPLEX* v)      v[0..radix), in place
//   host C++ (Highway):  template <class D, class Load, class Store>
//                        HWY_INLINE void Butterfly8(D d, Load load, Store store)
// The host's calls load(n, re, im), which sets two vectors, once for each element where it is first needed, and
// store(n, re, im) once for each as soon as it is ready, maybe before others are loaded: the output must not be the
// input. Both should be inlined (HWY_ATTR HWY_INLINE). That keeps fewer values in registers than arrays of all elements
// would. The host text exists for the forward direction only: the inverse swaps real and imaginary parts.
// `precision`: of OpenCL C's and CUDA C++'s constants, float32 or float64; the host's are right in every one.
// `alone`: the only pass of its kernel. CUDA C++ has floats of primes from 41 on as one statement in PTX then, so that
// they are compiled sooner.
[[nodiscard]] std::string butterfly_source(unsigned radix, Direction direction, Dialect dialect,
                                           Precision precision = Precision::float32,
                                           Rounding rounding = Rounding::usual, bool alone = false);

// The same text, made once in a process and kept: making it is nearly all that a device's kernel takes to be written,
// and plans share few radices. Any thread may ask; the reference holds until the process ends.
[[nodiscard]] const std::string& kept_butterfly_source(unsigned radix, Direction direction, Dialect dialect,
                                                       Precision precision, Rounding rounding, bool alone);

}  // namespace twiddle::kernel
