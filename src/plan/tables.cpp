// Roots of unity, chirps and their spectra in extended precision.
#include "plan/tables.hpp"

#include <cmath>
#include <numbers>

#include "plan/smooth_transform.hpp"

namespace twiddle::plan {

std::complex<long double> root_of_unity(std::uint64_t k, std::uint64_t n) {
  // Sine and cosine are only taken of angles up to an eighth of a turn, where both are accurate; the octant restores
  // the rest exactly.
  const std::uint64_t eighths = k % n * 8;
  const std::uint64_t octant = eighths / n;
  const std::uint64_t within = eighths % n;  // in units of 1/(8 n) of a turn
  const bool mirrored = octant % 2 == 1;                        // measure from the octant's far end
  const auto numerator = static_cast<long double>(mirrored ? n - within : within);
  const long double angle = numerator / static_cast<long double>(n) * (std::numbers::pi_v<long double> / 4);
  const long double c = std::cos(angle);
  const long double s = std::sin(angle);
  long double real = 1;
  long double imaginary = 0;
  switch (octant) {  // cos and sin of the full angle, counter-clockwise
    case 0: real = c; imaginary = s; break;
    case 1: real = s; imaginary = c; break;
    case 2: real = -s; imaginary = c; break;
    case 3: real = -c; imaginary = s; break;
    case 4: real = -c; imaginary = -s; break;
    case 5: real = -s; imaginary = -c; break;
    case 6: real = s; imaginary = -c; break;
    default: real = c; imaginary = -s; break;
  }
  return {real, -imaginary};
}

namespace {

// exp(-pi i j^2 / n), the square reduced modulo 2 n so that nothing is lost for long sequences.
std::complex<long double> chirp(std::uint64_t j, std::uint64_t n) {
  const std::uint64_t modulus = 2 * n;
  std::uint64_t square = 0;  // j * j mod modulus by doubling where the product would overflow
  if (j < (std::uint64_t{1} << 32)) {
    square = j * j % modulus;
  } else {
    for (std::uint64_t bits = j, term = j % modulus; bits != 0; bits >>= 1, term = term * 2 % modulus) {
      if (bits & 1) square = (square + term) % modulus;
    }
  }
  return root_of_unity(square, modulus);
}

}  // namespace

std::vector<std::complex<long double>> factor_values(const Factor& factor) {
  std::vector<std::complex<long double>> values(factor.count());
  const std::uint64_t n = factor.length;
  if (factor.sequence == Factor::Sequence::chirp) {
    for (std::uint64_t j = 0; j < n; ++j) values[j] = chirp(j, n);
  } else {
    values[0] = 1;
    for (std::uint64_t j = 1; j < n; ++j) values[j] = values[factor.padded - j] = std::conj(chirp(j, n));
    values = smooth_transform(values);
  }
  if (factor.direction == Direction::inverse) {
    for (auto& value : values) value = std::conj(value);
  }
  return values;
}

}  // namespace twiddle::plan
