// Problems lowered for a device and their stages executed on none.
#pragma once

#include <cstdint>
#include <optional>

#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

// Expects that the stages compute what the definition says of an input that `seed` determines, and write nothing else.
// Throws std::runtime_error where they break a rule that engines rely on (stage_interpreter.hpp), and what planning
// throws. `most_scratch` is lower()'s.
void check_lowering(const Problem& problem, const DeviceLimits& limits, std::uint64_t seed,
                    std::optional<std::uint64_t> most_scratch = std::nullopt);

}  // namespace twiddle::test
