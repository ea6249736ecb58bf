// Timing of single transforms, of pairs of them, and of transfers.
#include "tune/profile_sample.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "backend/engine.hpp"
#include "tune/contender.hpp"

namespace twiddle::tuning {
namespace {

constexpr double enough = 2e-3;         // seconds of one size: rounds beyond are not needed
constexpr double round_seconds = 2e-4;  // of executions in a row
constexpr std::size_t most_repetitions_of_a_sample = 200;
constexpr std::size_t fewest_written = 5;     // executions after writing, of which the median counts
constexpr double enough_written = 2e-3;       // seconds of these
constexpr std::size_t fewest_turns = 2;       // of a comparison each time
constexpr std::size_t enough_turns = 3;       // of what takes longer than
constexpr double shortest_comparison = 1e-3;  // seconds, and beyond
constexpr double longest_comparison = 0.015;  // no further ones
constexpr double least_slowdown = 0.1;
constexpr std::size_t cache_line = 64;
constexpr std::size_t exponent = 7;            // where floats and doubles have the byte with most of it
constexpr std::byte between_0_and_half{0x3f};  // a number either way: no transform of it takes longer
constexpr Direction measured = Direction::forward;

// As std::vector has them whose memory the system's allocator takes from the kernel.
constexpr std::size_t beyond_cache_line = 16;

std::span<std::byte> first_bytes(std::vector<std::byte>& memory, std::uint64_t bytes, bool whole_lines = false) {
  if (memory.size() < bytes + 2 * cache_line) memory = std::vector<std::byte>(bytes + 2 * cache_line);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::size_t aligned = (cache_line - address % cache_line) % cache_line;
  return std::span(memory).subspan(aligned + (whole_lines ? 0 : beyond_cache_line), bytes);
}

}  // namespace

SampleMemory::Arrays& SampleMemory::arrays(std::uint64_t bytes) {
  const auto found = arrays_.find(bytes);
  if (found != arrays_.end()) return found->second;
  Arrays made{Buffer(device_, bytes), Buffer(device_, bytes)};
  made.input.write(data(bytes));
  return arrays_.emplace(bytes, std::move(made)).first->second;
}

std::span<std::byte> SampleMemory::data(std::uint64_t bytes) { return first_bytes(data_, bytes); }
std::span<std::byte> SampleMemory::results(std::uint64_t bytes, bool aligned) {
  return first_bytes(results_, bytes, aligned);
}

Sample::Sample(const Device& device, Transform transform, SampleMemory& memory, bool aligned)
    : device_(device),
      plan_(device, std::move(transform)),
      memory_(&memory),
      aligned_(aligned),
      input_bytes_(plan_.input_bytes(measured, Placement::out_of_place)) {
  if (device.info().backend != BackendKind::host) arrays_ = &memory.arrays(input_bytes_);
  (void)seconds(1);
}

void Sample::execute() const {
  if (arrays_ != nullptr) return plan_.execute(measured, arrays_->input, arrays_->output);
  plan_.execute_bytes(measured, memory_->data(input_bytes_), memory_->results(input_bytes_, aligned_));
}

double Sample::seconds(std::size_t repetitions) const {
  device_.synchronize();
  const auto start = Clock::now();
  for (std::size_t i = 0; i < repetitions; ++i) execute();
  device_.synchronize();
  return seconds_since(start) / static_cast<double>(repetitions);
}

double Sample::in_a_row() const {
  const auto start = Clock::now();
  const double once = std::max(seconds(1), shortest_seconds);
  const auto repetitions =
      std::clamp<std::size_t>(static_cast<std::size_t>(round_seconds / once), 1, most_repetitions_of_a_sample);
  std::vector<double> times;
  if (repetitions == 1) times.push_back(once);
  while (times.size() < fewest_rounds || seconds_since(start) < enough) times.push_back(seconds(repetitions));
  return std::max(median(std::move(times)), shortest_seconds);
}

double Sample::after_writing() const {
  const std::span<std::byte> data = memory_->data(input_bytes_);
  std::vector<double> times;
  const auto start = Clock::now();
  while (times.size() < fewest_written || seconds_since(start) < enough_written) {
    for (std::size_t i = 0; i < data.size(); i += cache_line) {
      volatile std::byte& byte = data[i];
      byte = byte;
    }
    times.push_back(seconds(1));
  }
  return median(std::move(times));
}

void Comparison::run() {
  const auto start = Clock::now();
  for (std::size_t turn = 0; turn < enough_turns || seconds_since(start) < shortest_comparison; ++turn) {
    if (turn >= fewest_turns && seconds_since(start) > longest_comparison) break;
    reference_seconds_ = std::min(reference_seconds_, reference_.seconds(repetitions_));
    sample_seconds_ = std::min(sample_seconds_, sample_.seconds(repetitions_));
  }
}

std::optional<double> Comparison::slowdown(double launch) const {
  if (!(reference_seconds_ > 2 * launch)) return std::nullopt;
  return std::max((sample_seconds_ - launch) / (reference_seconds_ - launch), least_slowdown);
}

void Transfer::run() {
  Buffer& buffer = memory_->arrays(bytes_).input;
  const std::span<std::byte> data = memory_->data(bytes_);
  const std::span<std::byte> results = memory_->results(bytes_);
  for (std::size_t i = exponent; i < data.size(); i += cache_line) data[i] ^= between_0_and_half;
  const auto start = Clock::now();
  buffer.write(data);
  const auto between = Clock::now();
  buffer.read(results);
  to_.push_back(std::max(std::chrono::duration<double>(between - start).count(), shortest_seconds));
  from_.push_back(std::max(seconds_since(between), shortest_seconds));
}

plan::SizeCurve::Point Transfer::to() const { return {bytes_, median(to_)}; }
plan::SizeCurve::Point Transfer::from() const { return {bytes_, median(from_)}; }

}  // namespace twiddle::tuning
