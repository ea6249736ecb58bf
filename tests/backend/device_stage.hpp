// One stage on a device beside the interpreter of stages, with every kind of storage.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "plan/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::test {

// Runs the stage, with the shape that planning chooses for the device, on random data: in place where source and
// destination are the same operand. Every scalar that the interpreter writes must agree with it to the precision of
// arithmetic and storage; every other one must have kept its bits.
[[nodiscard]] testing::AssertionResult computes_stage(const Device& device, plan::Stage stage);

// Stages for each thing that a stage can say, as far as `device` holds them, with the planner's radices for it.
struct NamedStage {
  const char* name;
  plan::Stage stage;
};
[[nodiscard]] std::vector<NamedStage> stages_of_every_kind(const Device& device);

}  // namespace twiddle::test
