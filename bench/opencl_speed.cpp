// Times forward transforms in place on an OpenCL device, beside the device's copy rate and figures of another library.
// Every problem's result is checked before it is timed.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <span>
#include <vector>

#include "baseline.hpp"
#include "cuda_report.hpp"
#include "forward_data.hpp"
#include "measurement.hpp"
#include "opencl_copy.hpp"
#include "plan/lower/lower.hpp"
#include "plan/lower/stage.hpp"
#include "sampled_spectrum.hpp"
#include "shared_work.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::bench {
namespace {

constexpr std::size_t executions_per_round = 10;  // submitted together, unless they would overflow

struct Options {
  std::vector<std::string> problems;
  std::vector<std::string> cases;
  std::size_t mebibytes = 512;
  std::vector<std::string> baselines;
  std::string csv;
  SharedWork work{.device = "opencl", .rounds = 15};
  bool stages = false;
};

const std::vector<std::string> default_problems{
    "16",      "32",    "64",    "128",   "256",    "512",     "1024",      "2048",      "4096",
    "8192",    "16384", "32768", "65536", "131072", "262144",  "524288",    "1048576",   "2097152",
    "4194304", "500",   "720",   "1000",  "1080",   "1200",    "1920",      "2000",      "2187",
    "3000",    "3600",  "5000",  "6000",  "10000",  "256x256", "1024x1024", "4096x4096", "1080x1920"};

struct Result {
  double event_milliseconds = 0;  // sum of the stages' own times
  double wall_milliseconds = 0;   // per execution, of several submitted together: the median
  double spread = 0;              // half the distance of the quartiles, relative to that
  std::vector<ProfileEntry> stages;
  double error = 0;
};

// A size: a batch of complex floats; else a problem as all programs take it.
Problem problem_of(const std::string& text, std::size_t bytes) {
  if (text.find(':') != std::string::npos) return parse_problem(text);
  Problem problem{{.lengths = parse_lengths(text)}, Direction::forward, Placement::in_place};
  Transform& transform = problem.transform;
  transform.batch = std::max<std::size_t>(1, bytes / sizeof(std::complex<float>) / array_elements(transform));
  validate(transform);
  return problem;
}

std::vector<Problem> chosen_problems(const Options& options) {
  std::vector<Problem> problems;
  const bool listed = !options.problems.empty() || !options.cases.empty();
  for (const std::string& text : listed ? options.problems : default_problems) {
    problems.push_back(problem_of(text, options.mebibytes << 20U));
  }
  for (const std::string& file : options.cases) {
    std::ranges::copy(read_problems(file), std::back_inserter(problems));
  }
  return options.work.share_of(problems);
}

class Bench {
 public:
  // For problems whose data is no more bytes than that.
  Bench(const Device& device, std::size_t most_bytes) : device_(device), most_bytes_(most_bytes) {}

  void compile(const Problem& problem) const {
    Plan(device_, problem.transform).prepare(Direction::forward, Placement::in_place);
  }

  Result measure(const Problem& problem, std::size_t rounds) {
    const Transform& transform = problem.transform;
    if (problem.direction != Direction::forward || problem.placement != Placement::in_place) {
      throw Unsupported("expected a forward transform in place");
    }
    const std::size_t bytes = data_bytes(transform);
    const Plan plan(device_, transform);
    // Out of place: refills the data without leaving the device.
    const Plan copy(device_, {.lengths = {1}, .batch = bytes / sizeof(std::complex<float>)});
    fill(transform.precision);
    Buffer original(device_, bytes);
    original.write_bytes(std::span(numbers_).first(bytes));
    Buffer data(device_, bytes);
    Result result;
    copy.forward(original, data);
    plan.execute(Direction::forward, data);
    result.error = error_of(data, transform);

    const std::size_t executions = std::min(executions_per_round, most_forward_executions(transform));
    std::vector<double> walls;
    std::vector<Profile> profiles;
    for (std::size_t round = 0; round < rounds; ++round) {
      copy.forward(original, data);
      Profile profile;
      plan.execute(Direction::forward, data, &profile);
      profiles.push_back(profile);
      copy.forward(original, data);
      device_.synchronize();
      const auto start = Clock::now();
      for (std::size_t i = 0; i < executions; ++i) plan.execute(Direction::forward, data);
      device_.synchronize();
      walls.push_back(1e3 * seconds_since(start) / static_cast<double>(executions));
    }
    result.wall_milliseconds = median(walls);
    result.spread = relative_spread(walls);
    for (std::size_t stage = 0; stage < profiles.front().size(); ++stage) {
      std::vector<double> times;
      for (const Profile& profile : profiles) times.push_back(profile[stage].milliseconds);
      result.stages.push_back({profiles.front()[stage].step, median(times)});
      result.event_milliseconds += result.stages.back().milliseconds;
    }
    return result;
  }

 private:
  // Makes the numbers of all problems of a precision.
  void fill(Precision precision) {
    if (precision == filled_with_) return;
    filled_with_ = precision;
    const auto take = [&](const auto& numbers) {
      const std::span<const std::byte> bytes = std::as_bytes(std::span(numbers));
      numbers_.assign(bytes.begin(), bytes.end());
      values_.assign(numbers.begin(), numbers.end());
    };
    if (precision == Precision::float64) return take(make_input<double>(most_bytes_ / sizeof(double)));
    take(make_input<float>(most_bytes_ / sizeof(float)));
  }

  [[nodiscard]] double error_of(const Buffer& data, const Transform& transform) {
    output_.resize(data_bytes(transform));
    data.read_bytes(std::span(output_));
    const SampledSpectrum spectrum = expected_spectrum(transform, values_);
    const std::size_t element_bytes = 2 * plan::scalar_bytes(transform.precision);
    return spectrum.error([&](std::size_t array, std::size_t element) {
      const std::size_t index = array * spectrum.output_size() + element;
      return complex_at(output_.data() + index * element_bytes, transform.precision);
    });
  }

  const Device& device_;
  std::size_t most_bytes_;
  std::vector<std::byte> numbers_;  // as they stand in memory, in the precision filled_with_
  std::vector<double> values_;      // the same
  Precision filled_with_ = Precision::float16;
  std::vector<std::byte> output_;
};

void print_stages(const Device& device, const Problem& problem, const Result& result) {
  const Transform& transform = problem.transform;
  const DeviceLimits& limits = device.info().limits;
  const plan::Program program = plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward,
                                            plan::Placement::in_place, limits);
  for (std::size_t i = 0; i < program.stages.size(); ++i) {
    fmt::print("    {:8.4f} ms {:6.0f} GB/s  {}\n", result.stages[i].milliseconds,
               least_bytes(transform) / result.stages[i].milliseconds * 1e-6, plan::to_string(program.stages[i]));
  }
}

// Whether every problem had a right result.
bool run(const Options& options) {
  const Device device = Device::open(options.work.device);
  if (device.info().backend != BackendKind::opencl) throw InvalidArgument("expected an OpenCL device");
  const std::vector<Problem> problems = chosen_problems(options);
  std::size_t most_bytes = 0;
  for (const Problem& problem : problems) most_bytes = std::max(most_bytes, data_bytes(problem.transform));
  Bench bench(device, most_bytes);
  if (options.work.compile_only) {
    for (const Problem& problem : problems) bench.compile(problem);
    return true;
  }
  const Baseline baseline(options.baselines);
  const double copy_rate =
      copy_gigabytes_per_second(device.info().index, options.mebibytes << 20U, options.work.rounds);
  const std::string note = fmt::format("{}, {}; copy {:.0f} GB/s of {} MiB; median of {}", device.info().name,
                                       device.info().driver, copy_rate, options.mebibytes, options.work.rounds);
  fmt::print("{}\n{:<32} {:>9} {:>9} {:>5} {:>7} {:>6} {:>9} {:>9}\n", note, "problem", "event ms", "wall ms", "+-%",
             "GB/s", "copy", "baseline", "error");
  std::ofstream csv;
  if (!options.csv.empty()) {
    csv.open(options.csv);
    fmt::print(csv, "# {}\nproblem,ms,spread,error,gbps,fraction_of_copy,event_ms,ratio_to_baseline\n", note);
  }
  bool all_right = true;
  for (const Problem& problem : problems) {
    const std::string name = to_string(problem);
    try {
      const Result result = bench.measure(problem, options.work.rounds);
      const double rate = least_bytes(problem.transform) / result.wall_milliseconds * 1e-6;
      const auto other = baseline.gigabytes_per_second(problem.transform);
      const std::string ratio = other ? fmt::format("{:.2f}", rate / *other) : "-";
      const bool right = result.error < accepted_error(problem.transform.precision);  // false for not-a-number
      all_right = all_right && right;
      fmt::print("{:<32} {:>9.4f} {:>9.4f} {:>5.1f} {:>7.0f} {:>6.3f} {:>9} {:>9.2g}{}\n", name,
                 result.event_milliseconds, result.wall_milliseconds, 100 * result.spread, rate, rate / copy_rate,
                 ratio, result.error, right ? "" : "  WRONG");
      if (options.stages) print_stages(device, problem, result);
      if (csv.is_open()) {
        fmt::print(csv, "{},{:.5f},{:.4f},{:.3g},{:.1f},{:.4f},{:.5f},{}\n", name, result.wall_milliseconds,
                   result.spread, result.error, rate, rate / copy_rate, result.event_milliseconds, ratio);
      }
    } catch (const Error& error) {
      all_right = false;
      fmt::print("{:<32} {}\n", name, error.what());
    }
    std::fflush(stdout);
  }
  return all_right;
}

}  // namespace
}  // namespace twiddle::bench

int main(int argc, char** argv) {
  namespace bench = twiddle::bench;
  bench::Options options;
  CLI::App app{"Times forward transforms in place on an OpenCL device"};
  app.add_option("problems", options.problems,
                 "sizes such as 1024 or 1080x1920, of which a batch fills the memory, or problems such as "
                 "r2c:f64:64*1000:inplace (default: a list of both kinds of sizes)");
  app.add_option("--cases", options.cases, "file with a problem a line, such as one written by --csv")
      ->allow_extra_args(false);
  app.add_option("--mebibytes", options.mebibytes, "data that the batch of each size fills")->capture_default_str();
  app.add_option("--baseline", options.baselines,
                 "CSV file of another library's figures; of several, the first with a row counts")
      ->allow_extra_args(false);
  app.add_option("--csv", options.csv, "write the figures to this file");
  app.add_flag("--stages", options.stages, "show each stage's kernel shape and time");
  bench::add_shared_options(app, options.work, "problems");
  return bench::run_program(app, argc, argv, [&] { return bench::run(options); });
}
