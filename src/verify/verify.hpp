// Checks that a device computes a problem right: results, memory around them, and that it is the same every time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::verify {

struct Outcome {
  double error = 0;  // relative L2: of all results together, to what they should be; NaN where a result is not finite
  double bound = 0;
  bool within = false;      // everything is right
  std::string complaint{};  // what is not
};

// Makes a plan and executes it twice, from host memory and from buffers of the device, on inputs uniform in [-1, 1)
// that `seed` determines. Everything around them in memory holds NaN. Right is:
//   - an error within the bound (bound.hpp), against the reference in long double; problems too large for that are
//     executed once, on buffers of the device, on an input of known spectrum (known_spectrum.hpp), or where that does
//     not serve verified by properties (properties.hpp)
//   - the same bits both times
//   - nothing else changed: the input, unless it may be overwritten, and what lies between and around the elements
// Throws what the plan throws where it refuses the problem.
[[nodiscard]] Outcome verify(const Device& device, const Problem& problem, std::uint64_t seed);

// Executes a problem on host memory. In place both spans are the same; else a change to the input is a failure, unless
// the problem allows it.
using Execute = std::function<void(std::span<std::byte> input, std::span<std::byte> output)>;

// The same for anything that executes, by a plan that follows `strategy`: `first` and `second` are expected to give the
// same.
[[nodiscard]] Outcome verify_execution(const Problem& problem, std::uint64_t seed, const Execute& first,
                                       const Execute& second, const Strategy& strategy = {});

// Elements, of the larger side, up to which there is a reference.
inline constexpr std::uint64_t most_referred_elements = std::uint64_t{1} << 24;

}  // namespace twiddle::verify
