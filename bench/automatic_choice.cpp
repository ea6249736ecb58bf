// How much is lost by leaving the choice of a device to Device::automatic: the time on the device it chooses beside
// that on the best one, for data that starts and is wanted on the host, and on the other device.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "measurement.hpp"
#include "signal.hpp"
#include "twiddle/automatic.hpp"
#include "twiddle/buffer.hpp"
#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"

namespace {

using namespace twiddle;
using bench::Clock;
using bench::seconds_since;

constexpr double accepted = 1.2;
constexpr std::size_t cache_line = 64;

// In place those whose results do not grow.
const std::vector<std::string> problems{"c2c:f32:16",
                                        "c2c:f32:64*16",
                                        "c2c:f32:4096*16",
                                        "c2c:f32:64",
                                        "c2c:f32:64*64",
                                        "c2c:f32:4096*64",
                                        "c2c:f32:256",
                                        "c2c:f32:64*256",
                                        "c2c:f32:4096*256",
                                        "c2c:f32:1000",
                                        "c2c:f32:64*1000",
                                        "c2c:f32:4096*1000",
                                        "c2c:f32:1024",
                                        "c2c:f32:64*1024",
                                        "c2c:f32:4096*1024",
                                        "c2c:f32:4096",
                                        "c2c:f32:64*4096",
                                        "c2c:f32:4096*4096",
                                        "c2c:f32:16384",
                                        "c2c:f32:65536",
                                        "c2c:f32:1048576",
                                        "c2c:f32:4194304",
                                        "c2c:f32:1009",
                                        "c2c:f32:1000*1009",
                                        "c2c:f32:10007",
                                        "c2c:f32:64x64",
                                        "c2c:f32:256x256",
                                        "c2c:f32:512x512",
                                        "c2c:f32:1000x1000",
                                        "c2c:f32:1024x1024",
                                        "c2c:f32:2048x2048",
                                        "c2c:f32:1080x1920",
                                        "c2c:f32:16*256x256",
                                        "c2c:f32:64x64x64",
                                        "c2c:f32:128x128x128",
                                        "r2c:f32:4096",
                                        "r2c:f32:1024*1024",
                                        "r2c:f32:1080x1920",
                                        "r2c:f32:1048576",
                                        "c2r:f32:1024*1024",
                                        "c2r:f32:512x512",
                                        "c2c:f64:4096*256",
                                        "c2c:f64:1024",
                                        "c2c:f64:1024*1024",
                                        "c2c:f64:1000x1000",
                                        "c2c:f64:1048576",
                                        "r2c:f64:512x512",
                                        "c2c:f32:256*4096:inplace:norm=ortho",
                                        "c2c:f32:1024x1024:inplace:norm=ortho",
                                        "dct2:f32:1024*1024",
                                        "dct2:f32:512x512",
                                        "dct2:f32:262144",
                                        "dct2:f32:1048576",
                                        "c2c:f32:1024x1024:axes=0",
                                        "c2c:f32:256x16384:axes=0",
                                        "c2c:f32:64*65536",
                                        "c2c:f32:8*65536",
                                        "c2c:f32:8*1048576",
                                        "c2c:f32:64*4096:nonzero=2048",
                                        "c2c:f32:100*100x100",
                                        "c2c:f32:30*15015",
                                        "c2c:f32:65536*64"};

// A problem on one device, with its data in host memory and in that of the device.
class Contender {
 public:
  Contender(const Device& device, const Problem& problem)
      : device_(device), problem_(problem), plan_(device, problem.transform) {
    plan_.prepare(problem.direction, problem.placement);
    const std::size_t read = plan_.input_bytes(problem.direction, problem.placement);
    const std::size_t written = plan_.output_bytes(problem.direction, problem.placement);
    in_place_ = problem.placement == Placement::in_place;
    input_ = bench::random_input(problem.transform.precision, in_place_ ? std::max(read, written) : read);
    if (!in_place_) output_.resize(written);
  }

  // Programs have written what they transform: its lines are in the caches, and not in memory yet.
  void write_input() {
    for (std::size_t i = 0; i < input_.size(); i += cache_line) {
      volatile std::byte& byte = input_[i];
      byte = byte;
    }
  }

  // From and to host memory.
  void run_from_host() {
    if (in_place_) return plan_.execute_bytes(problem_.direction, input_);
    plan_.execute_bytes(problem_.direction, std::span<const std::byte>(input_), output_);
  }

  // From and to memory of another device, or of this one.
  void run_from(Buffer& input, Buffer& output, bool own) {
    Buffer& result = in_place_ ? input : output;
    if (own) {
      if (in_place_) {
        plan_.execute(problem_.direction, input);
      } else {
        plan_.execute(problem_.direction, input, output);
      }
      return device_.synchronize();
    }
    input.read_bytes(input_);
    run_from_host();
    result.write_bytes(in_place_ ? input_ : output_);
  }

  [[nodiscard]] std::size_t input_bytes() const { return input_.size(); }
  [[nodiscard]] std::size_t output_bytes() const { return in_place_ ? input_.size() : output_.size(); }
  [[nodiscard]] std::span<const std::byte> input() const { return input_; }

 private:
  Device device_;
  Problem problem_;
  Plan plan_;
  bool in_place_ = false;
  std::vector<std::byte> input_;
  std::vector<std::byte> output_;
};

// Of each repetition, without what comes before it.
template <class Before, class Work>
double timed(std::size_t repetitions, const Before& before, const Work& work) {
  double seconds = 0;
  for (std::size_t i = 0; i < repetitions; ++i) {
    before();
    const auto start = Clock::now();
    work();
    seconds += seconds_since(start);
  }
  return seconds / static_cast<double>(repetitions);
}

struct Times {
  double first = 0;
  double second = 0;
};

// Medians of rounds in turns, so that what disturbs the machine disturbs both; ahead of each execution, what is not
// timed.
template <class BeforeFirst, class First, class BeforeSecond, class Second>
Times compare(double seconds, const BeforeFirst& before_first, const First& first, const BeforeSecond& before_second,
              const Second& second) {
  constexpr double round = 0.002;
  first();
  second();
  const auto repetitions = [&](double once) {
    return std::clamp<std::size_t>(static_cast<std::size_t>(round / std::max(once, 1e-9)), 1, 1000);
  };
  const std::size_t of_first = repetitions(timed(1, before_first, first));
  const std::size_t of_second = repetitions(timed(1, before_second, second));
  std::vector<double> firsts;
  std::vector<double> seconds_of_second;
  const auto start = Clock::now();
  while (firsts.size() < 5 || (firsts.size() < 25 && seconds_since(start) < seconds)) {
    firsts.push_back(timed(of_first, before_first, first));
    seconds_of_second.push_back(timed(of_second, before_second, second));
  }
  return {bench::median(firsts), bench::median(seconds_of_second)};
}

struct Summary {
  std::size_t cases = 0;
  std::size_t within = 0;
  double logarithms = 0;
  double worst = 1;

  void add(const Problem& problem, const char* place, const Times& times, const DeviceComparison& comparison) {
    const bool host = comparison.costs.front().device == "host";
    const double ratio = (host ? times.first : times.second) / std::min(times.first, times.second);
    ++cases;
    within += ratio <= accepted ? 1 : 0;
    logarithms += std::log(ratio);
    worst = std::max(worst, ratio);
    const auto estimate = [&](bool of_host) {
      for (const DeviceCost& cost : comparison.costs) {
        if ((cost.device == "host") == of_host) return cost.execution_milliseconds + cost.transfer_milliseconds;
      }
      return 0.0;
    };
    fmt::print("{:<32} {:<7} {:>10.4f} {:>10.4f} {:>10.4f} {:>10.4f}  {:<7} {:>5.2f}{}\n", to_string(problem), place,
               1e3 * times.first, estimate(true), 1e3 * times.second, estimate(false), host ? "host" : "device", ratio,
               ratio <= accepted ? "" : "  beyond");
    std::fflush(stdout);
  }
};

void measure(const Device& device, const Problem& problem, double seconds, Summary& summary) {
  const std::string name = device_name(device.info());
  const Device host_device = Device::host();
  Contender host(host_device, problem);
  Contender other(device, problem);
  const Times from_host = compare(
      seconds, [&] { host.write_input(); }, [&] { host.run_from_host(); }, [&] { other.write_input(); },
      [&] { other.run_from_host(); });
  summary.add(problem, "host", from_host, compare_devices(problem, {.devices = {name}}));
  Buffer input(device, host.input_bytes());
  Buffer output(device, host.output_bytes());
  input.write_bytes(host.input());
  const auto nothing = [] {};
  const Times from_device = compare(
      seconds, nothing, [&] { host.run_from(input, output, false); }, nothing,
      [&] { other.run_from(input, output, true); });
  summary.add(problem, "device", from_device, compare_devices(problem, {.data = device, .devices = {"host"}}));
}

void compare_all(const std::string& name, const std::vector<std::string>& chosen, double seconds, std::size_t first,
                 std::size_t every) {
  const Device device = Device::open(name);
  fmt::print("{} ({}) beside the host ({}, {} threads)\n", name, device.info().name, Device::host().info().name,
             Device::host().info().limits.compute_units);
  const auto start = Clock::now();
  (void)compare_devices(parse_problem(chosen.front()), {.data = device, .devices = {"host"}});
  fmt::print("profiles read or measured in {:.2f} s\n", seconds_since(start));
  fmt::print("{:<32} {:<7} {:>10} {:>10} {:>10} {:>10}  {:<7} {:>5}\n", "problem", "data on", "host ms", "estimate",
             "device ms", "estimate", "chosen", "loss");
  Summary summary;
  for (std::size_t i = first; i < chosen.size(); i += every) {
    const Problem problem = parse_problem(chosen[i]);
    try {
      measure(device, problem, seconds, summary);
    } catch (const Error& error) {
      fmt::print("{}: {}\n", to_string(problem), error.what());
    }
  }
  fmt::print("{} of {} within {} of the best; geometric mean {:.3f}, worst {:.2f}\n", summary.within, summary.cases,
             accepted, std::exp(summary.logarithms / static_cast<double>(std::max<std::size_t>(summary.cases, 1))),
             summary.worst);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The device that is chosen automatically beside the best one");
  std::vector<std::string> chosen = problems;
  std::string device = "opencl";
  double seconds = 0.2;
  std::size_t first = 0;
  std::size_t every = 1;
  app.add_option("PROBLEM", chosen, fmt::format("Instead of the {} built in", problems.size()));
  app.add_option("--device", device, "The device beside the host")->capture_default_str();
  app.add_option("--seconds", seconds, "For each comparison")->capture_default_str();
  app.add_option("--first", first, "The first problem, counted from 0")->capture_default_str();
  app.add_option("--every", every, "From one problem to the next")->check(CLI::PositiveNumber)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    compare_all(device, chosen, seconds, first, every);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
