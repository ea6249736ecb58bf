// What stands beyond the ends of a signal, on devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::plan {

// A stage that makes all signals of a convolution longer: along each axis `given` samples,
// the first of them at position `first`. It reads the signals by way of its store hook, which must get its input as its
// `user` memory as well (Operands::store_user). Its shape is left open.
[[nodiscard]] Program lower_extension(const twiddle::Convolution& convolution, const std::vector<std::int64_t>& first,
                                      const std::vector<std::size_t>& given);

}  // namespace twiddle::plan
