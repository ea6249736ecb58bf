// One stage on the host engine, beside the definition of the DFT in long double.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "backend/engine.hpp"
#include "plan/lower/stage.hpp"
#include "support/sample.hpp"

namespace twiddle::test {

// Runs the stage on random data, in place where source and destination are the same operand, and compares every output
// with the direct sum, and every element that no transform owns with what it was before. Results begin `beyond`
// elements behind a cache line, by default as in memory from the allocator.
[[nodiscard]] testing::AssertionResult computes_stage(backend::Engine& engine, const plan::Stage& stage,
                                                      std::size_t beyond = 2);

// A stage of `count` transforms with unit strides, with the radices that the planner chooses for this engine.
[[nodiscard]] plan::Stage row_stage(backend::Engine& engine, std::size_t length, std::uint64_t count);

// `count` neighbouring columns of an array that is `width` wide, in place of its rows.
[[nodiscard]] plan::Stage column_stage(backend::Engine& engine, std::size_t length, std::uint64_t count,
                                       std::int64_t width);

// Sets an environment variable for as long as this lives.
class ScopedEnvironment {
 public:
  ScopedEnvironment(const char* name, const char* value);
  ~ScopedEnvironment();
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

// The host engine with the best SIMD target no better than `simd` ("" for the best of all); null where this machine
// lacks it. Beside a small cache, results of a few MiB are stored past it.
[[nodiscard]] std::shared_ptr<backend::Engine> host_engine(const char* simd);
[[nodiscard]] std::shared_ptr<backend::Engine> host_engine_beside_small_cache(const char* simd);

// Tests that run for each SIMD target, their parameter, and are skipped where this machine lacks it.
class HostTargetTest : public testing::TestWithParam<const char*> {
 protected:
  explicit HostTargetTest(std::shared_ptr<backend::Engine> (*make_engine)(const char*) = host_engine)
      : engine_(make_engine(GetParam())), share_(share_of_target(GetParam())) {}
  void SetUp() override {
    if (engine_ == nullptr) GTEST_SKIP() << "no " << GetParam() << " here";
  }
  [[nodiscard]] backend::Engine& engine() const { return *engine_; }
  // Whether the next stage is in the target's share: the definition of the DFT, most of the time, is the same for all.
  [[nodiscard]] bool takes_next() { return share_.takes_next(); }

 private:
  std::shared_ptr<backend::Engine> engine_;
  Share share_;
};

// The same where results are stored past the cache, which plain code does not.
class HostPastCacheTest : public HostTargetTest {
 protected:
  HostPastCacheTest() : HostTargetTest(host_engine_beside_small_cache) {}
};

}  // namespace twiddle::test
