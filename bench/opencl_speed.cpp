// Times forward transforms in place on an OpenCL device, beside the device's copy rate and figures of another library.
// Every problem's result is checked before it is timed.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <vector>

#include "baseline.hpp"
#include "measurement.hpp"
#include "opencl_copy.hpp"
#include "plan/lower/lower.hpp"
#include "sampled_spectrum.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::bench {
namespace {

constexpr double accepted_error = 1e-6;
constexpr std::size_t executions_per_round = 10;  // submitted together; more would overflow, since nothing is scaled

struct Options {
  std::string device = "opencl";
  std::vector<std::string> problems;
  std::size_t mebibytes = 512;
  std::size_t rounds = 15;
  std::vector<std::string> baselines;
  std::string csv;
  bool stages = false;
};

const std::vector<std::string> default_problems{
    "16",      "32",    "64",    "128",   "256",    "512",     "1024",      "2048",      "4096",
    "8192",    "16384", "32768", "65536", "131072", "262144",  "524288",    "1048576",   "2097152",
    "4194304", "500",   "720",   "1000",  "1080",   "1200",    "1920",      "2000",      "2187",
    "3000",    "3600",  "5000",  "6000",  "10000",  "256x256", "1024x1024", "4096x4096", "1080x1920"};

struct Result {
  double event_milliseconds = 0;  // sum of the stages' own times
  double wall_milliseconds = 0;   // per execution, of several submitted together
  std::vector<ProfileEntry> stages;
  double error = 0;
};

Transform parse_problem(const std::string& text, std::size_t bytes) {
  Transform transform{.lengths = parse_lengths(text)};
  transform.batch = std::max<std::size_t>(1, bytes / sizeof(std::complex<float>) / array_elements(transform));
  validate(transform);
  return transform;
}

double sampled_error(const Transform& transform, const std::vector<std::complex<float>>& input,
                     const std::vector<std::complex<float>>& output) {
  SampledSpectrum spectrum(transform);
  const std::size_t size = array_elements(transform);
  for (const std::size_t array : spectrum.arrays()) {
    const auto first = input.begin() + static_cast<std::ptrdiff_t>(array * size);
    spectrum.add(array, {first, first + static_cast<std::ptrdiff_t>(size)});
  }
  return spectrum.error(
      [&](std::size_t array, std::size_t element) { return std::complex<double>(output[array * size + element]); });
}

Result measure(const Device& device, const Transform& transform, const Options& options) {
  const std::size_t count = total_elements(transform);
  const std::vector<float> scalars = make_input<float>(2 * count);
  std::vector<std::complex<float>> input(count);
  for (std::size_t i = 0; i < count; ++i) input[i] = {scalars[2 * i], scalars[2 * i + 1]};
  Buffer original = Buffer::of<std::complex<float>>(device, count);
  original.write(input);
  Buffer data = Buffer::of<std::complex<float>>(device, count);
  const Plan plan(device, transform);
  const Plan copy(device, {.lengths = {1}, .batch = count});  // out of place: refills `data` without leaving the device

  Result result;
  std::vector<std::complex<float>> output(count);
  copy.forward(original, data);
  plan.forward(data);
  data.read(output);
  result.error = sampled_error(transform, input, output);

  std::vector<double> walls;
  std::vector<Profile> profiles;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    copy.forward(original, data);
    Profile profile;
    plan.execute(Direction::forward, data, &profile);
    profiles.push_back(profile);
    device.synchronize();
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < executions_per_round; ++i) plan.forward(data);
    device.synchronize();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    walls.push_back(elapsed.count() / static_cast<double>(executions_per_round));
  }
  result.wall_milliseconds = median(walls);
  for (std::size_t stage = 0; stage < profiles.front().size(); ++stage) {
    std::vector<double> times;
    for (const Profile& profile : profiles) times.push_back(profile[stage].milliseconds);
    result.stages.push_back({profiles.front()[stage].step, median(times)});
    result.event_milliseconds += result.stages.back().milliseconds;
  }
  return result;
}

double gigabytes_per_second(const Transform& transform, double milliseconds) {
  return 2.0 * sizeof(std::complex<float>) * static_cast<double>(total_elements(transform)) / milliseconds * 1e-6;
}

void print_stages(const Device& device, const Transform& transform, const Result& result) {
  const DeviceLimits& limits = device.info().limits;
  const plan::Program program = plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward,
                                            plan::Placement::in_place, limits);
  for (std::size_t i = 0; i < program.stages.size(); ++i) {
    fmt::print("    {:8.4f} ms {:6.0f} GB/s  {}\n", result.stages[i].milliseconds,
               gigabytes_per_second(transform, result.stages[i].milliseconds), plan::to_string(program.stages[i]));
  }
}

int run(const Options& options) {
  const Device device = Device::open(options.device);
  if (device.info().backend != BackendKind::opencl) throw InvalidArgument("expected an OpenCL device");
  const Baseline baseline(options.baselines);
  const std::size_t bytes = options.mebibytes << 20U;
  const double copy_rate = copy_gigabytes_per_second(device.info().index, bytes, options.rounds);
  fmt::print("{}, {}; copy {:.0f} GB/s of {} MiB; median of {}\n", device.info().name, device.info().driver, copy_rate,
             options.mebibytes, options.rounds);
  fmt::print("{:>12} {:>9} {:>9} {:>9} {:>7} {:>6} {:>9} {:>9}\n", "problem", "batch", "event ms", "wall ms", "GB/s",
             "copy", "baseline", "error");
  std::ofstream csv;
  if (!options.csv.empty()) {
    csv.open(options.csv);
    fmt::print(csv, "problem,batch,event_ms,wall_ms,gbps,fraction_of_copy,ratio_to_baseline,error\n");
  }
  bool all_right = true;
  for (const std::string& problem : options.problems.empty() ? default_problems : options.problems) {
    try {
      const Transform transform = parse_problem(problem, bytes);
      const Result result = measure(device, transform, options);
      const double rate = gigabytes_per_second(transform, result.wall_milliseconds);
      const auto other = baseline.gigabytes_per_second(transform);
      const std::string ratio = other ? fmt::format("{:.2f}", rate / *other) : "-";
      const bool right = result.error < accepted_error;  // false for not-a-number
      all_right = all_right && right;
      fmt::print("{:>12} {:>9} {:>9.4f} {:>9.4f} {:>7.0f} {:>6.2f} {:>9} {:>9.2g}{}\n", problem, transform.batch,
                 result.event_milliseconds, result.wall_milliseconds, rate, rate / copy_rate, ratio, result.error,
                 right ? "" : "  WRONG");
      if (options.stages) print_stages(device, transform, result);
      if (csv.is_open()) {
        fmt::print(csv, "{},{},{:.5f},{:.5f},{:.1f},{:.4f},{},{:.3g}\n", problem, transform.batch,
                   result.event_milliseconds, result.wall_milliseconds, rate, rate / copy_rate, ratio, result.error);
      }
    } catch (const Error& error) {
      all_right = false;
      fmt::print("{:>12} {}\n", problem, error.what());
    }
    std::fflush(stdout);
  }
  return all_right ? 0 : 1;
}

}  // namespace
}  // namespace twiddle::bench

int main(int argc, char** argv) {
  twiddle::bench::Options options;
  CLI::App app{"Times forward transforms in place on an OpenCL device"};
  app.add_option("problems", options.problems, "sizes such as 1024 or 1080x1920 (default: a list of both kinds)");
  app.add_option("--device", options.device, "opencl or opencl:N")->capture_default_str();
  app.add_option("--mebibytes", options.mebibytes, "data that the batch of each problem fills")->capture_default_str();
  app.add_option("--rounds", options.rounds, "measurements of which the median counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--baseline", options.baselines,
                 "CSV file of another library's figures; of several, the first with a row counts")
      ->allow_extra_args(false);
  app.add_option("--csv", options.csv, "write the figures to this file");
  app.add_flag("--stages", options.stages, "show each stage's kernel shape and time");
  CLI11_PARSE(app, argc, argv);
  try {
    return twiddle::bench::run(options);
  } catch (const std::exception& error) {
    fmt::print(std::cerr, "{}\n", error.what());
    return 1;
  }
}
