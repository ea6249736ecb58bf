// The text of a stage's kernel and all that is needed to launch it: a value, free of devices.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/dialect.hpp"
#include "plan/stage.hpp"

namespace twiddle::kernel {

// The kernel's parameters are, in order: input, output (complex elements), constants (complex elements), count (the
// number of transforms, 32 or 64 bits as `wide_index` says).
struct KernelSource {
  std::string text;   // complete program, prelude included; does not depend on the batch
  std::string entry;  // name of the kernel function
  std::size_t group_size = 1;                  // work-items in a group, one-dimensional
  std::uint64_t groups = 1;                    // groups to launch
  std::size_t local_memory = 0;                // bytes that the kernel declares
  std::uint32_t registers = 0;                 // most that a work-item should use, where the compiler takes such a hint
  std::uint64_t transforms = 0;                // the value for `count`
  bool wide_index = false;                     // `count` is 64 bits wide
  std::vector<std::complex<float>> constants;  // roots of unity, at least one element
  bool operator==(const KernelSource&) const = default;
};

[[nodiscard]] KernelSource stage_kernel(const plan::Stage& stage, Dialect dialect);

}  // namespace twiddle::kernel
