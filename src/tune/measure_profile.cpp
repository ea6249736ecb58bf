// The measurements of a profile. The time of a stage is the shortest of several: what disturbs a machine only ever adds
// to it. That of a transfer is the median, since drivers' threads that happen to be awake make single ones much
// shorter.
#include "tune/measure_profile.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "twiddle/buffer.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::tuning {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double stage_budget = 0.45;     // seconds for all sizes of transforms; larger sizes are left out beyond it
constexpr double transfer_budget = 0.2;   // for all sizes of transfers
constexpr double slow_compilation = 0.2;  // beyond, no further kernels
constexpr double enough = 2e-3;           // of one size: rounds beyond are not needed
constexpr double round_seconds = 2e-4;    // of executions in a row
constexpr std::size_t fewest_rounds = 3;
constexpr std::size_t most_repetitions = 200;
constexpr std::size_t single_line = 16384;
constexpr std::size_t batches[] = {1, 16, 128, 1024, 8192, 32768};
constexpr std::uint64_t transfers[] = {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 26};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A forward transform out of place, on memory of its own that has been touched.
class Sample {
 public:
  Sample(const Device& device, Transform transform)
      : device_(device),
        plan_(device, std::move(transform)),
        input_(device, plan_.input_bytes(Direction::forward, Placement::out_of_place)),
        output_(device, plan_.output_bytes(Direction::forward, Placement::out_of_place)) {
    const std::vector<std::byte> zeros(std::max(input_.size_bytes(), output_.size_bytes()));
    input_.write_bytes(std::span(zeros).first(input_.size_bytes()));
    output_.write_bytes(std::span(zeros).first(output_.size_bytes()));
    (void)seconds(1);
  }

  [[nodiscard]] std::uint64_t bytes() const { return input_.size_bytes() + output_.size_bytes(); }

  // Of each of so many executions in a row, waiting included.
  double seconds(std::size_t repetitions) {
    device_.synchronize();
    const auto start = Clock::now();
    for (std::size_t i = 0; i < repetitions; ++i) plan_.execute(Direction::forward, input_, output_);
    device_.synchronize();
    return seconds_since(start) / static_cast<double>(repetitions);
  }

  // Of one execution among others.
  double shortest() {
    const double once = std::max(seconds(1), 1e-9);
    const auto repetitions =
        std::clamp<std::size_t>(static_cast<std::size_t>(round_seconds / once), 1, most_repetitions);
    double best = once;
    const auto start = Clock::now();
    for (std::size_t round = 0; round < fewest_rounds || seconds_since(start) < enough; ++round) {
      best = std::min(best, seconds(repetitions));
    }
    return best;
  }

 private:
  Device device_;
  Plan plan_;
  Buffer input_;
  Buffer output_;
};

Transform rows(std::size_t batch, Precision precision = Precision::float32) {
  return {.lengths = {plan::reference_length}, .batch = batch, .precision = precision};
}

class Measurement {
 public:
  explicit Measurement(const Device& device) : device_(device), host_(device.info().backend == BackendKind::host) {}

  plan::DeviceProfile run() {
    const auto compiling = Clock::now();
    { Sample first(device_, rows(1)); }
    const bool compiles_fast = seconds_since(compiling) < slow_compilation;
    measure_stages();
    if (host_) {
      measure_single_line();
    } else {
      measure_transfers();
    }
    if (compiles_fast) measure_slowdowns();
    return profile_;
  }

 private:
  // Memory for input, output and what the driver may need beside them.
  [[nodiscard]] bool fits(std::uint64_t bytes) const {
    const DeviceInfo& info = device_.info();
    return bytes <= info.limits.max_buffer / 2 && bytes <= info.global_memory / 16;
  }

  // Whether the next size is likely to be measured in the time that is left.
  static bool in_time(const plan::SizeCurve::Point& last, std::uint64_t bytes, double seconds_left) {
    const double once = last.seconds * static_cast<double>(bytes) / static_cast<double>(last.bytes);
    return static_cast<double>(fewest_rounds + 2) * once < seconds_left;
  }

  // Making a plan does not count: some drivers compile its kernel once more for groups of another size.
  void measure_stages() {
    double spent = 0;
    std::vector<plan::SizeCurve::Point> points;
    for (const std::size_t batch : batches) {
      const std::uint64_t bytes = batch * sizeof(float) * 2 * plan::reference_length;
      if (!points.empty() && !(fits(bytes) && in_time(points.back(), 2 * bytes, stage_budget - spent))) break;
      Sample sample(device_, rows(batch));
      const auto start = Clock::now();
      const double seconds = sample.shortest();
      spent += seconds_since(start);
      if (points.empty()) profile_.wait_seconds = waiting(sample, seconds);
      points.push_back({sample.bytes(), seconds});
      largest_batch_ = batch;
    }
    profile_.stage = plan::SizeCurve(std::move(points));
  }

  static double waiting(Sample& sample, double among_others) {
    double alone = sample.seconds(1);
    for (std::size_t i = 0; i < 20; ++i) alone = std::min(alone, sample.seconds(1));
    return std::max(alone - among_others, 0.0);
  }

  void measure_single_line() {
    if (device_.info().limits.compute_units < 2) return;
    Sample line(device_, {.lengths = {single_line}});
    // As if it had as much to compute for each byte as lines of the reference's length.
    const double intensity = std::log2(single_line) / std::log2(plan::reference_length);
    profile_.line_rate = intensity * static_cast<double>(line.bytes()) / line.shortest();
  }

  void measure_transfers() {
    const auto start = Clock::now();
    std::vector<plan::SizeCurve::Point> to;
    std::vector<plan::SizeCurve::Point> from;
    for (const std::uint64_t bytes : transfers) {
      if (!to.empty() && !(fits(bytes) && in_time(to.back(), 2 * bytes, transfer_budget - seconds_since(start)))) break;
      Buffer buffer(device_, bytes);
      std::vector<std::byte> data(bytes);
      to.push_back({bytes, typical([&] { buffer.write(data); })});
      from.push_back({bytes, typical([&] { buffer.read(data); })});
    }
    profile_.to_device = plan::SizeCurve(std::move(to));
    profile_.from_device = plan::SizeCurve(std::move(from));
  }

  template <class Work>
  static double typical(const Work& work) {
    work();
    std::vector<double> rounds;
    const auto start = Clock::now();
    while (rounds.size() < fewest_rounds || seconds_since(start) < enough) {
      const auto begin = Clock::now();
      work();
      rounds.push_back(std::max(seconds_since(begin), 1e-9));
    }
    const auto middle = rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2);
    std::nth_element(rounds.begin(), middle, rounds.end());
    return *middle;
  }

  void measure_slowdowns() {
    Sample columns(device_, {.lengths = {plan::reference_length, largest_batch_}, .axes = {0}});
    profile_.strided_slowdown = columns.shortest() / profile_.stage.seconds(static_cast<double>(columns.bytes()));
    if (!device_.info().limits.float64) return;
    Sample wide(device_, rows(std::max<std::size_t>(largest_batch_ / 2, 1), Precision::float64));
    profile_.double_slowdown = wide.shortest() / profile_.stage.seconds(static_cast<double>(wide.bytes()));
  }

  Device device_;
  bool host_;
  std::size_t largest_batch_ = 1;
  plan::DeviceProfile profile_;
};

}  // namespace

plan::DeviceProfile measure_profile(const Device& device) { return Measurement(device).run(); }

}  // namespace twiddle::tuning
