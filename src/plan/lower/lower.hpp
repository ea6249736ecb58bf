// From a Recipe to the Stages that carry it out: strides, buffers, twiddles, kernel shapes.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/lower/stage.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// The stages compute `transform` as `recipe` says. In place, `input` and `output` are the same memory, and no stage
// that moves elements reads and writes it at once; out of place, `input` is never written. Of scratch memory they need
// about `most_scratch` bytes at most, where they can, or else as much as the larger of input and output.
[[nodiscard]] Program lower(const Recipe& recipe, const Transform& transform, Direction direction, Placement placement,
                            const DeviceLimits& limits, std::optional<std::uint64_t> most_scratch = std::nullopt);

// The same with every stage as a launch of its own, although two of them were measured to be faster in one (joined.hpp,
// planes.hpp).
[[nodiscard]] Program lower_apart(const Recipe& recipe, const Transform& transform, Direction direction,
                                  Placement placement, const DeviceLimits& limits,
                                  std::optional<std::uint64_t> most_scratch = std::nullopt);

}  // namespace twiddle::plan
