// Convolutions on chip whose passes back are those there, in a loop of two turns.
#pragma once

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Whether the stage, in this shape, may go back by the passes that it went there by: where its first and its last radix
// are equal, every work-item ends a transform with the elements that it begins the next one with.
[[nodiscard]] bool may_go_back_alike(const Stage& stage, const KernelShape& shape);

// Whether it does, so that it is compiled in half of the time: few rows, of which an execution costs little more than a
// launch, on devices like the measured one.
[[nodiscard]] bool goes_back_alike(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits);

}  // namespace twiddle::plan
