// Processor time of NVIDIA's run-time compiler for the kernels of problems, and what it makes of them: most of what a
// plan through CUDA takes with empty caches. No GPU is needed. Ways to compute a problem other than its plan's may be
// named behind it, as in a file of twiddle_bench_candidates (cuda/candidate.hpp).
#include <fmt/format.h>
#include <nvrtc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <regex>
#include <string>
#include <vector>

#include "candidate.hpp"
#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "plan/shape/joined.hpp"
#include "shared_work.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> lines;
  std::string limits = "nvidia-cuda";
  std::size_t times = 3;
  SharedWork work;
};

// Of one or more kernels.
struct Compilation {
  double milliseconds = 0;  // of processor time, the least of several
  int registers = 0;        // of a work-item, the most
  int spilled = 0;          // bytes, the most
};

double processor_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

int number_after(const std::string& log, const char* pattern) {
  std::smatch match;
  return std::regex_search(log, match, std::regex(pattern)) ? std::stoi(match[1]) : 0;
}

void check(nvrtcResult result, const std::string& activity) {
  if (result != NVRTC_SUCCESS) throw Error(fmt::format("{}: {}", activity, nvrtcGetErrorString(result)));
}

// As the CUDA engine compiles, for compute capability 9.0, but that the assembler says what it took.
Compilation compile(const std::string& text) {
  nvrtcProgram program = nullptr;
  check(nvrtcCreateProgram(&program, text.c_str(), "kernel.cu", 0, nullptr, nullptr), "nvrtcCreateProgram");
  const std::vector<const char*> options{"--gpu-architecture=sm_90", "--std=c++17", "--ptxas-options=-v"};
  const double begin = processor_milliseconds();
  const nvrtcResult result = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  const double end = processor_milliseconds();
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  nvrtcDestroyProgram(&program);
  check(result, log);
  return {end - begin, number_after(log, "Used ([0-9]+) registers"), number_after(log, "([0-9]+) bytes spill stores")};
}

std::vector<std::string> texts_of(const plan::Program& program) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < program.stages.size(); ++i) {
    const bool joined = plan::are_one_launch(program, i);
    texts.push_back(joined ? kernel::two_stage_kernel(program, kernel::Dialect::cuda).text
                           : kernel::stage_kernel(program.stages[i], kernel::Dialect::cuda).text);
    if (joined) ++i;
  }
  return texts;
}

std::string shape_of(const plan::Stage& stage) {
  std::string radices;
  for (const unsigned radix : stage.radices) radices += fmt::format("{}{}", radices.empty() ? "" : ".", radix);
  return fmt::format("{}/{}x{}{}", radices, stage.shape.items_per_transform, stage.shape.transforms_per_group,
                     stage.shape.same_way_back ? " back=same" : "");
}

plan::Program program_of(const Candidate& candidate, const DeviceLimits& limits) {
  if (!candidate.way.empty()) return candidate_program(candidate, limits);
  const auto& [transform, direction, placement] = candidate.problem;
  return plan::lower(plan::make_recipe(transform, limits), transform, direction, placement, limits);
}

void report(const Candidate& candidate, const DeviceLimits& limits, std::size_t times) {
  const plan::Program program = program_of(candidate, limits);
  Compilation all;
  const std::vector<std::string> texts = texts_of(program);
  for (const std::string& text : texts) {
    Compilation least = compile(text);
    for (std::size_t i = 1; i < times; ++i)
      least.milliseconds = std::min(least.milliseconds, compile(text).milliseconds);
    all.milliseconds += least.milliseconds;
    all.registers = std::max(all.registers, least.registers);
    all.spilled = std::max(all.spilled, least.spilled);
  }
  fmt::print("{},{},{},{:.0f},{},{}", to_string(candidate.problem), candidate.way.empty() ? "plan" : candidate.way,
             texts.size(), all.milliseconds, all.registers, all.spilled);
  for (const plan::Stage& stage : program.stages) fmt::print(",{}", shape_of(stage));
  fmt::print("\n");
  std::fflush(stdout);
}

bool run(const Options& options) {
  const DeviceLimits limits = plan::named_limits(options.limits);
  std::vector<Candidate> candidates;
  if (!options.file.empty()) candidates = read_candidates(options.file);
  for (const std::string& line : options.lines) candidates.push_back(parse_candidate(line));
  static_cast<void>(compile("__global__ void nothing() {}"));  // the compiler's own beginning is not counted
  fmt::print("problem,way,kernels,ms,registers,spilled,shapes\n");
  bool all_right = true;
  for (const Candidate& candidate : options.work.share_of(candidates)) {
    try {
      report(candidate, limits, options.times);
    } catch (const Error& error) {
      fmt::print("{},{},{}\n", to_string(candidate.problem), candidate.way, error.what());
      all_right = false;
    }
  }
  return all_right;
}

}  // namespace
}  // namespace twiddle::bench

int main(int argc, char** argv) {
  namespace bench = twiddle::bench;
  bench::Options options;
  CLI::App app{"Processor time of NVRTC for the kernels of problems, in milliseconds, with their registers and shapes"};
  app.add_option("lines", options.lines, "a problem, or one and another way to compute it, each");
  app.add_option("--file", options.file, "the same in the lines of a file");
  app.add_option("--limits", options.limits, "of the device that is planned for")->capture_default_str();
  app.add_option("--times", options.times, "compilations, of which the one that takes least counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  bench::add_share_options(app, options.work, "problems");
  return bench::run_program(app, argc, argv, [&] { return bench::run(options); });
}
