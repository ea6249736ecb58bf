// The lists of problems that twiddle is measured with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "twiddle/problem.hpp"

namespace twiddle::bench {

// One measurement: a problem on so many threads.
struct Case {
  std::string suite;  // "throughput", "latency", or "" for a problem of the user's
  Problem problem;
  std::size_t threads = 1;
};

inline constexpr std::size_t throughput_points = std::size_t{1} << 22;

// "throughput": as many transforms as make 4M points; "latency": one transform a call. Each over lengths of all kinds,
// images and volumes; complex and real input; float and double; out of and in place; on one and two threads. The
// commonest combinations come first, so that a run that is cut short has them whole. `quick` is a selection of a few
// minutes. Throws InvalidArgument for another name.
[[nodiscard]] std::vector<Case> make_suite(std::string_view name, bool quick);

// What results are summed up by: "powers of two", "other smooth lengths" (prime factors to 13), "primes and their
// multiples", "images", "volumes".
[[nodiscard]] std::string_view family_of(const Problem& problem);
inline constexpr std::string_view families[] = {"powers of two", "other smooth lengths", "primes and their multiples",
                                                "images", "volumes"};

// Floating-point operations of a fast transform by the usual measure, whatever is really done: 5 N log2 N for complex
// data of N points, half of that for the other kinds, for all arrays of the batch.
[[nodiscard]] double nominal_operations(const Transform& transform);

}  // namespace twiddle::bench
