// Times candidates on a CUDA device in turns with the plans of their problems: what tables of measured choices are made
// of. The candidates are the lines of a file (cuda/candidate.hpp).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "candidate_contest.hpp"
#include "shared_work.hpp"

namespace twiddle::bench {
namespace {

struct Options {
  std::string file;
  std::size_t room = 640;  // MiB
  CandidateContest::Checks checks;
  SharedWork work;
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
  const Device device = Device::open(options.work.device);
  const std::vector<Group> groups = groups_of(options.work.share_of(read_candidates(options.file)));
  if (options.work.compile_only) {
    for (const Group& group : groups) {
      CandidateContest::compile(device, group.problem, group.ways, options.checks.whole);
    }
    return true;
  }
  CandidateContest contest(device, options.room << 20);
  fmt::print("{}, {}; median of {} turns\n", device.info().name, device.info().driver, options.work.rounds);
  bool all_right = true;
  for (const Group& group : groups) {
    try {
      all_right &= report(group, contest.measure(group.problem, group.ways, options.work.rounds, options.checks));
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
  namespace bench = twiddle::bench;
  bench::Options options;
  CLI::App app{"Times candidates on a CUDA device in turns with the plans of their problems"};
  app.add_option("file", options.file, "a problem and another way to compute it in each line")->required();
  bench::add_shared_options(app, options.work, "candidates");
  app.add_option("--room", options.room, "MiB of the largest array, which is there three times")->capture_default_str();
  app.add_option("--repetitions", options.checks.repetitions, "executions whose results must have the same bits")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--whole", options.checks.whole,
               "compare all results, and the bits of images in one launch with those of the same stages in two");
  return bench::run_program(app, argc, argv, [&] { return bench::run(options); });
}
