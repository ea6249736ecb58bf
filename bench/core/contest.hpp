// One problem measured with several libraries, which take turns on the same memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library.hpp"
#include "measurement.hpp"
#include "suite.hpp"

namespace twiddle::bench {

struct Effort {
  std::size_t rounds = 11;      // turns of each library; at least 5 are taken
  double seconds = 2;           // of turns, after which no further one is begun
  bool real_time = false;       // while it plans and is timed, before other programs: see real_time.hpp
  double block_seconds = 1e-4;  // executions in a row that are timed together, unless one takes longer
};

// How the complaint about a wrong result begins.
inline constexpr std::string_view wrong_result = "its result differs from ours";

// What one library did. Without a time where there is a complaint.
struct Entry {
  std::string library;
  std::string version;
  std::string complaint{};  // why it was not timed
  Spread microseconds{};    // of one execution
  Spread ratio{1, 1, 1};    // of each turn, its time over that of the first library
  double gigaflops = 0;     // by nominal_operations()
  double difference = 0;    // relative L2, of its result from that of the first library
  double planning_milliseconds = 0;
};

// Entries are those of the libraries, in their order. Every library's result is compared with that of the first before
// anything is timed. In each turn a library gets the same random input, executes once to warm up where executions are
// timed in blocks, and is timed; the order changes from turn to turn. In place, a block ends before its results would
// overflow.
[[nodiscard]] std::vector<Entry> hold_contest(const Case& test, std::span<Library* const> libraries,
                                              const Effort& effort);

}  // namespace twiddle::bench
