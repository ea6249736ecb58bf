// What kernels that run as C++ functions read and write in tests, and the same for the interpreter of stages.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "support/stage_interpreter.hpp"
#include "support/work_items.hpp"

namespace twiddle::test {

template <class Real, std::size_t kScalars>
struct KernelMemory {
  alignas(16) std::array<Real, kScalars> input;
  alignas(16) std::array<Real, kScalars> output;
  ScalarMemory before{kScalars};  // the input

  KernelMemory() {
    output.fill(untouched);
    for (std::size_t i = 0; i < kScalars; ++i) {
      input[i] = static_cast<Real>(static_cast<double>(i * 7919 % 1009) / 1009 - 0.5);
      before.values[i] = input[i];
      before.written[i] = true;
    }
  }

  // That one of the arrays has what the interpreter wrote, and nothing else was written there.
  static void expect_written(const std::array<Real, kScalars>& result, const ScalarMemory& after, long double bound) {
    for (std::size_t i = 0; i < kScalars; ++i) {
      ASSERT_LE(std::abs(result[i] - (after.written[i] ? after.values[i] : untouched)), bound) << i;
    }
  }

  // The same of a whole program, which `launch` carries out from one array to the other or in place.
  template <class Launch>
  void expect_program(const plan::Program& program, Placement placement, const Launch& launch, long double bound) {
    const ScalarMemory after = interpret(program, placement, before, ScalarMemory(kScalars));
    auto& result = placement == Placement::in_place ? input : output;
    launch(reinterpret_cast<const Complex<Real>*>(input.data()), reinterpret_cast<Complex<Real>*>(result.data()));
    expect_written(result, after, bound);
  }

 private:
  static constexpr Real untouched = 77;
};

}  // namespace twiddle::test
