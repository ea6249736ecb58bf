// Contests on a CUDA device.
#include "bench_cuda.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "cuda_contest.hpp"
#include "cuda_report.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

std::vector<std::unique_ptr<bench::CudaPeer>> open_peers(const CudaBenchOptions& options) {
  std::vector<std::unique_ptr<bench::CudaPeer>> peers;
  for (const std::string& name : options.peers) {
    try {
      peers.push_back(bench::open_cuda_peer(name, options.peers_folder));
    } catch (const Unsupported& error) {
      fmt::print(stderr, "twiddle: without {}: {}\n", name, error.what());
    }
  }
  return peers;
}

// The largest of the problems, in place.
std::size_t room_for(const Device& device, const std::vector<Problem>& problems) {
  std::size_t room = 0;
  for (const Problem& problem : problems) {
    const Plan plan(device, problem.transform);
    room = std::max({room, plan.input_bytes(Direction::forward, Placement::in_place),
                     plan.output_bytes(Direction::forward, Placement::in_place)});
  }
  return room;
}

}  // namespace

std::size_t bench_on_cuda(const CudaBenchOptions& options, const std::vector<Problem>& problems,
                          const std::function<bool()>& over) {
  if (!options.device.starts_with("cuda")) {
    throw UsageError(
        fmt::format("--peer and --csv are for the host and for CUDA devices, not for '{}'", options.device));
  }
  for (const std::string& name : options.peers) {
    if (std::ranges::find(bench::cuda_peer_names(), name) == bench::cuda_peer_names().end()) {
      throw UsageError(fmt::format("'{}' is no library to compare with on CUDA devices; expected one of {}", name,
                                   fmt::join(bench::cuda_peer_names(), ", ")));
    }
  }
  const Device device = open_device(options.device);
  const std::size_t rounds = options.rounds > 0 ? options.rounds : 11;
  bench::CudaContest contest(device, open_peers(options), room_for(device, problems));
  bench::CudaReport report(device, contest, rounds, options.csv);
  std::size_t wrong = 0;
  for (const Problem& problem : problems) {
    if (over()) break;
    try {
      const bench::CudaResult result = contest.measure(problem, rounds);
      report.add(result);
      if (!result.entries.front().complaint.empty()) ++wrong;
    } catch (const Unsupported& error) {
      fmt::print("{:<32} {}\n", to_string(problem), error.what());
    }
  }
  return wrong;
}

}  // namespace twiddle::tool
