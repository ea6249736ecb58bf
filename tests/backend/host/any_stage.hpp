// Any stage on the host engine, beside the interpreter of stages.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "backend/engine.hpp"
#include "backend/host/stage_case.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::test {

// Moves the offsets so that the stage's elements begin a few scalars behind the start of their memory, runs it on
// random data, and compares with interpret() what it owns; everything else must keep its bits, out of place the input
// too.
[[nodiscard]] testing::AssertionResult computes_any_stage(backend::Engine& engine, plan::Stage stage);

// Tests of such stages, each of which is in one SIMD target's share.
class AnyStageTargetTest : public HostTargetTest {
 protected:
  using HostTargetTest::HostTargetTest;
  [[nodiscard]] testing::AssertionResult computes_its_share(const plan::Stage& stage) {
    return takes_next() ? computes_any_stage(engine(), stage) : testing::AssertionSuccess();
  }
};

// A stage with features and layouts drawn at random; its radices are those the planner chooses for the engine.
[[nodiscard]] plan::Stage random_stage(backend::Engine& engine, Precision precision, std::mt19937_64& random);

}  // namespace twiddle::test
