// Times candidates on a CUDA device in turns with the plans of their problems: what tables of measured choices are made
// of. The candidates are the lines of a file (cuda/candidate.hpp).
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "candidate_contest.hpp"

namespace twiddle::bench {
namespace {

struct Options {
  std::string file;
  std::string device = "cuda";
  std::size_t rounds = 7;
  std::size_t room = 640;  // MiB
  std::size_t first = 0;
  std::size_t every = 1;
  CandidateContest::Checks checks;
  bool compile_only = false;
};

struct Group {
  Problem problem;
  std::vector<std::string> ways;
};

// Candidates of one problem, in the order of its first one.
std::vector<Group> groups_of(const std::vector<Candidate>& candidates) {
  std::vector<Group> groups;
  for (const Candidate& candidate : candidates) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& other) {
      return to_string(other.problem) == to_string(candidate.problem);
    });
    if (group == groups.end()) group = groups.insert(group, {candidate.problem, {}});
    if (!candidate.way.empty()) group->ways.push_back(candidate.way);
  }
  return groups;
}

// Whether no result was wrong.
bool report(const Group& group, const std::vector<CandidateEntry>& entries) {
  bool all_right = true;
  fmt::print("{}\n", to_string(group.problem));
  for (const CandidateEntry& entry : entries) {
    if (entry.complaint.empty()) {
      fmt::print("  {:>9.4f} ms +- {:3.1f} %  x {:.3f}  {:.1e}  {}\n", entry.milliseconds, 100 * entry.spread,
                 entry.milliseconds / entries.front().milliseconds, entry.difference, entry.way);
    } else {
      all_right = false;
      fmt::print("  {}: {}\n", entry.way, entry.complaint);
    }
  }
  std::fflush(stdout);
  return all_right;
}

bool run(const Options& options) {
  const Device device = Device::open(options.device);
  std::vector<Candidate> candidates;
  const std::vector<Candidate> all = read_candidates(options.file);
  for (std::size_t i = options.first; i < all.size(); i += options.every) candidates.push_back(all[i]);
  const std::vector<Group> groups = groups_of(candidates);
  if (options.compile_only) {
    for (const Group& group : groups) {
      CandidateContest::compile(device, group.problem, group.ways, options.checks.whole);
    }
    return true;
  }
  CandidateContest contest(device, options.room << 20);
  fmt::print("{}, {}; median of {} turns\n", device.info().name, device.info().driver, options.rounds);
  bool all_right = true;
  for (const Group& group : groups) {
    try {
      all_right &= report(group, contest.measure(group.problem, group.ways, options.rounds, options.checks));
    } catch (const Error& error) {
      all_right = false;
      fmt::print("{} {}\n", to_string(group.problem), error.what());
    }
  }
  return all_right;
}

}  // namespace
}  // namespace twiddle::bench

int main(int argc, char** argv) {
  twiddle::bench::Options options;
  CLI::App app{"Times candidates on a CUDA device in turns with the plans of their problems"};
  app.add_option("file", options.file, "a problem and another way to compute it in each line")->required();
  app.add_option("--device", options.device, "cuda or cuda:N")->capture_default_str();
  app.add_option("--rounds", options.rounds, "turns of which the median counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--room", options.room, "MiB of the largest array, which is there three times")->capture_default_str();
  app.add_option("--repetitions", options.checks.repetitions, "executions whose results must have the same bits")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--whole", options.checks.whole,
               "compare all results, and the bits of images in one launch with those of the same stages in two");
  app.add_flag("--compile", options.compile_only, "only compile, for a later run that finds the kernels in the cache");
  app.add_option("--first", options.first, "begin with this one of the candidates (default: 0)");
  app.add_option("--every", options.every, "and take every Nth, so that several processes share the list")
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    return twiddle::bench::run(options) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(std::cerr, "{}\n", error.what());
    return 1;
  }
}
