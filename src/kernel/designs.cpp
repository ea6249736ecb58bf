// Which algorithm each length uses: all are tried, and the one with the fewest operations is taken.
#include <fmt/format.h>

#include <array>
#include <numeric>

#include "kernel/butterfly.hpp"
#include "kernel/schedule.hpp"
#include "kernel/symbolic_fft.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

// Operations on machines without and with fused multiply-add, both of which are served, with equal weight.
unsigned cost(const ButterflyGraph& butterfly) {
  const OperationCount count = count_operations(butterfly);
  return count.additions + count.multiplications + count.fused_operations;
}

std::vector<Design> choose_designs() {
  std::vector<Design> chosen{{.length = 1, .algorithm = Algorithm::trivial, .first = 1}};
  while (chosen.size() < largest_radix) {
    const auto possible = possible_designs(static_cast<unsigned>(chosen.size() + 1));
    Design best = possible.front();
    auto best_cost = cost(butterfly_graph(best, chosen, Direction::forward));
    for (const Design& design : std::span(possible).subspan(1)) {
      const auto design_cost = cost(butterfly_graph(design, chosen, Direction::forward));
      if (design_cost >= best_cost) continue;
      best = design;
      best_cost = design_cost;
    }
    chosen.push_back(best);
  }
  return chosen;
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

std::span<const Design> chosen_designs() {
  static const std::vector<Design> designs = choose_designs();
  return designs;
}

ButterflyGraph butterfly_graph(unsigned radix, Direction direction) {
  if (radix < 2 || radix > largest_radix) {
    throw InvalidArgument(fmt::format("expected a radix from 2 to {}, got {}; a longer transform is made of several",
                                      largest_radix, radix));
  }
  return butterfly_graph(chosen_designs()[radix - 1], chosen_designs(), direction);
}

OperationCount butterfly_cost(unsigned radix) { return count_operations(butterfly_graph(radix, Direction::forward)); }

}  // namespace twiddle::kernel
