// Butterflies between reals and half of their spectrum, for the host: the complex ones on symbols that are real, or
// that come in conjugate pairs, which simplify by themselves to about half the operations (as in M. Frigo, "A Fast
// Fourier Transform Compiler", PLDI 1999, section 3).
#pragma once

#include <string>

#include "kernel/symbolic_fft.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::kernel {

// `radix` scalars on either side, numbered. Reals stand in natural order; a spectrum as the real part of element 0,
// then the real and imaginary parts of elements 1, 2, ..., and for an even radix the real part of the one in the
// middle. Forward makes the spectrum, inverse the reals (not scaled). Throws InvalidArgument unless 2 <= radix <=
// largest_radix.
[[nodiscard]] ButterflyGraph real_butterfly_graph(unsigned radix, Direction direction);

// The source text of one function over Highway's vectors:
//   template <class D, class Load, class Store>
//   HWY_INLINE void RealButterfly9(D d, Load load, Store store)       forward; HermitianButterfly9: inverse
// It calls load(n, value) once for each scalar, where it is first needed, and store(n, value) once for each, as soon as
// it is ready.
[[nodiscard]] std::string real_butterfly_source(unsigned radix, Direction direction);

}  // namespace twiddle::kernel
