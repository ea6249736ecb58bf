// Draws problems that take much memory.
#include "verify/large_problem.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "verify/known_spectrum.hpp"
#include "verify/random.hpp"

namespace twiddle::verify {
namespace {

// The least number of at least `least` with prime factors up to 7.
std::uint64_t smooth_from(std::uint64_t least) {
  std::uint64_t best = 1;
  while (best < least) best *= 2;
  for (std::uint64_t sevens = 1; sevens < best; sevens *= 7) {
    for (std::uint64_t fives = sevens; fives < best; fives *= 5) {
      for (std::uint64_t n = fives; n < best; n *= 3) {
        std::uint64_t even = n;
        while (even < least) even *= 2;
        best = std::min(best, even);
      }
    }
  }
  return best;
}

std::uint64_t power_of_two_from(std::uint64_t least) {
  std::uint64_t power = 1;
  while (power < least) power *= 2;
  return power;
}

// Spread evenly over the octaves.
std::uint64_t spread(std::uint64_t first, std::uint64_t last, Random& random) {
  const double octaves = std::log2(static_cast<double>(last) / static_cast<double>(first));
  return static_cast<std::uint64_t>(static_cast<double>(first) *
                                    std::exp2(octaves * static_cast<double>(random.below(1 << 20)) / (1 << 20)));
}

// Of a line in a batch or the side of an image: a power of two, smooth, or whatever it is.
std::uint64_t line_length(std::uint64_t first, std::uint64_t last, Random& random) {
  const std::uint64_t length = spread(first, last, random);
  switch (random.below(5)) {
    case 0:
    case 1:
      return power_of_two_from(length);
    case 2:
      return length;
    default:
      return smooth_from(length);
  }
}

void draw_large_shape(Transform& transform, std::uint64_t elements, Random& random) {
  const auto rest = [&](std::uint64_t taken) { return std::max<std::uint64_t>((elements + taken - 1) / taken, 1); };
  const auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(elements)));
  const std::uint64_t draw = random.below(100);
  if (draw < 35) {  // a batch of lines
    transform.lengths = {
        line_length(2, std::max<std::uint64_t>(std::min<std::uint64_t>(side * 4, 1 << 20), 4), random)};
    transform.batch = rest(transform.lengths[0]);
  } else if (draw < 55) {  // one line
    transform.lengths = {random.chance(40) ? power_of_two_from(elements) : smooth_from(elements)};
  } else if (draw < 80) {  // an image
    const std::uint64_t rows =
        line_length(std::max<std::uint64_t>(side / 32, 2), std::max<std::uint64_t>(side * 4, 4), random);
    transform.lengths = {rows, smooth_from(rest(rows))};
    if (random.chance(50)) std::swap(transform.lengths[0], transform.lengths[1]);
    if (random.chance(20)) transform.axes = {random.below(2)};
  } else {  // a batch of images, or a volume
    const std::uint64_t first = smooth_from(spread(2, 1024, random));
    const std::uint64_t second = smooth_from(spread(2, 1024, random));
    transform.lengths = {first, second};
    if (random.chance(50)) {
      transform.batch = rest(first * second);
    } else {
      transform.lengths.insert(transform.lengths.begin() + static_cast<std::ptrdiff_t>(random.below(3)),
                               smooth_from(rest(first * second)));
    }
  }
}

}  // namespace

Problem large_problem(std::uint64_t seed, std::uint64_t least_bytes, bool float64) {
  for (Random random(seed);;) {
    Problem problem;
    Transform& transform = problem.transform;
    transform.kind = random.chance(60) ? Kind::c2c : Kind::r2c;
    transform.precision = float64 && random.chance(30) ? Precision::float64 : Precision::float32;
    problem.direction = random.chance(60) ? Direction::forward : Direction::inverse;
    problem.placement = random.chance(50) ? Placement::in_place : Placement::out_of_place;
    transform.normalization =
        random.choose<Normalization>({Normalization::backward, Normalization::ortho, Normalization::none});
    const std::uint64_t draw = random.below(100);
    const std::uint64_t least = least_bytes * (draw < 85 ? 1 : draw < 95 ? 2 : 4);
    const std::uint64_t bytes = least + least / 64 * random.below(8);
    const std::uint64_t scalar_bytes = transform.precision == Precision::float32 ? 4 : 8;
    const std::uint64_t element_bytes = scalar_bytes * (transform.kind == Kind::c2c ? 2 : 1);
    draw_large_shape(transform, bytes / element_bytes + 1, random);
    // Rounding up may have gone far.
    if (total_elements(transform) * element_bytes < bytes + bytes / 4 && KnownSpectrum::serves(problem)) return problem;
  }
}

}  // namespace twiddle::verify
