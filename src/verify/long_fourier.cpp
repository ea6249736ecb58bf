// The reference's Fourier transform.
#include "verify/long_fourier.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace twiddle::verify {
namespace {

constexpr std::size_t largest_direct_sum = 50;

// Without the care for infinities that std::complex takes, which makes it several times slower.
Value product(const Value& a, const Value& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Fours first, then primes in ascending order.
std::vector<std::size_t> factors_of(std::size_t length) {
  std::vector<std::size_t> factors;
  for (; length % 4 == 0; length /= 4) factors.push_back(4);
  for (std::size_t prime = 2; prime * prime <= length; ++prime) {
    for (; length % prime == 0; length /= prime) factors.push_back(prime);
  }
  if (length > 1) factors.push_back(length);
  return factors;
}

std::vector<Value> unit_roots(std::size_t n) {
  std::vector<Value> roots(n);
  for (std::size_t k = 0; k < n; ++k) roots[k] = unit_root(k, n);
  return roots;
}

}  // namespace

Value unit_root(std::uint64_t k, std::uint64_t n) {
  const std::uint64_t eighths = k % n * 8;
  const auto octant = static_cast<unsigned>(eighths / n);
  const std::uint64_t rest = eighths % n;
  // The distance from the nearest axis, in eighths of 1/n turns.
  const std::uint64_t distance = octant % 2 == 0 ? rest : n - rest;
  const long double angle =
      std::numbers::pi_v<long double> / 4 * (static_cast<long double>(distance) / static_cast<long double>(n));
  const bool diagonal = distance == n;  // both the same, which rounding of the angle would spoil
  const long double along = diagonal ? std::sqrt(0.5L) : std::cos(angle);
  const long double across = diagonal ? along : std::sin(angle);
  switch (octant) {
    case 0:
      return {along, -across};
    case 1:
      return {across, -along};
    case 2:
      return {-across, -along};
    case 3:
      return {-along, -across};
    case 4:
      return {-along, across};
    case 5:
      return {-across, along};
    case 6:
      return {across, along};
    default:
      return {along, across};
  }
}

// exp(-2 pi i j k / p) = c[j] c[k] / c[k - j] with c[j] = exp(-pi i j^2 / p): a convolution with 1/c, of a power of two
// that holds it without wrapping around.
struct LongFourier::Convolution {
  struct Prime {
    std::vector<Value> chirp;
    std::vector<Value> spectrum;  // of 1/c, scaled by the inverse of its points
    LongFourier* fourier = nullptr;
  };
  std::map<std::size_t, Prime> primes;
  std::map<std::size_t, LongFourier> fouriers;
  std::vector<Value> work;

  void add(std::size_t p) {
    if (primes.contains(p)) return;
    std::size_t points = 1;
    while (points < 2 * p - 1) points *= 2;
    LongFourier& fourier = fouriers.try_emplace(points, points).first->second;
    Prime prime{std::vector<Value>(p), std::vector<Value>(points), &fourier};
    for (std::size_t j = 0; j < p; ++j) {
      const auto square = std::uint64_t{j} * j % (2 * p);
      prime.chirp[j] = unit_root(square, 2 * p);
      const Value inverse = std::conj(prime.chirp[j]) / static_cast<long double>(points);
      prime.spectrum[j] = inverse;
      if (j > 0) prime.spectrum[points - j] = inverse;
    }
    fourier.forward(prime.spectrum);
    primes.emplace(p, std::move(prime));
  }

  void transform(std::span<Value> values) {
    const Prime& prime = primes.at(values.size());
    work.assign(prime.spectrum.size(), 0);
    for (std::size_t j = 0; j < values.size(); ++j) work[j] = product(values[j], prime.chirp[j]);
    prime.fourier->forward(work);
    for (std::size_t k = 0; k < work.size(); ++k) work[k] = product(work[k], prime.spectrum[k]);
    prime.fourier->inverse(work);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = product(work[k], prime.chirp[k]);
  }
};

LongFourier::LongFourier(std::size_t length)
    : length_(length), factors_(factors_of(length)), roots_(unit_roots(length)) {
  for (const std::size_t factor : factors_) {
    if (factor <= largest_direct_sum) continue;
    if (!convolution_) convolution_ = std::make_unique<Convolution>();
    convolution_->add(factor);
  }
}

LongFourier::~LongFourier() = default;
LongFourier::LongFourier(LongFourier&&) noexcept = default;
LongFourier& LongFourier::operator=(LongFourier&&) noexcept = default;

void LongFourier::forward(std::span<Value> line) {
  input_.assign(line.begin(), line.end());
  transform(0, input_.data(), 1, line.data());
}

void LongFourier::inverse(std::span<Value> line) {
  for (Value& value : line) value = std::conj(value);
  forward(line);
  for (Value& value : line) value = std::conj(value);
}

void LongFourier::transform(std::size_t level, const Value* input, std::size_t input_stride, Value* output) {
  if (level == factors_.size()) {
    *output = *input;
    return;
  }
  const std::size_t radix = factors_[level];
  const std::size_t count = length_ / input_stride / radix;
  for (std::size_t q = 0; q < radix; ++q) {
    transform(level + 1, input + q * input_stride, input_stride * radix, output + q * count);
  }
  combine(radix, count, output);
}

// `radix` transforms of `count` points, one after the other, become one of radix * count.
void LongFourier::combine(std::size_t radix, std::size_t count, Value* values) {
  const std::size_t turn = length_ / (radix * count);
  terms_.resize(radix);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t q = 0; q < radix; ++q) terms_[q] = product(values[q * count + k], roots_[q * k * turn]);
    short_transform(terms_);
    for (std::size_t q = 0; q < radix; ++q) values[q * count + k] = terms_[q];
  }
}

void LongFourier::short_transform(std::span<Value> values) {
  const std::size_t radix = values.size();
  if (radix == 2) {
    const Value difference = values[0] - values[1];
    values[0] += values[1];
    values[1] = difference;
    return;
  }
  if (radix == 4) {
    const Value even_sum = values[0] + values[2], even = values[0] - values[2];
    const Value odd_sum = values[1] + values[3], odd = values[1] - values[3];
    values[0] = even_sum + odd_sum;
    values[1] = {even.real() + odd.imag(), even.imag() - odd.real()};
    values[2] = even_sum - odd_sum;
    values[3] = {even.real() - odd.imag(), even.imag() + odd.real()};
    return;
  }
  if (radix > largest_direct_sum) return convolution_->transform(values);
  const std::size_t turn = length_ / radix;
  sums_.assign(radix, 0);
  for (std::size_t k = 0; k < radix; ++k) {
    for (std::size_t j = 0; j < radix; ++j) sums_[k] += product(values[j], roots_[j * k % radix * turn]);
  }
  std::ranges::copy(sums_, values.begin());
}

}  // namespace twiddle::verify
