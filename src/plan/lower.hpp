// From a Recipe to the Stages that carry it out: strides, buffers, twiddles, kernel shapes.
#pragma once

#include "plan/recipe.hpp"
#include "plan/stage.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// The stages compute `transform` as `recipe` says. In place, `input` and `output` are the same memory, and no stage that
// moves elements reads and writes it at once; out of place, `input` is never written.
[[nodiscard]] Program lower(const Recipe& recipe, const Transform& transform, Direction direction, Placement placement,
                            const DeviceLimits& limits);

}  // namespace twiddle::plan
