// Ways to do the same, which take turns while they are timed.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "study.hpp"
#include "twiddle/buffer.hpp"
#include "twiddle/plan.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::studies {

class Turns {
 public:
  // Does it once; what it submits to the device is waited for after a block of executions.
  using Work = std::function<void()>;

  Turns(const Setting& setting, const Trial& trial) : setting_(setting), trial_(trial) {}

  // Makes a way ready, checks its result and runs it once. What it throws as Unsupported becomes the way's complaint;
  // so does a DeviceError, which a check throws by way of wrong() or a driver that refuses a kernel.
  void add(const std::string& series, const std::function<Work()>& make);

  // Times all that were added: an odd number of rounds, in each of which every way runs a block of executions.
  [[nodiscard]] std::vector<Sample> measure();

 private:
  struct Way {
    Sample sample;
    Work work;
    std::size_t block = 1;
    std::vector<double> times{};
  };
  [[nodiscard]] double microseconds(const Way& way, std::size_t executions) const;
  const Setting& setting_;
  const Trial& trial_;
  std::vector<Way> ways_;
};

// Throws the DeviceError of a result that is off by so much of its norm.
[[noreturn]] void wrong(double difference);

// Relative L2 difference of arrays of floats, at least as long as the first.
[[nodiscard]] double difference_of(std::span<const float> expected, std::span<const float> actual);

// Floats in [-1, 1), the same every time.
[[nodiscard]] std::vector<float> random_floats(std::size_t count);

// A transform of float32 with memory of the device for its input and its output.
class PlannedTransform {
 public:
  PlannedTransform(const Device& device, const Problem& problem, HookBuffers hook_buffers = {});
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] std::size_t input_floats() const { return input_.size_bytes() / sizeof(float); }
  void write(const std::vector<float>& input) { input_.write(input); }
  void submit() { plan_.execute(problem_.direction, input_, output_); }
  void submit(Profile* profile) { plan_.execute(problem_.direction, input_, output_, profile); }
  [[nodiscard]] std::vector<float> read() const;

 private:
  Problem problem_;
  Plan plan_;
  Buffer input_;
  Buffer output_;
};

// The work of transforming random input on a device, its result compared with the host's.
[[nodiscard]] Turns::Work transform_work(const Device& device, const Problem& problem);

}  // namespace twiddle::studies
