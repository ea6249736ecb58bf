// What stages of Bluestein's algorithm multiply elements by, in the scalars of the arithmetic.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>

#include "plan/lower/stage.hpp"
#include "plan/numbers/long_vector.hpp"

namespace twiddle::backend::host {

// The values of a factor's sequence (plan/lower/stage.hpp), rounded once. They are shared while somebody has them: the
// stages at both ends of the algorithm have one chirp in common. Any thread may ask. `targets`: a mask of SIMD targets.
template <class T>
[[nodiscard]] std::shared_ptr<const plan::LongVector<std::complex<T>>> factor_sequence(const plan::Factor& factor,
                                                                                       std::int64_t targets);

}  // namespace twiddle::backend::host
