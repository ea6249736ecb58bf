// Timing by the host's clock, and what is timed most.
#include "turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "twiddle/error.hpp"

namespace twiddle::studies {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double accepted_difference = 1e-4;  // far from rounding errors, for which there is `twiddle verify`

}  // namespace

void Turns::add(const std::string& series, const std::function<Work()>& make) {
  Way way{.sample = {.part = trial_.part, .x = trial_.x, .series = series}, .work = {}};
  try {
    way.work = make();
    way.work();
    setting_.device.synchronize();
  } catch (const Unsupported& error) {
    way.sample.complaint = error.what();
  } catch (const DeviceError& error) {
    way.sample.complaint = error.what();
  }
  ways_.push_back(std::move(way));
}

double Turns::microseconds(const Way& way, std::size_t executions) const {
  const auto start = Clock::now();
  for (std::size_t i = 0; i < executions; ++i) way.work();
  setting_.device.synchronize();
  const std::chrono::duration<double, std::micro> elapsed = Clock::now() - start;
  return elapsed.count() / static_cast<double>(executions);
}

std::vector<Sample> Turns::measure() {
  const std::size_t rounds = setting_.quick ? 5 : 11;
  const double block_microseconds = setting_.quick ? 500 : 2000;
  const double most_microseconds = (setting_.quick ? 0.2e6 : 2e6) * static_cast<double>(ways_.size());
  for (Way& way : ways_) {
    if (!way.sample.complaint.empty()) continue;
    const double once = std::max(0.05, microseconds(way, 1));
    way.block = static_cast<std::size_t>(std::clamp(std::ceil(block_microseconds / once), 1.0, 1e5));
  }
  const auto start = Clock::now();
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::chrono::duration<double, std::micro> elapsed = Clock::now() - start;
    if (round >= 3 && round % 2 == 1 && elapsed.count() > most_microseconds) break;
    for (Way& way : ways_) {
      if (way.sample.complaint.empty()) way.times.push_back(microseconds(way, way.block));
    }
  }
  std::vector<Sample> samples;
  for (Way& way : ways_) {
    if (!way.times.empty()) way.sample.microseconds = bench::spread_of(way.times);
    samples.push_back(way.sample);
  }
  return samples;
}

void wrong(double difference) {
  throw DeviceError(fmt::format("{}: off by {:.1e} of the norm", wrong_result, difference));
}

double difference_of(std::span<const float> expected, std::span<const float> actual) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = static_cast<double>(actual[i]) - expected[i];
    difference += error * error;
    norm += static_cast<double>(expected[i]) * expected[i];
  }
  return difference == 0 ? 0 : std::sqrt(difference / norm);
}

std::vector<float> random_floats(std::size_t count) { return bench::make_input<float>(count, 1); }

PlannedTransform::PlannedTransform(const Device& device, const Problem& problem, HookBuffers hook_buffers)
    : problem_(problem),
      plan_(Workspace(device), problem.transform, std::move(hook_buffers)),
      input_(device, plan_.input_bytes(problem.direction, Placement::out_of_place)),
      output_(device, plan_.output_bytes(problem.direction, Placement::out_of_place)) {
  plan_.prepare(problem.direction, Placement::out_of_place);
}

std::vector<float> PlannedTransform::read() const {
  std::vector<float> values(output_.size_bytes() / sizeof(float));
  output_.read(values);
  return values;
}

Turns::Work transform_work(const Device& device, const Problem& problem) {
  auto transform = std::make_shared<PlannedTransform>(device, problem);
  const std::vector<float> input = random_floats(transform->input_floats());
  transform->write(input);
  transform->submit();
  const Plan host(Device::host(), problem.transform);
  std::vector<float> expected(host.output_bytes(problem.direction, Placement::out_of_place) / sizeof(float));
  host.execute(problem.direction, input, expected);
  const double difference = difference_of(expected, transform->read());
  if (!(difference <= accepted_difference)) wrong(difference);
  return [transform] { transform->submit(); };
}

}  // namespace twiddle::studies
