// The text of a stage's kernel and all that is needed to launch it: a value, free of devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/dialect.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::kernel {

// The kernel's parameters are, in order: input, output, constants, count (32 or 64 bits as `wide_index` says) and,
// where there are any, indices (before them, where there are several launches, `begin`: the first transform of the
// launch, `count` being the first one that it leaves to others); then the memory of the load hook and of the store
// hook, for stages that have them, the spectra of filters where `reads_spectra`, scratch memory where `parts_apart` or
// `counter_bytes` is not 0, and where `starts_early` 32 bits: whether the kernel before is the one that makes these
// spectra.
struct KernelSource {
  std::string text;                    // complete program, prelude included; does not depend on the batch
  std::string entry;                   // name of the kernel function
  std::size_t group_size = 1;          // work-items in a group, one-dimensional
  std::uint64_t groups = 1;            // groups of a launch
  std::uint64_t launches = 1;          // each of as many of the transforms
  std::size_t local_memory = 0;        // bytes that the kernel declares
  std::uint32_t registers = 0;         // most that a work-item should use, where the compiler takes such a hint
  std::uint64_t transforms = 0;        // the value for `count`: transforms, or elements of a map alone
  bool wide_index = false;             // `count` is 64 bits wide
  bool reads_spectra = false;          // the plan's Operand::spectra is a parameter
  bool parts_apart = false;            // the imaginary parts of a side are in scratch memory
  bool dependent_launch = false;       // waits for the end of the kernel before, so that it may be launched sooner
  bool starts_early = false;           // reads its input while the kernel before still makes the spectra of filters
  std::size_t ring_bytes = 0;          // of scratch memory, what is ahead of its counters
  std::size_t counter_bytes = 0;       // of these: zero when the kernel is launched
  std::vector<std::byte> constants;    // complex numbers in the precision of the arithmetic, at least one
  std::vector<std::uint32_t> indices;  // tables of the line maps; mostly empty
  bool operator==(const KernelSource&) const = default;
};

// Throws Unsupported for arithmetic in extended precision, and for lines with a map that 32-bit indices cannot
// describe.
[[nodiscard]] KernelSource stage_kernel(const plan::Stage& stage, Dialect dialect);

// Of a program's two stages that are joined (Program::joined); `count` are its lines or images. Throws Unsupported
// where the dialect has no such kernels.
[[nodiscard]] KernelSource joined_kernel(const plan::Program& program, Dialect dialect);

// Of a program's two stages of planes that are one launch (plan/shape/planes.hpp); `count` are the planes. Throws
// Unsupported where the dialect tells local memory from others.
[[nodiscard]] KernelSource plane_kernel(const plan::Program& program, Dialect dialect);

// Whichever of these a program has.
[[nodiscard]] KernelSource two_stage_kernel(const plan::Program& program, Dialect dialect);

}  // namespace twiddle::kernel
