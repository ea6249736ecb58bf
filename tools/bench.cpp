// twiddle bench: how fast a device computes problems, on the host beside other libraries.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench_cuda.hpp"
#include "commands.hpp"
#include "contest.hpp"
#include "cuda_peer.hpp"
#include "device_speed.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "results.hpp"
#include "summary.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

struct BenchOptions {
  std::vector<std::string> problems{};
  std::vector<std::string> suites{};
  std::vector<std::string> peers{};
  std::vector<std::size_t> threads{};
  std::string device = "host";
  std::string peers_folder = "build/peers";
  std::string only{};
  std::string csv{};
  std::string plot{};
  bench::FftwPlanning planning = bench::FftwPlanning::measure;
  std::size_t rounds = 0;  // as many as the suite says
  double minutes = 0;      // no end
  bool quick = false;
  bool real_time = false;
  bool summary = false;
};

std::string name_of(const bench::Case& test) {
  return fmt::format("{}, {} thread{}", to_string(test.problem), test.threads, test.threads == 1 ? "" : "s");
}

std::vector<bench::Case> cases_of(const BenchOptions& options) {
  std::vector<bench::Case> cases;
  const std::vector<std::size_t> threads = options.threads.empty() ? std::vector<std::size_t>{1} : options.threads;
  for (const std::string& text : options.problems) {
    for (const std::size_t count : threads) cases.push_back({"", parse_problem(text), count});
  }
  for (const std::string& suite : options.suites) {
    std::ranges::copy_if(bench::make_suite(suite, options.quick), std::back_inserter(cases), [&](const auto& test) {
      return options.threads.empty() || std::ranges::find(options.threads, test.threads) != options.threads.end();
    });
  }
  std::erase_if(cases, [&](const bench::Case& test) { return name_of(test).find(options.only) == std::string::npos; });
  return cases;
}

bench::Effort effort_of(const BenchOptions& options, const bench::Case& test) {
  bench::Effort effort{.real_time = options.real_time};
  if (test.suite == "latency") effort.rounds = options.quick ? 15 : 31;
  if (options.quick) effort.seconds = 0.5;
  if (options.rounds > 0) effort.rounds = options.rounds;
  return effort;
}

// Those of the libraries asked for that are there; the others are named, not silently left out.
std::vector<std::unique_ptr<bench::Library>> open_libraries(const BenchOptions& options) {
  std::vector<std::unique_ptr<bench::Library>> libraries;
  libraries.push_back(bench::own_library());
  for (const std::string& peer : options.peers) {
    try {
      libraries.push_back(bench::open_peer(peer, options.peers_folder, options.planning));
    } catch (const Unsupported& error) {
      fmt::print(stderr, "twiddle: without {}: {}\n", peer, error.what());
    }
  }
  return libraries;
}

void print_entry(const bench::Entry& entry) {
  if (!entry.complaint.empty()) {
    fmt::print("  {:<12} {}\n", entry.library, entry.complaint);
    return;
  }
  fmt::print("  {:<12} {:>12.3f} us [{:.3f} {:.3f}] {:>8.1f} GFLOP/s  x{:.2f} [{:.2f} {:.2f}]  planned in {:.2f} ms\n",
             entry.library, entry.microseconds.median, entry.microseconds.low, entry.microseconds.high, entry.gigaflops,
             entry.ratio.median, entry.ratio.low, entry.ratio.high, entry.planning_milliseconds);
}

// Whether there is time for another case.
class Deadline {
 public:
  explicit Deadline(double minutes) : minutes_(minutes) {}
  [[nodiscard]] bool over() const {
    return minutes_ > 0 &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() > 60 * minutes_;
  }

 private:
  double minutes_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Returns the number of wrong results.
std::size_t run_on_host(const BenchOptions& options, const std::vector<bench::Case>& cases, bench::Results& results) {
  const auto libraries = open_libraries(options);
  std::vector<bench::Library*> contenders;
  std::vector<std::string> names;
  std::string note = Device::host().info().name;
  for (const auto& library : libraries) {
    contenders.push_back(library.get());
    names.push_back(library->name());
    note += fmt::format("; {} {}", library->name(), library->version());
  }
  fmt::print("{}\n", note);
  results.note(note);
  const Deadline deadline(options.minutes);
  std::size_t wrong = 0;
  std::size_t measured = 0;
  for (std::size_t i = 0; i < cases.size() && !deadline.over(); ++i) {
    ++measured;
    if (results.has(cases[i], names)) continue;
    fmt::print("[{}/{}] {}{}{}\n", i + 1, cases.size(), cases[i].suite, cases[i].suite.empty() ? "" : ": ",
               name_of(cases[i]));
    const auto entries = bench::hold_contest(cases[i], contenders, effort_of(options, cases[i]));
    for (const bench::Entry& entry : entries) {
      print_entry(entry);
      if (entry.complaint.starts_with(bench::wrong_result)) ++wrong;
    }
    std::fflush(stdout);
    results.add(cases[i], entries);
  }
  if (measured < cases.size()) fmt::print("{} of {} cases; the same command goes on\n", measured, cases.size());
  return wrong;
}

// In turns with other libraries. Returns the number of wrong results.
std::size_t run_beside_peers(const BenchOptions& options, const std::vector<bench::Case>& cases) {
  const Deadline deadline(options.minutes);
  std::vector<Problem> problems;
  for (const bench::Case& test : cases) {
    if (test.threads == cases.front().threads) problems.push_back(test.problem);  // devices have their own
  }
  return bench_on_cuda({options.device, options.peers, options.peers_folder, options.csv, options.rounds}, problems,
                       [&] { return deadline.over(); });
}

void run_on_device(const BenchOptions& options, const std::vector<bench::Case>& cases) {
  const bool various = is_automatic(options.device);
  std::optional<Device> device;
  if (!various) {
    device = open_device(options.device);
    fmt::print("{}, {}\n", device->info().name, device->info().driver);
  }
  fmt::print("{:<40} {:>10} {:>21} {:>8} {:>8} {:>9} {:>9}\n", "problem", "ms", "quartiles", "GB/s", "of copy",
             "plan ms", "differs");
  const Deadline deadline(options.minutes);
  for (const bench::Case& test : cases) {
    if (deadline.over()) break;
    if (test.threads != cases.front().threads) continue;  // devices have their own
    if (various) device = open_device(options.device, test.problem);
    const bench::DeviceSpeed speed = bench::measure_on(*device, test.problem, effort_of(options, test));
    fmt::print("{:<40} {:>10.4f} [{:>9.4f} {:>9.4f}] {:>8.1f} {:>8.2f} {:>9.1f} {:>9.1e}{}\n", to_string(test.problem),
               speed.milliseconds.median, speed.milliseconds.low, speed.milliseconds.high, speed.gigabytes_per_second,
               speed.gigabytes_per_second / speed.copy_gigabytes_per_second, speed.planning_milliseconds,
               speed.difference, various ? "  " + device_name(device->info()) : "");
    std::fflush(stdout);
  }
}

void run(const BenchOptions& options) {
  if (options.summary && options.csv.empty()) throw UsageError("--summary sums up a file: say --csv FILE");
  const std::vector<bench::Case> cases = cases_of(options);
  if (cases.empty() && !options.summary) {
    throw UsageError(
        "nothing to measure: expected problems, such as c2c:f32:4096*1024, or --suite throughput or latency");
  }
  if (!options.summary && options.device != "host") {
    if (!options.plot.empty()) throw UsageError("--plot is for the host");
    if (options.peers.empty() && options.csv.empty()) {
      run_on_device(options, cases);
    } else if (const std::size_t wrong = run_beside_peers(options, cases); wrong > 0) {
      throw DeviceError(fmt::format("{} results are wrong: see above", wrong));
    }
    return;
  }
  bench::Results results(options.csv);
  const std::size_t wrong = options.summary ? 0 : run_on_host(options, cases, results);
  fmt::print("\n{}", bench::summarize(results.rows()));
  if (!options.plot.empty()) bench::plot(results.rows(), options.plot);
  if (wrong > 0) throw DeviceError(fmt::format("{} results differ from ours: see above", wrong));
}

}  // namespace

void add_bench_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measure the speed of transforms, beside other libraries");
  const auto options = std::make_shared<BenchOptions>();
  command->add_option("PROBLEM", options->problems, "What to measure, such as c2c:f32:4096*1024:inplace");
  command->add_option("--suite", options->suites, "A list of problems: throughput, latency, or both joined by a comma")
      ->delimiter(',')
      ->type_name("NAME");
  command->add_flag("--quick", options->quick, "Some of a suite's problems, in a few minutes");
  command->add_option("--only", options->only, "Only cases whose name contains this, such as 'f32:4096*'")
      ->type_name("TEXT");
  command
      ->add_option("--device", options->device,
                   "Where to compute: host, opencl[:n], cuda[:n], or auto: that which is soonest done from and to the "
                   "host's memory (default: host)")
      ->type_name("NAME");
  command->add_option("--threads", options->threads, "Numbers of threads (default: 1, or what a suite says)")
      ->delimiter(',')
      ->check(positive_number())
      ->type_name("N");
  command
      ->add_option("--peer", options->peers,
                   fmt::format("Libraries to compare with, joined by commas: {}; on a CUDA device {}",
                               fmt::join(bench::peer_names(), ", "), fmt::join(bench::cuda_peer_names(), ", ")))
      ->delimiter(',')
      ->type_name("NAME");
  command
      ->add_option("--peers-folder", options->peers_folder,
                   "Where build_bench_peers.sh left them (default: build/peers)")
      ->type_name("DIR");
  add_choice_option<bench::FftwPlanning>(*command, "--fftw-planning", options->planning,
                                         {{"estimate", bench::FftwPlanning::estimate},
                                          {"measure", bench::FftwPlanning::measure},
                                          {"patient", bench::FftwPlanning::patient}},
                                         "How FFTW plans: estimate, measure (the default) or patient");
  command->add_option("--rounds", options->rounds, "Turns of each library (default: 11; 31 for latency)")
      ->check(positive_number())
      ->type_name("N");
  command->add_flag("--real-time", options->real_time,
                    "Before other programs while it is timed (on the host, as root)");
  command->add_option("--minutes", options->minutes, "Begin no further case after so long")
      ->check(positive_number())
      ->type_name("M");
  command->add_option("--csv", options->csv, "Keep results in this file; what it has already is not measured again")
      ->type_name("FILE");
  command->add_option("--plot", options->plot, "Draw GFLOP/s over length to this .png or .svg (needs gnuplot)")
      ->type_name("FILE");
  command->add_flag("--summary", options->summary, "Measure nothing: sum up the file of --csv, and draw it");
  command->footer(
      "On the host, libraries take turns on the same memory with the same input, planned beforehand; every result is "
      "compared with ours before it is timed. Printed are medians [quartiles], and how many times as long as ours a "
      "library takes. On other devices: our own times, beside the rate of a plan that only copies; on a CUDA device "
      "with "
      "--peer or --csv: forward transforms in place, in turns with the peers, checked by the definition, timed by the "
      "device's events.\n\n"
      "Peers are loaded at run time: fftw and cufft are the system's; scripts/build_bench_peers.sh and the target "
      "twiddle_bench_peers make others.\n\n"
      "Examples:\n"
      "  twiddle bench c2c:f32:4096*1024 r2c:f64:1000 --peer fftw --threads 1,2\n"
      "  twiddle bench dct2:f32:1000*8x8 c2c:f32:64*1024:in=2/batch=2048 --peer fftw,mkl\n"
      "  twiddle bench --suite throughput,latency --quick --peer fftw,mkl --csv host.csv --plot host.png\n"
      "  twiddle bench c2c:f32:64*1000x1000 --device opencl\n"
      "  twiddle bench c2c:f32:67108*1000:inplace --device cuda --peer cufft,vkfft --csv cuda.csv");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
