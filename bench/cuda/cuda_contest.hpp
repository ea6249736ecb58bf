// Forward transforms in place on a CUDA device: twiddle and other libraries take turns on the same memory and stream.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cuda_clock.hpp"
#include "cuda_peer.hpp"
#include "sampled_spectrum.hpp"
#include "twiddle/problem.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::bench {

// What one library did. Without a time where there is a complaint.
struct CudaEntry {
  std::string library;
  std::string complaint{};
  double milliseconds = 0;  // of one execution: the median of the rounds
  double spread = 0;        // half the distance of the quartiles, relative to the median
  double error = 0;         // relative L2 of some outputs, beside the definition
};

struct CudaResult {
  Problem problem;
  std::vector<CudaEntry> entries;   // twiddle's, then the peers' in their order
  double gigabytes_per_second = 0;  // twiddle's: what is read once and written once
  double fraction_of_copy = 0;
};

class CudaContest {
 public:
  // Takes memory for problems of up to `room` bytes, twice, and measures the rate of copies of `copied_bytes`. Throws
  // InvalidArgument unless it is a CUDA device.
  CudaContest(const Device& device, std::vector<std::unique_ptr<CudaPeer>> peers, std::size_t room,
              std::size_t copied_bytes = std::size_t{512} << 20);

  [[nodiscard]] const std::vector<std::unique_ptr<CudaPeer>>& peers() const { return peers_; }
  // Bytes read plus bytes written per second, in 1e9, of copies on the device.
  [[nodiscard]] double copy_rate() const { return copy_rate_; }

  // Checks every library's result by SampledSpectrum, then times `rounds` turns of each, whose order changes from turn
  // to turn. In a turn the input is put back and as many executions are submitted together as take about 2.5 ms, at
  // most 100, and before their results overflow; events say when the device began and ended. Throws Unsupported for
  // problems that are not forward and in place or that peers cannot have, InvalidArgument for those beyond the room.
  [[nodiscard]] CudaResult measure(const Problem& problem, std::size_t rounds);

  // Only plans with every library, so that their caches have the kernels.
  void compile(const Problem& problem);

 private:
  struct Entrant;
  void check(const Problem& problem) const;
  void fill(Precision precision);
  [[nodiscard]] std::vector<Entrant> plan(const Problem& problem);
  void check_result(Entrant& entrant, const SampledSpectrum& spectrum, std::size_t bytes, Precision precision);
  void take_turns(std::vector<Entrant>& entrants, const Transform& transform, std::size_t bytes, std::size_t rounds);
  void put_back(std::size_t bytes);

  Device device_;
  std::vector<std::unique_ptr<CudaPeer>> peers_;
  std::size_t room_;
  CudaClock clock_;
  Buffer original_;
  Buffer data_;
  double copy_rate_ = 0;
  std::vector<double> values_;  // of original_, as numbers of filled_with_
  Precision filled_with_ = Precision::float16;
};

}  // namespace twiddle::bench
