// Which algorithm each length uses: all are tried, and of those that round well the one with the fewest operations is
// taken.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>

#include "kernel/butterfly.hpp"
#include "kernel/schedule.hpp"
#include "kernel/symbolic_fft.hpp"
#include "plan/recipe/radices.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

// Operations on machines without and with fused multiply-add, both of which are served, with equal weight.
unsigned cost(const ButterflyGraph& butterfly) {
  const OperationCount count = count_operations(butterfly);
  return count.additions + count.multiplications + count.fused_operations;
}

// Sums by convolution save a fifth to a third of the operations of 31 points, but their long chains round more than the
// definition: in single precision the error is 1.07e-7 (sines, too) or 1.01e-7 (cosines only) against 0.80e-7, and
// FFTW's 0.86e-7.
constexpr unsigned longest_rader = 29;

bool rounds_much(const Design& design) {
  const bool by_convolution = design.algorithm == Algorithm::rader || design.algorithm == Algorithm::rader_cosines;
  return by_convolution && design.length > longest_rader;
}

Design cheapest_design(unsigned length) {
  std::vector<Design> possible = possible_designs(length);
  std::erase_if(possible, rounds_much);
  if (possible.size() == 1) return possible.front();
  std::vector<unsigned> costs;
  for (const Design& design : possible) costs.push_back(cost(butterfly_graph(design, Direction::forward)));
  return possible[std::min_element(costs.begin(), costs.end()) - costs.begin()];
}

// By Algorithm.
constexpr std::array<std::string_view, 7> names = {"by definition", "symmetric",   "Rader, cosines only", "Rader",
                                                   "prime factor",  "mixed radix", "split radix"};

}  // namespace

std::string_view name(Algorithm algorithm) { return names[static_cast<std::size_t>(algorithm)]; }

std::vector<Design> possible_designs(unsigned length) {
  std::vector<Design> designs;
  if (length <= 2) designs.push_back({length, Algorithm::trivial, 1});
  if (length % 4 == 0) designs.push_back({length, Algorithm::split_radix, 1});
  for (unsigned first = 2; first < length; ++first) {
    if (length % first != 0) continue;
    if (std::gcd(first, length / first) == 1) designs.push_back({length, Algorithm::prime_factor, first});
    designs.push_back({length, Algorithm::mixed_radix, first});
  }
  if (designs.empty()) {
    for (const auto algorithm : {Algorithm::symmetric, Algorithm::rader_cosines, Algorithm::rader}) {
      designs.push_back({length, algorithm, 1});
    }
  }
  return designs;
}

const Design& chosen_design(unsigned length) {
  struct Row {
    std::once_flag once;
    Design design;
  };
  static std::array<Row, plan::longest_radices.back() + 1> rows;
  Row& row = rows.at(length);
  std::call_once(row.once, [&] { row.design = cheapest_design(length); });  // asks for shorter lengths only
  return row.design;
}

Design exact_design(unsigned length) {
  const Design& cheapest = chosen_design(length);
  return cheapest.algorithm == Algorithm::rader ? Design{length, Algorithm::symmetric, 1} : cheapest;
}

bool has_butterfly(unsigned radix) {
  const auto& longest = plan::longest_radices;
  if (std::find(longest.begin(), longest.end(), radix) != longest.end()) return true;
  return radix >= 2 &&
         (radix <= largest_radix || (radix <= largest_prime_radix && plan::prime_factors(radix).size() == 1));
}

ButterflyGraph butterfly_graph(unsigned radix, Direction direction, Rounding rounding) {
  if (!has_butterfly(radix)) {
    throw InvalidArgument(
        fmt::format("expected a radix from 2 to {}, a prime up to {}, or {}, got {}; a longer transform is "
                    "made of several",
                    largest_radix, largest_prime_radix, fmt::join(plan::longest_radices, ", "), radix));
  }
  return butterfly_graph(rounding == Rounding::least ? exact_design(radix) : chosen_design(radix), direction, rounding);
}

OperationCount butterfly_cost(unsigned radix) { return count_operations(butterfly_graph(radix, Direction::forward)); }

}  // namespace twiddle::kernel
