// Candidates on a CUDA device beside the plan of their problem: checked against it, then timed in turns.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "candidate.hpp"
#include "cuda_clock.hpp"
#include "run/memory_pool.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::bench {

// What one way did. Without a time where there is a complaint.
struct CandidateEntry {
  std::string way;  // "plan": the plan's
  std::string complaint{};
  double milliseconds = 0;  // of one execution: the median of the rounds
  double spread = 0;        // half the distance of the quartiles, relative to the median
  double difference = 0;    // relative L2, from the plan's results
};

// Relative L2 distance of an entry's results from the plan's; the entry complains where that is too far, or no number.
void compare(CandidateEntry& entry, const Problem& problem, std::span<const std::byte> expected,
             std::span<const std::byte> results);

class CandidateContest {
 public:
  struct Checks {
    std::size_t repetitions = 1;  // executions of the same input, whose results must have the same bits
    // All results are compared, not those of arrays spread over 32 MiB; and those of images in one launch must have the
    // bits of the same two stages in two.
    bool whole = false;
  };

  // Takes memory for arrays of up to `room` bytes, three times. Plans are without choices measured on the device.
  // Throws InvalidArgument unless it is a CUDA device.
  CandidateContest(const Device& device, std::size_t room);

  // The plan first, then the ways in their order. In a turn the input is put back, in place, and as many executions are
  // submitted together as take about 2.5 ms, but in place before their results overflow. Throws what making the plan
  // throws, and InvalidArgument for arrays beyond the room.
  [[nodiscard]] std::vector<CandidateEntry> measure(const Problem& problem, const std::vector<std::string>& ways,
                                                    std::size_t rounds, const Checks& checks);

  // Only compiles, so that the kernel cache has what measure() needs. Ways that are none are passed over.
  static void compile(const Device& device, const Problem& problem, const std::vector<std::string>& ways, bool whole);

 private:
  struct Entrant;
  [[nodiscard]] static std::vector<Entrant> enter(const Device& device, run::MemoryPool& pool, const Problem& problem,
                                                  const std::vector<std::string>& ways, bool whole);
  void check(Entrant& entrant, const Problem& problem, std::vector<std::byte>& expected, const Checks& checks);
  [[nodiscard]] std::vector<std::byte> results(Entrant& entrant, const Problem& problem, bool apart, bool whole);
  void execute(Entrant& entrant, bool apart);
  void take_turns(std::vector<Entrant>& entrants, const Problem& problem, std::size_t rounds);
  void fill(Precision precision);
  void put_back(std::size_t bytes);

  Device device_;
  run::MemoryPool pool_;
  CudaClock clock_;
  std::size_t room_;
  Buffer original_;
  Buffer data_;  // both sides in place
  Buffer output_;
  Precision filled_with_ = Precision::float16;
};

}  // namespace twiddle::bench
