// Making contenders: plans of one problem on memory of their own.
#include "tune/contender.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "plan/lower/stage.hpp"
#include "verify/memory.hpp"
#include "verify/random.hpp"

namespace twiddle::tuning {
namespace {

constexpr std::uint64_t seed = 1;

// So many different ones, which then repeat: a prime number, so that no two lines are alike.
constexpr std::size_t most_samples = 1000003;

std::size_t input_bytes(const Plan& plan, const Problem& problem) {
  const std::size_t read = plan.input_bytes(problem.direction, problem.placement);
  if (problem.placement == Placement::out_of_place) return read;
  return std::max(read, plan.output_bytes(problem.direction, problem.placement));
}

template <class Expected, class Actual>
double distance_of(std::size_t count, const Expected& expected, const Actual& actual) {
  using Sum = decltype(expected(0) * 1.0);
  Sum difference = 0;
  Sum norm = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Sum value = expected(i);
    const Sum error = actual(i) - value;
    difference += error * error;
    norm += value * value;
  }
  if (difference == 0) return 0;
  return norm == 0 ? INFINITY : static_cast<double>(std::sqrt(difference / norm));
}

template <class T>
double distance_of(std::span<const std::byte> a, std::span<const std::byte> b) {
  const auto* expected = reinterpret_cast<const T*>(a.data());
  const auto* actual = reinterpret_cast<const T*>(b.data());
  return distance_of(
      a.size() / sizeof(T), [&](std::size_t i) { return expected[i]; }, [&](std::size_t i) { return actual[i]; });
}

}  // namespace

std::vector<std::byte> random_samples(std::size_t bytes, Precision precision) {
  std::vector<std::byte> samples(bytes);
  verify::Random random(seed);
  const plan::Storage storage{plan::Storage::Form::real, precision, 0};
  const std::size_t size = plan::scalar_bytes(precision);
  const std::size_t count = std::min(bytes / size, most_samples);
  for (std::size_t i = 0; i < count; ++i) {
    verify::store(samples, storage, static_cast<std::int64_t>(i), verify::Value(random.uniform(), 0));
  }
  for (std::size_t filled = count * size; filled != 0 && filled < bytes;) {
    const std::size_t more = std::min(filled, bytes - filled);
    std::memcpy(samples.data() + filled, samples.data(), more);
    filled += more;
  }
  return samples;
}

Arena::Arena(const Device& device, const Plan& plan, const Problem& problem)
    : samples(random_samples(input_bytes(plan, problem), problem.transform.precision)), input(device, samples.size()) {
  if (problem.placement == Placement::in_place) return;
  output.emplace_back(device, plan.output_bytes(problem.direction, problem.placement));
}

Contender::Contender(const Device& device, const Problem& problem)
    : problem_(problem), device_(device), plan_(device, problem.transform) {
  plan_.prepare(problem.direction, problem.placement);
}

void Contender::execute(Arena& arena) const {
  if (arena.output.empty()) {
    plan_.execute(problem_.direction, arena.input);
  } else {
    plan_.execute(problem_.direction, arena.input, arena.output.front());
  }
}

std::vector<std::byte> Contender::results(Arena& arena) const {
  arena.input.write(arena.samples);
  arena.zeros = false;
  Buffer& written = arena.output.empty() ? arena.input : arena.output.front();
  std::vector<std::byte> bytes(written.size_bytes());
  if (!arena.output.empty()) written.write(bytes);  // what is not written is the same for all
  execute(arena);
  written.read(bytes);
  return bytes;
}

double Contender::milliseconds(Arena& arena, std::size_t repetitions) const {
  if (arena.output.empty() && !arena.zeros) {
    arena.input.write(std::vector<std::byte>(arena.input.size_bytes()));
    arena.zeros = true;
  }
  return milliseconds_of(device_, repetitions, [&] { execute(arena); });
}

double distance(std::span<const std::byte> a, std::span<const std::byte> b, Precision precision) {
  if (precision == Precision::float32) return distance_of<float>(a, b);
  if (precision == Precision::float64) return distance_of<double>(a, b);
  const plan::Storage storage{plan::Storage::Form::real, precision, 0};
  const auto scalar = [&](std::span<const std::byte> memory, std::size_t i) {
    return verify::load(memory, storage, static_cast<std::int64_t>(i)).real();
  };
  return distance_of(
      a.size() / plan::scalar_bytes(precision), [&](std::size_t i) { return scalar(a, i); },
      [&](std::size_t i) { return scalar(b, i); });
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace twiddle::tuning
