// One way to compute a problem, ready to be timed and compared.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "twiddle/buffer.hpp"
#include "twiddle/device.hpp"
#include "twiddle/plan.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::tuning {

// The memory that all contenders for one problem work on in turn.
struct Arena {
  Arena(const Device& device, const Plan& plan, const Problem& problem);

  std::vector<std::byte> samples;  // uniform in [-1, 1)
  Buffer input;
  std::vector<Buffer> output;  // one; none in place
  bool zeros = false;          // whether they are what the input holds
};

class Contender {
 public:
  // Compiles everything that executing the problem needs.
  Contender(const Device& device, const Problem& problem);

  [[nodiscard]] const Plan& plan() const { return plan_; }

  // The results for the arena's samples.
  [[nodiscard]] std::vector<std::byte> results(Arena& arena) const;

  // Of one execution, from so many in a row. In place the data are zeros, which stay what they are.
  [[nodiscard]] double milliseconds(Arena& arena, std::size_t repetitions) const;

 private:
  void execute(Arena& arena) const;

  Problem problem_;
  Device device_;
  Plan plan_;
};

// So many bytes of numbers of that precision, uniform in [-1, 1), the same every time.
[[nodiscard]] std::vector<std::byte> random_samples(std::size_t bytes, Precision precision);

// Of one execution, from so many in a row behind another one; `execute` submits it to the device.
template <class Execute>
double milliseconds_of(const Device& device, std::size_t repetitions, const Execute& execute) {
  execute();
  device.synchronize();
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < repetitions; ++i) execute();
  device.synchronize();
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count() / static_cast<double>(repetitions);
}

// Relative L2 distance of two arrays of scalars.
[[nodiscard]] double distance(std::span<const std::byte> a, std::span<const std::byte> b, Precision precision);

[[nodiscard]] double median(std::vector<double> values);

}  // namespace twiddle::tuning
