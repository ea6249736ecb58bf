// Roots of unity by vectors of sums of two doubles, for tables.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/double_double.hpp"
#include "plan/lower/map_entries.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::backend::host {

// exp(-2 pi i (first + k step) / n), k = 0, 1, ..., `count` of them, a block at a time: each the product of one of the
// first block and of the block's turn from there, which takes a quarter of the time that roots anywhere take. first,
// step < n <= RootSteps::most.
class RootBlocks {
 public:
  static constexpr std::size_t size = 64;

  RootBlocks(std::uint64_t n, std::uint64_t step, std::uint64_t count, const DoubleDoubleKernels& kernels,
             std::uint64_t first = 0);

  // Writes the next roots, `count` of them, to where there is room for another vector behind them; all but the last
  // call take a block.
  void next(std::size_t count, const DoubleDoublePlanes& to);

 private:
  using Planes = std::array<std::array<double, size>, 4>;
  static DoubleDoublePlanes places(Planes& planes);
  // For `count` of the powers in turn, `step` apart.
  void make(std::uint64_t step, std::size_t count, Planes& to);

  const DoubleDoubleKernels& kernels_;
  RootSteps steps_;
  std::uint64_t n_;
  std::uint64_t step_;    // from a block to the next
  std::uint64_t blocks_;  // for which there is no factor yet
  std::uint64_t power_;   // of the next factor
  std::size_t turn_ = size;
  Planes first_;
  Planes turns_;  // from the first block to those that follow
};

// For maps. Makes none where no SIMD target in the mask fuses products and sums.
[[nodiscard]] plan::MakeManyRoots vector_roots(std::int64_t targets);

// exp(-2 pi i k step / n), k = 0..count - 1, by vectors where make_roots is given.
template <class Wide>
std::vector<std::complex<Wide>> roots_of_steps(std::uint64_t n, std::uint64_t step, std::uint64_t count,
                                               const plan::MakeManyRoots& make_roots) {
  std::vector<std::complex<Wide>> values;
  values.reserve(count);
  const auto roots = make_roots ? make_roots(n) : nullptr;
  while (roots == nullptr && values.size() < count) {
    values.push_back(std::complex<Wide>(plan::root_of_unity(values.size() * step, n)));
  }
  std::array<double, plan::ManyRoots::most> powers;
  std::array<std::array<double, plan::ManyRoots::most>, 4> parts;
  const auto& [re, re_low, im, im_low] = parts;
  while (values.size() < count) {
    const std::uint64_t first = values.size();
    const std::size_t some = std::min<std::uint64_t>(powers.size(), count - first);
    for (std::size_t i = 0; i < some; ++i) powers[i] = static_cast<double>((first + i) * step % n);
    roots->make(powers.data(), some, {parts[0].data(), parts[1].data(), parts[2].data(), parts[3].data()});
    for (std::size_t i = 0; i < some; ++i) {
      values.emplace_back(static_cast<Wide>(re[i]) + re_low[i], static_cast<Wide>(im[i]) + im_low[i]);
    }
  }
  return values;
}

}  // namespace twiddle::backend::host
