// How much there is to do for a problem, whatever does it: bytes, operations and launches, counted from its plan.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {

inline constexpr double operations_by_doublings = 5;  // for each point and doubling of the length, by radix 2

struct StageWork {
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  double bytes = 0;                          // read and written
  double operations = 0;                     // additions and multiplications, by the textbook's count
  double mapping = 0;                        // of maps on CPUs that are stages: they take as long as so many more
  double mapped = 0;                         // numbers that maps folded into lines make there
  double lines = 1;                          // that can be worked on at once
  double length = 1;                         // points of each of them
  double pieces = unlimited;                 // that units can share, however many there are
  bool strided = false;                      // the elements of a line lie apart on some side,
  bool crowded = false;                      // by whole pages: they fall into the same few sets of a cache
  bool aligned = false;                      // the host writes whole cache lines
  Precision precision = Precision::float32;  // of the arithmetic
  bool operator==(const StageWork&) const = default;
};

struct Work {
  std::vector<StageWork> stages;  // two that are one launch as one
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::uint64_t memory_bytes = 0;        // input, output and working memory together
  std::uint64_t largest_allocation = 0;  // of these
  bool operator==(const Work&) const = default;
};

[[nodiscard]] StageWork work_of(const Stage& stage);

// What a plan for such a device would do. Throws what planning throws.
[[nodiscard]] Work work_of(const Problem& problem, const DeviceLimits& limits);
// What a convolution's plan would do for each signal that it is given, by the method that it chooses.
[[nodiscard]] Work work_of(const twiddle::Convolution& convolution, const DeviceLimits& limits);

}  // namespace twiddle::plan
