// Contests on a CUDA device.
#include "bench_cuda.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "cuda_contest.hpp"
#include "cuda_report.hpp"
#include "errors.hpp"
#include "forward_data.hpp"
#include "options.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

void print_missing(const std::string& peer, const std::string& reason) {
  fmt::print(stderr, "twiddle: without {}: {}\n", peer, reason);
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
  std::size_t room = 0;
  for (const Problem& problem : problems) room = std::max(room, bench::data_bytes(problem.transform));
  bench::CudaContest contest(device, bench::open_cuda_peers(options.peers, options.peers_folder, print_missing), room);
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
