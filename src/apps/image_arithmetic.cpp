// The choice of arithmetic, with the bounds that make it exact.
#include "apps/image_arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace twiddle::apps {
namespace {

using backend::host::RowFinish;

bool is_whole(double value) { return value == std::floor(value); }

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

double signed_scale(const ImageConvolution& convolution) {
  const std::vector<double>& weights = convolution.kernel.weights;
  const double scale = convolution.scale ? *convolution.scale : std::accumulate(weights.begin(), weights.end(), 0.0);
  return scale == 0 ? 1 : scale;
}

// floor(n / divisor) = (n * factor >> 16) >> shift for all n from 0 to `largest`, tried out on all of them.
std::optional<RowFinish<std::int16_t>> find_division(std::uint32_t divisor, std::uint32_t largest) {
  RowFinish<std::int16_t> finish;
  if (std::has_single_bit(divisor)) {
    finish.shift = std::countr_zero(divisor);
    return finish;
  }
  for (int shift = 0; shift < 16; ++shift) {
    const std::uint64_t factor = ((std::uint64_t{1} << (16 + shift)) + divisor - 1) / divisor;
    if (factor > 0xFFFF) break;
    bool right = true;
    for (std::uint64_t n = 0; n <= largest && right; ++n) right = (n * factor >> 16 >> shift) == n / divisor;
    if (!right) continue;
    finish.factor = static_cast<std::uint16_t>(factor);
    finish.shift = shift;
    return finish;
  }
  return std::nullopt;
}

// Sums between `lowest` and `highest` with `before` added, modulo 2^16: exact where those with `before` fit.
std::optional<RowFinish<std::int16_t>> find_short_finish(double lowest, double highest, double before, double scale) {
  const bool has_negative_sums = lowest + before < 0;
  if (has_negative_sums && (lowest + before < -0x8000 || highest + before > 0x7FFF)) return std::nullopt;
  if (highest + before > 0xFFFF || scale > 0xFFFF) return std::nullopt;
  auto finish =
      find_division(static_cast<std::uint32_t>(scale), static_cast<std::uint32_t>(std::max(highest + before, 0.0)));
  if (!finish) return std::nullopt;
  finish->has_negative_sums = has_negative_sums;
  finish->before = static_cast<std::int16_t>(static_cast<std::uint16_t>(static_cast<std::int64_t>(before)));
  return finish;
}

}  // namespace

Window make_window(const ImageConvolution& convolution) {
  Window window{convolution.kernel.height, convolution.kernel.width, convolution.kernel.weights};
  if (!convolution.correlate) std::reverse(window.weights.begin(), window.weights.end());
  if (signed_scale(convolution) < 0) {
    for (double& weight : window.weights) weight = -weight;
  }
  return window;
}

double effective_scale(const ImageConvolution& convolution) { return std::abs(signed_scale(convolution)); }

std::optional<Separation> separate(const Window& window) {
  const auto less = [](double left, double right) { return std::abs(left) < std::abs(right); };
  const auto pivot = static_cast<std::size_t>(std::max_element(window.weights.begin(), window.weights.end(), less) -
                                              window.weights.begin());
  const double largest = window.weights[pivot];
  if (largest == 0) return std::nullopt;
  const auto at = [&](std::size_t i, std::size_t j) { return window.weights[i * window.width + j]; };
  Separation result{std::vector<double>(window.height), std::vector<double>(window.width)};
  // The row that holds the largest weight, divided by what its whole numbers have in common; then every other row of
  // whole numbers is a whole multiple of it.
  double divisor = largest;
  if (std::all_of(window.weights.begin(), window.weights.end(), is_whole)) {
    std::int64_t common = 0;
    for (std::size_t j = 0; j < window.width; ++j) {
      common = std::gcd(common, static_cast<std::int64_t>(at(pivot / window.width, j)));
    }
    divisor = static_cast<double>(common);
  }
  for (std::size_t j = 0; j < window.width; ++j) result.row[j] = at(pivot / window.width, j) / divisor;
  for (std::size_t i = 0; i < window.height; ++i) {
    result.column[i] = at(i, pivot % window.width) / result.row[pivot % window.width];
  }
  constexpr double tolerance = 1e-12;
  for (std::size_t i = 0; i < window.height; ++i) {
    for (std::size_t j = 0; j < window.width; ++j) {
      if (std::abs(at(i, j) - result.column[i] * result.row[j]) > tolerance * std::abs(largest)) return std::nullopt;
    }
  }
  return result;
}

ImageArithmetic choose_arithmetic(const Window& window, double scale, double offset, unsigned bits) {
  const double largest_sample = (1U << bits) - 1;
  double lowest = 0;
  double highest = 0;
  for (const double weight : window.weights) (weight < 0 ? lowest : highest) += weight * largest_sample;
  const double magnitude = std::max(highest, -lowest);

  ImageArithmetic result;
  result.exact = std::all_of(window.weights.begin(), window.weights.end(), is_whole) && is_whole(scale) &&
                 is_whole(offset) && magnitude + std::abs(offset) * scale < 0x1p52;
  if (!result.exact) {
    result.factor = 1 / scale;
    result.after = offset + 0.5;
    // Rounding errors of the sums, in levels, should stay well below one.
    const double error = (highest - lowest) / scale * 0x1p-24 * static_cast<double>(window.weights.size());
    result.sums = error < 0.25 ? ImageArithmetic::Sums::floats : ImageArithmetic::Sums::doubles;
    return result;
  }
  // Halves are rounded up: floor(sum / scale + offset + 1/2) = floor((sum + before) / scale) for whole numbers.
  const double before = offset * scale + std::floor(scale / 2);
  if (bits == 8) {
    if (const auto finish = find_short_finish(lowest, highest, before, scale)) {
      result.short_finish = *finish;
      result.sums = ImageArithmetic::Sums::short_integers;
    }
  }
  // A quotient by multiplication is half a step of 1/scale above the whole numbers that it must not fall below, which
  // rounding (a factor and a product, each to half a unit) must not reach; powers of two are exact as they are.
  result.before = is_power_of_two(scale) ? before : before + 0.5;
  result.factor = 1 / scale;
  if (result.sums == ImageArithmetic::Sums::short_integers) return result;
  const double limit = is_power_of_two(scale) ? 0x1p24 : 0x1p23;
  const bool float_is_exact = magnitude + std::abs(before) + 1 <= limit && magnitude + 1 <= limit &&
                              (is_power_of_two(scale) || scale * (largest_sample + 1) <= 0x1p22);
  result.sums = float_is_exact ? ImageArithmetic::Sums::floats : ImageArithmetic::Sums::doubles;
  return result;
}

}  // namespace twiddle::apps
