// Tables and files.
#include "cuda_report.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace twiddle::bench {
namespace {

constexpr const char* first_column = "problem";

void flush() { std::fflush(stdout); }

}  // namespace

CudaReport::CudaReport(const Device& device, const CudaContest& contest, std::size_t rounds, const std::string& csv) {
  std::string note = fmt::format("{}, {}; copy {:.0f} GB/s; median of {}", device.info().name, device.info().driver,
                                 contest.copy_rate(), rounds);
  for (const auto& peer : contest.peers()) note += fmt::format("; {}: {}", peer->name(), peer->version());
  fmt::print("{}\n{:<32} {:>9} {:>5} {:>8} {:>7} {:>6}", note, first_column, "ms", "+-%", "error", "GB/s", "copy");
  std::string header = fmt::format("{},ms,spread,error,gbps,fraction_of_copy", first_column);
  for (const auto& peer : contest.peers()) {
    fmt::print(" | {:>9} {:>5} {:>8} {:>6}", peer->name(), "+-%", "error", "ratio");
    header += fmt::format(",{0}_ms,{0}_spread,{0}_error,over_{0}", peer->name());
  }
  fmt::print("\n");
  flush();
  if (csv.empty()) return;
  errno = 0;
  csv_.open(csv);
  if (!csv_) throw std::runtime_error(fmt::format("cannot write '{}': {}", csv, std::strerror(errno)));
  fmt::print(csv_, "# {}\n{}\n", note, header);
}

void CudaReport::add(const CudaResult& result) {
  const CudaEntry& own = result.entries.front();
  const std::string name = to_string(result.problem);
  fmt::print("{:<32} {:>9.4f} {:>5.1f} {:>8.1e} {:>7.0f} {:>6.3f}", name, own.milliseconds, 100 * own.spread, own.error,
             result.gigabytes_per_second, result.fraction_of_copy);
  std::string line = fmt::format("{},{:.5f},{:.4f},{:.3g},{:.1f},{:.4f}", name, own.milliseconds, own.spread, own.error,
                                 result.gigabytes_per_second, result.fraction_of_copy);
  std::string complaints = own.complaint.empty() ? "" : "  twiddle: " + own.complaint;
  for (std::size_t i = 1; i < result.entries.size(); ++i) {
    const CudaEntry& peer = result.entries[i];
    if (!peer.complaint.empty()) {
      fmt::print(" | {:>9} {:>5} {:>8} {:>6}", "-", "", "", "");
      line += ",,,,";
      complaints += fmt::format("  {}: {}", peer.library, peer.complaint);
      continue;
    }
    const double ratio = own.milliseconds > 0 ? peer.milliseconds / own.milliseconds : 0;
    fmt::print(" | {:>9.4f} {:>5.1f} {:>8.1e} {:>6.3f}", peer.milliseconds, 100 * peer.spread, peer.error, ratio);
    line += fmt::format(",{:.5f},{:.4f},{:.3g},{:.3f}", peer.milliseconds, peer.spread, peer.error, ratio);
  }
  fmt::print("{}\n", complaints);
  flush();
  if (csv_.is_open()) csv_ << line << std::endl;
}

std::vector<Problem> read_problems(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(fmt::format("cannot read {}", file));
  std::vector<Problem> problems;
  for (std::string line; std::getline(stream, line);) {
    const std::string text = line.substr(0, line.find(','));
    if (!text.empty() && text.front() != '#' && text != first_column) problems.push_back(parse_problem(text));
  }
  return problems;
}

}  // namespace twiddle::bench
