// The choice of partitions by counting operations.
#include "plan/convolution/stream_levels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "twiddle/good_size.hpp"

namespace twiddle::plan {
namespace {

// A product of spectra and its sum come from memory, so that they take about as long as three times their operations
// would in a transform.
constexpr double product_cost = 24;
// Longer segments leave the cache of a core, and their transforms take several passes over memory.
constexpr double points_in_cache = 1 << 17;
constexpr double cost_beyond_cache = 1.6;
constexpr std::size_t largest_block = std::size_t{1} << 20;
constexpr std::size_t largest_growth = 16;

std::size_t segment_size(std::size_t points, bool complex) {
  return good_size(points, complex ? Kind::c2c : Kind::r2c);
}

// Operations for each sample of a complex signal.
double cost(const StreamLevel& level, std::size_t filters) {
  const auto points = static_cast<double>(level.segment);
  const double transform = 5 * points * std::log2(points) * (points > points_in_cache ? cost_beyond_cache : 1);
  const auto bank = static_cast<double>(filters);
  return ((1 + bank) * transform + bank * static_cast<double>(level.partitions) * points * product_cost) /
         static_cast<double>(level.block);
}

double cost(const std::vector<StreamLevel>& levels, std::size_t filters) {
  double sum = 0;
  for (const StreamLevel& level : levels) sum += cost(level, filters);
  return sum;
}

// `growing` levels of growth - 1 partitions each, of which the last takes the rest of the filter.
std::vector<StreamLevel> grow(std::size_t filter_length, std::size_t block, std::size_t growth, std::size_t growing,
                              bool complex) {
  std::vector<StreamLevel> levels;
  std::size_t offset = 0;
  for (; offset < filter_length; block *= growth) {
    const std::size_t rest = filter_length - offset;
    const bool last = levels.size() + 1 == growing || block > largest_block / growth || rest <= (growth - 1) * block;
    const std::size_t partitions = last ? (rest + block - 1) / block : growth - 1;
    levels.push_back({block, segment_size(2 * block - (block > 1 ? 1 : 0), complex), offset, block, partitions});
    offset += partitions * block;
  }
  return levels;
}

// One partition of the whole filter.
std::vector<StreamLevel> whole(std::size_t filter_length, std::size_t block, bool complex) {
  return {{block, segment_size(block + filter_length - 1, complex), 0, filter_length, 1}};
}

}  // namespace

std::vector<StreamLevel> choose_stream_levels(std::size_t filter_length, std::size_t filters, std::size_t block,
                                              bool complex) {
  std::vector<StreamLevel> best;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](std::vector<StreamLevel> levels) {
    const double total = cost(levels, filters);
    if (total >= least) return;
    least = total;
    best = std::move(levels);
  };
  if (block == 0) {
    for (std::size_t segment = std::bit_ceil(2 * filter_length); segment <= 64 * std::bit_ceil(filter_length + 64);
         segment *= 2) {
      consider(whole(filter_length, segment - filter_length + 1, complex));
    }
    return best;
  }
  consider(whole(filter_length, block, complex));
  for (std::size_t growth = 2; growth <= largest_growth; growth *= 2) {
    for (std::size_t growing = 1; growing <= 20; ++growing) {
      consider(grow(filter_length, block, growth, growing, complex));
    }
  }
  return best;
}

}  // namespace twiddle::plan
