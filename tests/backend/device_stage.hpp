// One stage on a device beside the interpreter of stages, with every kind of storage.
#pragma once

#include <gtest/gtest.h>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::test {

// Runs the stage on random data, in place where source and destination are the same operand. Every scalar that the
// interpreter writes must agree with it to the precision of arithmetic and storage; every other one must have kept its
// bits.
[[nodiscard]] testing::AssertionResult computes_stage(const Device& device, const plan::Stage& stage);

}  // namespace twiddle::test
