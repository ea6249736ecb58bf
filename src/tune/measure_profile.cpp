// The measurements of a profile: medians, since threads that share work differently each time, or happen to be awake,
// make single ones much shorter; transfers and lone executions take turns, so that they find drivers' threads alike.
#include "tune/measure_profile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/device/work.hpp"
#include "tune/contender.hpp"
#include "tune/profile_sample.hpp"

namespace twiddle::tuning {
namespace {

constexpr double stage_budget = 0.2;      // seconds for all sizes of transforms; larger sizes are left out beyond it
constexpr double transfer_budget = 0.15;  // for all large sizes of transfers
constexpr double turns_budget = 0.03;     // for what is waited for; the host waits for nothing
constexpr double compiling = 0.2;         // beyond, no further kernels
constexpr double compiling_on_cpus = 1;   // the same of CPUs behind OpenCL, whose kernels differ more than a GPU's
constexpr double steepest = 3;  // power of its bytes by which a line takes longer: what is too short to measure is less
constexpr std::size_t turn_length = 4;
constexpr std::size_t few_batches = 6;  // of those below
constexpr std::size_t batches[] = {1, 16, 64, 256, 512, 1024, 16384};
constexpr std::size_t written_batches[] = {1, 16, 64, 256, 512, 1024, 4096};
constexpr std::size_t point_bytes = plan::reference_point_bytes;
constexpr std::size_t row_bytes = point_bytes * plan::reference_length;
constexpr std::size_t compared_points = 1 << 19;  // of columns and doubles beside rows of as many bytes
constexpr std::size_t cached_lines = 64;          // of what one thread does in its caches, in the same way
constexpr std::size_t points_of_gpu = 1 << 22;    // compared on a GPU, where fewer take hardly longer than a launch
constexpr std::size_t host_turn = 4;  // executions, of which the first finds the other's data in the cores' caches
constexpr std::size_t gpu_turn = 16;  // executions, beside which waiting counts for little
constexpr double least_mapping = 0.1;
constexpr std::size_t single_lines[] = {65536, 16384, 4096, 1024};  // of the host, where they are one stage;
constexpr std::size_t single_line = 4096;                           // elsewhere, where each is a kernel of its own
constexpr std::uint64_t small_transfers[] = {1 << 12, 1 << 16, 1 << 18, 1 << 20};
constexpr std::uint64_t large_transfers[] = {1 << 23, 1 << 25};

Transform rows(std::size_t batch, Precision precision = Precision::float32) {
  return {.lengths = {plan::reference_length}, .batch = batch, .precision = precision};
}

Transform cosine_rows() { return {.lengths = {plan::reference_length}, .batch = 2 * cached_lines, .kind = Kind::dct2}; }

Transform cosine_columns() {
  return {.lengths = {plan::reference_length, 2 * cached_lines}, .axes = {0}, .kind = Kind::dct2};
}

class Measurement {
 public:
  explicit Measurement(const Device& device)
      : device_(device),
        host_(device.info().backend == BackendKind::host),
        gpu_(!host_ && !plan::is_like_cpu(device.limits())) {}

  plan::DeviceProfile run() {
    // Programs are shared as long as one is in use: so the rows' are compiled, or read from a cache, once.
    const std::optional<Sample> one_row = sample_of(rows(batches[0]));
    const std::optional<Sample> several_rows = sample_of(rows(batches[1]));
    measure_stages();
    measure_turns();
    if (host_) measure_after_writing();
    if (!host_) measure_large_transfers();
    make_lines();
    measure_lines();
    compare_lines();
    if (host_) compare_lines_of_host();
    measure_small_stages_again();
    measure_lines();
    measure_slowdowns();
    if (host_) measure_maps();
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
    return static_cast<double>(fewest_rounds + 1) * once < seconds_left;
  }

  // Nothing where no time is left for a further kernel, which is compiled here unless a cache has it.
  std::optional<Sample> sample_of(const Transform& transform) {
    if (compiled_seconds_ > (gpu_ ? compiling : compiling_on_cpus)) return std::nullopt;
    const auto start = Clock::now();
    std::optional<Sample> sample(std::in_place, device_, transform, memory_);
    compiled_seconds_ += seconds_since(start);
    return sample;
  }

  // Making a plan does not count: some drivers compile its kernel once more for groups of another size.
  void measure_stages() {
    double spent = 0;
    std::vector<plan::SizeCurve::Point> points;
    for (const std::size_t batch : batches) {
      const std::uint64_t bytes = batch * row_bytes / 2;
      if (!points.empty() && !(fits(bytes) && in_time(points.back(), 2 * bytes, stage_budget - spent))) break;
      Sample sample(device_, rows(batch), memory_);
      const auto start = Clock::now();
      points.push_back({sample.bytes(), sample.in_a_row()});
      spent += seconds_since(start);
    }
    profile_.stage = plan::SizeCurve(std::move(points));
  }

  void measure_small_stages_again() {
    std::vector<plan::SizeCurve::Point> points = profile_.stage.points();
    for (std::size_t i = 0; i < std::min(few_batches, points.size()); ++i) {
      points[i].seconds = std::min(points[i].seconds, Sample(device_, rows(batches[i]), memory_).in_a_row());
    }
    profile_.stage = plan::SizeCurve(std::move(points));
  }

  // What is waited for: executions of one line and of several, and small transfers.
  void measure_turns() {
    std::vector<Sample> samples;
    for (const std::size_t batch : {batches[0], batches[1]}) samples.emplace_back(device_, rows(batch), memory_);
    std::vector<Transfer> transfers;
    for (const std::uint64_t bytes : small_transfers) {
      if (!host_) transfers.emplace_back(memory_, bytes);
    }
    std::vector<std::vector<double>> alone(samples.size());
    const auto start = Clock::now();
    const double budget = host_ ? 0 : turns_budget;
    for (std::size_t turn = 0; turn < fewest_rounds || seconds_since(start) < budget; ++turn) {
      for (std::size_t i = 0; i < samples.size(); ++i) {
        for (std::size_t j = 0; j < turn_length; ++j) alone[i].push_back(samples[i].seconds(1));
      }
      for (Transfer& transfer : transfers) {
        for (std::size_t i = 0; i < turn_length; ++i) transfer.run();
      }
    }
    measure_small_stages_again();
    std::vector<double> waits;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double in_a_row = profile_.stage.seconds(static_cast<double>(samples[i].bytes()));
      for (const double seconds : alone[i]) waits.push_back(std::max(seconds - in_a_row, 0.0));
    }
    profile_.wait_seconds = median(std::move(waits));
    for (const Transfer& transfer : transfers) {
      to_.push_back(transfer.to());
      from_.push_back(transfer.from());
    }
  }

  void measure_after_writing() {
    std::vector<plan::SizeCurve::Point> points;
    for (const std::size_t batch : written_batches) {
      const Sample sample(device_, rows(batch), memory_);
      const double others = profile_.stage.seconds(static_cast<double>(sample.bytes()));
      points.push_back({sample.bytes() / 2, std::max(sample.after_writing() - others, shortest_seconds)});
    }
    profile_.after_writing = plan::SizeCurve(std::move(points));
  }

  void measure_large_transfers() {
    const auto start = Clock::now();
    for (const std::uint64_t bytes : large_transfers) {
      if (!(fits(bytes) && in_time(to_.back(), 2 * bytes, transfer_budget - seconds_since(start)))) break;
      Transfer transfer(memory_, bytes);
      for (std::size_t round = 0; round < fewest_rounds; ++round) transfer.run();
      to_.push_back(transfer.to());
      from_.push_back(transfer.from());
    }
    profile_.to_device = plan::SizeCurve(std::move(to_));
    profile_.from_device = plan::SizeCurve(std::move(from_));
  }

  void make_lines() {
    if (host_) {
      for (const std::size_t length : single_lines)
        lines_.emplace_back(device_, Transform{.lengths = {length}}, memory_);
    } else if (!gpu_) {
      if (std::optional<Sample> line = sample_of({.lengths = {single_line}})) lines_.push_back(std::move(*line));
    }
  }

  // Twice, with others between: where threads sleep, whole runs of small ones may be slow.
  void measure_lines() {
    if (lines_.empty()) return;
    const auto& [row_size, launch] = profile_.stage.points().front();
    std::vector<plan::SizeCurve::Point> points{{row_size, shortest_seconds}};
    for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
      const double before = profile_.line.points().empty() ? INFINITY : profile_.line.points()[points.size()].seconds;
      points.push_back({line->bytes(), std::min(before, std::max(line->in_a_row() - launch, shortest_seconds))});
    }
    const plan::SizeCurve::Point longest = points.back();
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const double share = static_cast<double>(points[i].bytes) / static_cast<double>(longest.bytes);
      points[i].seconds = std::max(points[i].seconds, longest.seconds * std::pow(share, steepest));
    }
    profile_.line = plan::SizeCurve(std::move(points));
  }

  // `otherwise` is the slowdown where no time was left to compile these lines, or others take no longer than a launch:
  // 1 where there is none.
  struct Compared {
    double* slowdown;
    const double* otherwise;
    std::optional<Comparison> lines;
  };

  void compare(double& slowdown, std::optional<Comparison> lines, const double* otherwise = nullptr) {
    if (lines) lines->run();
    compared_.push_back({&slowdown, otherwise, std::move(lines)});
  }

  [[nodiscard]] std::size_t turn() const { return host_ ? host_turn : gpu_ ? gpu_turn : 1; }
  [[nodiscard]] std::size_t points() const { return gpu_ ? points_of_gpu : compared_points; }

  [[nodiscard]] Comparison comparison(Sample sample, Sample reference) const {
    return {std::move(sample), std::move(reference), turn()};
  }

  std::optional<Comparison> beside_rows(const Transform& transform) {
    std::optional<Sample> sample = sample_of(transform);
    if (!sample) return std::nullopt;
    Sample reference(device_, rows(sample->bytes() / row_bytes), memory_);
    return comparison(std::move(*sample), std::move(reference));
  }

  // Of the host beside rows of the same length, where other kernels cost nothing: what longer lines compute counts
  // there.
  std::optional<Comparison> columns(std::size_t length, bool aligned = false) {
    const std::size_t count = points() / length;
    const Transform transform{.lengths = {length, count}, .axes = {0}};
    if (!host_) return beside_rows(transform);
    return comparison(Sample(device_, transform, memory_, aligned),
                      Sample(device_, {.lengths = {length}, .batch = count}, memory_, aligned));
  }

  // That read and write so many bytes together.
  std::optional<Comparison> short_lines(std::size_t length, double bytes) {
    if (!fits(static_cast<std::uint64_t>(bytes / 2))) return std::nullopt;
    return beside_rows({.lengths = {length}, .batch = static_cast<std::size_t>(bytes) / (length * point_bytes)});
  }

  void compare_lines() {
    if (!fits(points() * point_bytes / 2)) return;
    plan::DeviceProfile& profile = profile_;
    compare(profile.long_strided_slowdown, columns(plan::column_length));
    compare(profile.short_slowdown, short_lines(plan::short_length, plan::few_short_bytes));
    compare(profile.many_short_slowdown, short_lines(plan::short_length, plan::many_short_bytes),
            &profile.short_slowdown);
    compare(profile.strided_slowdown, columns(plan::reference_length));
    if (device_.info().limits.float64) {
      compare(profile.double_slowdown, beside_rows(rows(points() / 2 / plan::reference_length, Precision::float64)));
    }
    compare(profile.shortest_slowdown, short_lines(plan::shortest_length, plan::few_short_bytes),
            &profile.short_slowdown);
  }

  // The maps are those of cosine transforms, beside complex rows of as many bytes: two of each number, for reals.
  void compare_lines_of_host() {
    compare(profile_.aligned_strided_slowdown, columns(plan::column_length, true));
    compare(profile_.cached_strided_slowdown,
            beside_rows({.lengths = {plan::reference_length, cached_lines}, .axes = {0}}));
    compare(cosine_row_slowdown_, beside_rows(cosine_rows()));
    compare(cosine_column_slowdown_, beside_rows(cosine_columns()));
  }

  // Once more, with others between: all turns of one visit may be disturbed.
  void measure_slowdowns() {
    const double launch = profile_.stage.points().front().seconds + profile_.wait_seconds / static_cast<double>(turn());
    for (auto& [slowdown, otherwise, lines] : compared_) {
      *slowdown = otherwise == nullptr ? 1 : *otherwise;
      if (!lines) continue;
      lines->run();
      *slowdown = lines->slowdown(launch).value_or(*slowdown);
    }
  }

  // Operations that a number made by a map takes as long as, where so much of such lines was that of the rows beside
  // them.
  static double mapping(double slowdown, const plan::StageWork& rows, const plan::StageWork& mapped) {
    return std::max((slowdown * rows.operations - mapped.operations) / mapped.mapped, least_mapping);
  }

  void measure_maps() {
    const auto work = [&](const Transform& transform) {
      return plan::work_of(Problem{.transform = transform}, device_.limits()).stages.front();
    };
    const plan::StageWork reference = work(rows(cached_lines));
    profile_.row_mapping = mapping(cosine_row_slowdown_, reference, work(cosine_rows()));
    profile_.column_mapping =
        mapping(cosine_column_slowdown_ / profile_.cached_strided_slowdown, reference, work(cosine_columns()));
  }

  Device device_;
  bool host_;
  bool gpu_;
  SampleMemory memory_{device_};
  double compiled_seconds_ = 0;
  std::vector<Sample> lines_;
  std::vector<plan::SizeCurve::Point> to_;
  std::vector<plan::SizeCurve::Point> from_;
  plan::DeviceProfile profile_;
  std::vector<Compared> compared_;  // whose results are those of the profile and these two
  double cosine_row_slowdown_ = 1;
  double cosine_column_slowdown_ = 1;
};

}  // namespace

plan::DeviceProfile measure_profile(const Device& device) { return Measurement(device).run(); }

}  // namespace twiddle::tuning
