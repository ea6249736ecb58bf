// Times executions that are submitted together, by the host's clock.
#include "device_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "signal.hpp"
#include "twiddle/buffer.hpp"
#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_in_a_block = 20;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Copies without leaving the device: transforms of one point.
class Copy {
 public:
  Copy(const Device& device, std::size_t bytes)
      : plan_(device, {.lengths = {1}, .batch = (bytes + sizeof(Element) - 1) / sizeof(Element)}) {}
  [[nodiscard]] std::size_t bytes() const { return plan_.input_bytes(Direction::forward, Placement::out_of_place); }
  void run(const Buffer& source, Buffer& destination) const { plan_.forward(source, destination); }

 private:
  using Element = std::complex<float>;
  Plan plan_;
};

class Measurement {
 public:
  Measurement(const Device& device, const Problem& problem, const Effort& effort)
      : device_(device),
        problem_(problem),
        effort_(effort),
        in_place_(problem.placement == Placement::in_place),
        started_(Clock::now()),
        plan_(device, problem.transform) {
    plan_.prepare(problem.direction, problem.placement);
    speed_.planning_milliseconds = milliseconds_since(started_);
    input_bytes_ = plan_.input_bytes(problem.direction, problem.placement);
    output_bytes_ = plan_.output_bytes(problem.direction, problem.placement);
    if (in_place_) input_bytes_ = output_bytes_ = std::max(input_bytes_, output_bytes_);
    input_ = std::make_unique<Buffer>(device, input_bytes_);
    output_ = std::make_unique<Buffer>(device, output_bytes_);
  }

  DeviceSpeed run() {
    check();
    const Copy copy(device_, std::max(input_bytes_, output_bytes_));
    const Buffer original = filled(copy.bytes());
    Buffer destination(device_, copy.bytes());
    copy.run(original, destination);
    const double copied = 2e-6 * static_cast<double>(copy.bytes());
    speed_.copy_gigabytes_per_second = copied / timed([&] { copy.run(original, destination); }, most_in_a_block).median;
    const std::size_t block = std::min(most_in_a_block, most_executions(problem_));
    speed_.milliseconds = timed([&] { execute(); }, block);
    speed_.gigabytes_per_second = 1e-6 * static_cast<double>(input_bytes_ + output_bytes_) / speed_.milliseconds.median;
    return speed_;
  }

 private:
  Buffer filled(std::size_t bytes) const {
    Buffer buffer(device_, bytes);
    buffer.write(random_input(Precision::float32, bytes));
    return buffer;
  }

  void execute() {
    if (in_place_) {
      plan_.execute(problem_.direction, *output_);
    } else {
      plan_.execute(problem_.direction, *input_, *output_);
    }
  }

  void refill() {
    Buffer& buffer = in_place_ ? *output_ : *input_;
    buffer.write(signal_);
  }

  void check() {
    signal_ = random_input(problem_.transform.precision, input_bytes_);
    const Plan host(Device::host(), problem_.transform);
    std::vector<std::byte> expected(output_bytes_);
    if (in_place_) {
      expected = signal_;
      host.execute_bytes(problem_.direction, expected);
    } else {
      host.execute_bytes(problem_.direction, std::span<const std::byte>(signal_), expected);
      output_->write(std::vector<std::byte>(output_bytes_));
    }
    refill();
    execute();
    std::vector<std::byte> actual(output_bytes_);
    output_->read(actual);
    speed_.difference = difference_of(problem_, expected, actual.data());
    if (!(speed_.difference <= accepted_difference(problem_.transform.precision))) {
      throw DeviceError(fmt::format("{}: the result differs from the host's by {:.1e} of its norm", to_string(problem_),
                                    speed_.difference));
    }
  }

  // Milliseconds of one execution, of `block` at once.
  template <class Work>
  Spread timed(Work work, std::size_t block) {
    std::vector<double> times;
    const auto start = Clock::now();
    for (std::size_t round = 0; round < effort_.rounds; ++round) {
      if (round >= 3 && milliseconds_since(start) > 1e3 * effort_.seconds) break;
      refill();
      device_.synchronize();
      const auto begin = Clock::now();
      for (std::size_t i = 0; i < block; ++i) work();
      device_.synchronize();
      times.push_back(milliseconds_since(begin) / static_cast<double>(block));
    }
    return spread_of(std::move(times));
  }

  const Device& device_;
  const Problem& problem_;
  const Effort& effort_;
  bool in_place_;
  Clock::time_point started_;
  Plan plan_;
  std::size_t input_bytes_ = 0;
  std::size_t output_bytes_ = 0;
  std::unique_ptr<Buffer> input_;  // unused in place
  std::unique_ptr<Buffer> output_;
  std::vector<std::byte> signal_;
  DeviceSpeed speed_;
};

}  // namespace

DeviceSpeed measure_on(const Device& device, const Problem& problem, const Effort& effort) {
  return Measurement(device, problem, effort).run();
}

}  // namespace twiddle::bench
