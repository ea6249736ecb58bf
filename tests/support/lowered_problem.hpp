// Problems lowered for a device and their stages executed on none.
#pragma once

#include <cstdint>

#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

// Expects that the stages compute what the definition says of an input that `seed` determines, and write nothing else.
// Throws std::runtime_error where they break a rule that engines rely on (stage_interpreter.hpp), and what planning
// throws.
void check_lowering(const Problem& problem, const DeviceLimits& limits, std::uint64_t seed);

}  // namespace twiddle::test
