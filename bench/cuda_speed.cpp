// Times forward transforms in place on a CUDA device in turns with cuFFT and VkFFT: lists of problems, batches that
// fill the card, and each stage of a plan. Single problems: `twiddle bench --device cuda --peer cufft,vkfft`.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cuda_contest.hpp"
#include "cuda_report.hpp"
#include "measurement.hpp"
#include "plan/lower/lower.hpp"
#include "shared_work.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::bench {
namespace {

constexpr std::size_t room = std::size_t{600} << 20;

struct Options {
  std::vector<std::string> sizes;
  std::vector<std::string> cases;
  std::vector<std::string> types;
  std::vector<std::string> peers{"cufft"};
  std::string peers_folder = ".";
  std::string csv;
  SharedWork work{.rounds = 11};
  bool stages = false;
};

// As many arrays as make 512 MiB of complex data, half of that where they are real.
Problem batch_of(const std::string& type, const std::string& size) {
  Problem problem{{}, Direction::forward, Placement::in_place};
  Transform& transform = problem.transform;
  transform.lengths = parse_lengths(size);
  transform.kind = type == "R2C" ? Kind::r2c : Kind::c2c;
  transform.precision = type == "Z2Z" ? Precision::float64 : Precision::float32;
  const std::size_t element_bytes = type == "Z2Z" ? 16 : 8;
  const std::size_t bytes = element_bytes * array_elements(transform);
  transform.batch = std::max<std::size_t>(1, (std::size_t{512} << 20) / bytes);
  return problem;
}

std::string type_of(const Problem& problem) {
  const bool doubles = problem.transform.precision == Precision::float64;
  return problem.transform.kind == Kind::r2c ? (doubles ? "D2Z" : "R2C") : (doubles ? "Z2Z" : "C2C");
}

std::vector<Problem> chosen_problems(const Options& options) {
  const auto listed = [](const std::vector<std::string>& texts, const std::string& text) {
    return texts.empty() || std::ranges::find(texts, text) != texts.end();
  };
  std::vector<Problem> problems;
  for (const std::string& file : options.cases) {
    std::ranges::copy_if(read_problems(file), std::back_inserter(problems), [&](const Problem& problem) {
      return listed(options.types, type_of(problem)) && listed(options.sizes, to_text(problem.transform.lengths));
    });
  }
  if (options.cases.empty()) {
    for (const std::string& size : options.sizes) {
      for (const char* type : {"C2C", "R2C", "Z2Z"}) {
        if (listed(options.types, type)) problems.push_back(batch_of(type, size));
      }
    }
  }
  // One precision after the other, since the data is made for it.
  std::stable_partition(problems.begin(), problems.end(),
                        [](const Problem& problem) { return problem.transform.precision != Precision::float64; });
  return options.work.share_of(problems);
}

void print_missing(const std::string& peer, const std::string& reason) {
  fmt::print(std::cerr, "without {}: {}\n", peer, reason);
}

void print_stages(const Device& device, const Problem& problem) {
  const Plan plan(device, problem.transform);
  Buffer data(device, std::max(plan.input_bytes(Direction::forward, Placement::in_place),
                               plan.output_bytes(Direction::forward, Placement::in_place)));
  plan.execute(Direction::forward, data);
  Profile profile;
  plan.execute(Direction::forward, data, &profile);
  const DeviceLimits& limits = device.info().limits;
  const plan::Program program = plan::lower(plan::make_recipe(problem.transform, limits), problem.transform,
                                            Direction::forward, Placement::in_place, limits);
  std::size_t launch = 0;
  for (std::size_t i = 0; i < program.stages.size(); ++i, ++launch) {
    if (const auto joined = plan::joined_text(program, i)) {
      fmt::print("    {:8.4f} ms  {}\n", profile[launch].milliseconds, *joined);
      fmt::print("                 {}\n", plan::to_string(program.stages[i]));
      fmt::print("                 {}\n", plan::to_string(program.stages[++i]));
      continue;
    }
    fmt::print("    {:8.4f} ms  {}\n", profile[launch].milliseconds, plan::to_string(program.stages[i]));
  }
}

// Whether every problem had a right result of twiddle's.
bool run(const Options& options) {
  const Device device = Device::open(options.work.device);
  CudaContest contest(device, open_cuda_peers(options.peers, options.peers_folder, print_missing), room);
  CudaReport report(device, contest, options.work.rounds, options.csv);
  bool all_right = true;
  for (const Problem& problem : chosen_problems(options)) {
    try {
      if (options.work.compile_only) {
        contest.compile(problem);
        continue;
      }
      const CudaResult result = contest.measure(problem, options.work.rounds);
      report.add(result);
      all_right = all_right && result.entries.front().complaint.empty();
      if (options.stages) print_stages(device, problem);
    } catch (const Error& error) {
      all_right = false;
      fmt::print("{} {}\n", to_string(problem), error.what());
    }
  }
  return all_right;
}

}  // namespace
}  // namespace twiddle::bench

int main(int argc, char** argv) {
  namespace bench = twiddle::bench;
  bench::Options options;
  CLI::App app{"Times forward transforms in place on a CUDA device, in turns with other libraries"};
  app.add_option("sizes", options.sizes,
                 "sizes such as 1024 or 1080x1920, in batches of 512 MiB; with --cases, those of its problems");
  app.add_option("--type", options.types, "C2C, R2C or Z2Z (default: all)")->allow_extra_args(false);
  app.add_option("--peer", options.peers, "cufft, vkfft, serial, or several joined by commas (default: cufft)")
      ->delimiter(',');
  app.add_option("--peers-folder", options.peers_folder,
                 "where libtwiddle_peer_vkfft_cuda.so is, unless beside the program");
  app.add_option("--cases", options.cases, "file with a problem a line, such as one written by --csv")
      ->allow_extra_args(false);
  app.add_option("--csv", options.csv, "write the figures to this file");
  app.add_flag("--stages", options.stages, "show each stage's kernel shape and time");
  bench::add_shared_options(app, options.work, "problems");
  return bench::run_program(app, argc, argv, [&] { return bench::run(options); });
}
