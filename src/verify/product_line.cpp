// Tables, products of two lines, and combs.
#include "verify/product_line.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <utility>

#include "twiddle/error.hpp"
#include "verify/long_fourier.hpp"
#include "verify/random.hpp"

namespace twiddle::verify {
namespace {

// Of two factors the first is tabulated; where they are coprime, both are.
struct Division {
  std::uint64_t first = 1;
  std::uint64_t second = 1;
};

// The largest divisor that is tabulated and leaves a coprime one that is; else the largest that is tabulated.
Division divide(std::uint64_t length, std::uint64_t most) {
  Division largest;
  for (std::uint64_t divisor = most; divisor > 1; --divisor) {
    if (length % divisor != 0) continue;
    const std::uint64_t other = length / divisor;
    if (other <= most && std::gcd(divisor, other) == 1) return {divisor, other};
    if (largest.first == 1) largest = {divisor, other};
  }
  return largest;
}

// The number that times `value` is 1 modulo `modulus`, by Euclid's algorithm.
std::uint64_t inverse_modulo(std::uint64_t value, std::uint64_t modulus) {
  std::int64_t remainder = static_cast<std::int64_t>(modulus), next = static_cast<std::int64_t>(value % modulus);
  std::int64_t factor = 0, next_factor = 1;
  while (next != 0) {
    const std::int64_t quotient = remainder / next;
    remainder = std::exchange(next, remainder - quotient * next);
    factor = std::exchange(next_factor, factor - quotient * next_factor);
  }
  return static_cast<std::uint64_t>(factor < 0 ? factor + static_cast<std::int64_t>(modulus) : factor);
}

// Odd multiples of 1/16 below 1: never zero, and products of several have few bits.
Value short_value(Random& random, bool real) {
  const auto part = [&] { return (2 * static_cast<long double>(random.below(16)) - 15) / 16; };
  const long double first = part();
  return {first, real ? 0 : part()};
}

template <class Complex>
Complex product(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class Complex>
std::vector<Complex> narrowed(const std::vector<Value>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

template <class Real>
struct ProductLine<Real>::Rule {
  static constexpr std::size_t comb_teeth = 3;
  static constexpr std::uint64_t fine_roots = std::uint64_t{1} << 16;

  struct Table {
    std::vector<Complex> line{};
    std::vector<Complex> spectrum{};
  };
  std::uint64_t length = 0;
  bool transformed = true;
  Division division{};
  bool coprime = true;
  Table first{};
  Table second{};                                  // where coprime
  std::array<std::uint64_t, comb_teeth> places{};  // below division.second
  std::array<Complex, comb_teeth> weights{};
  std::vector<Complex> low_roots{};  // of `length`: of powers below fine_roots, and of multiples of that
  std::vector<Complex> high_roots{};

  static Table table(std::uint64_t points, bool real, bool transformed, Random& random) {
    std::vector<Value> line(points);
    for (Value& value : line) value = short_value(random, real);
    Table result{.line = narrowed<Complex>(line)};
    if (transformed) {
      LongFourier(points).forward(line);
      result.spectrum = narrowed<Complex>(line);
    }
    return result;
  }

  void make_comb(bool real, Random& random) {
    for (std::size_t tooth = 0; tooth < comb_teeth; ++tooth) {
      // Teeth from different parts of the row may not fall together.
      const std::uint64_t begin = division.second * tooth / comb_teeth;
      const std::uint64_t end = division.second * (tooth + 1) / comb_teeth;
      weights[tooth] = end > begin ? Complex(short_value(random, real)) : Complex(0);
      places[tooth] = end > begin ? random.between(begin, end - 1) : begin;
    }
    for (std::uint64_t i = 0; i < fine_roots; ++i) low_roots.emplace_back(unit_root(i % length, length));
    for (std::uint64_t i = 0; i <= length / fine_roots; ++i) {
      high_roots.emplace_back(unit_root(i * fine_roots % length, length));
    }
  }

  [[nodiscard]] Complex root(std::uint64_t power) const {
    return product(high_roots[power / fine_roots], low_roots[power % fine_roots]);
  }

  void coprime_values(bool spectrum, std::uint64_t begin, std::uint64_t count, Complex* result) const {
    const auto [p, q] = division;
    const std::vector<Complex>& a = spectrum ? first.spectrum : first.line;
    const std::vector<Complex>& b = spectrum ? second.spectrum : second.line;
    const std::uint64_t a_step = spectrum ? inverse_modulo(q, p) : 1, b_step = spectrum ? inverse_modulo(p, q) : 1;
    std::uint64_t at_a = begin % p * a_step % p, at_b = begin % q * b_step % q;
    for (std::uint64_t i = 0; i < count; ++i) {
      result[i] = product(a[at_a], b[at_b]);
      if ((at_a += a_step) >= p) at_a -= p;
      if ((at_b += b_step) >= q) at_b -= q;
    }
  }

  void comb_line(std::uint64_t begin, std::uint64_t count, Complex* result) const {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t row = (begin + i) / division.second, column = (begin + i) % division.second;
      result[i] = 0;
      for (std::size_t tooth = 0; tooth < comb_teeth; ++tooth) {
        if (places[tooth] == column) result[i] += product(first.line[row], weights[tooth]);
      }
    }
  }

  void comb_spectrum(std::uint64_t begin, std::uint64_t count, Complex* result) const {
    std::array<std::uint64_t, comb_teeth> powers;
    for (std::size_t tooth = 0; tooth < comb_teeth; ++tooth) powers[tooth] = begin * places[tooth] % length;
    std::uint64_t at = begin % division.first;
    for (std::uint64_t i = 0; i < count; ++i) {
      Complex sum = 0;
      for (std::size_t tooth = 0; tooth < comb_teeth; ++tooth) {
        sum += product(weights[tooth], root(powers[tooth]));
        if ((powers[tooth] += places[tooth]) >= length) powers[tooth] -= length;
      }
      result[i] = product(first.spectrum[at], sum);
      if (++at == division.first) at = 0;
    }
  }
};

template <class Real>
ProductLine<Real>::ProductLine(std::uint64_t length, bool real, bool transformed, std::uint64_t seed)
    : rule_(std::make_unique<Rule>()) {
  if (!serves(length)) {
    throw Unsupported(fmt::format("lines of {} points are too long for a table and have no divisor from 2 to {}",
                                  length, most_tabulated));
  }
  Random random(seed);
  rule_->length = length;
  rule_->transformed = transformed;
  rule_->division = length <= most_tabulated ? Division{length, 1} : divide(length, most_tabulated);
  const auto [p, q] = rule_->division;
  rule_->coprime = q <= most_tabulated && std::gcd(p, q) == 1;
  rule_->first = Rule::table(p, real, transformed, random);
  if (q > 1 && rule_->coprime) rule_->second = Rule::table(q, real, transformed, random);
  if (!rule_->coprime) rule_->make_comb(real, random);
}

template <class Real>
ProductLine<Real>::~ProductLine() = default;
template <class Real>
ProductLine<Real>::ProductLine(ProductLine&&) noexcept = default;
template <class Real>
ProductLine<Real>& ProductLine<Real>::operator=(ProductLine&&) noexcept = default;

template <class Real>
const std::complex<Real>* ProductLine<Real>::values(bool spectrum, std::uint64_t begin, std::uint64_t count,
                                                    Complex* room) const {
  spectrum = spectrum && rule_->transformed;
  if (rule_->division.second == 1) return (spectrum ? rule_->first.spectrum : rule_->first.line).data() + begin;
  if (rule_->coprime) {
    rule_->coprime_values(spectrum, begin, count, room);
  } else if (spectrum) {
    rule_->comb_spectrum(begin, count, room);
  } else {
    rule_->comb_line(begin, count, room);
  }
  return room;
}

template <class Real>
bool ProductLine<Real>::serves(std::uint64_t length) {
  return length <= most_tabulated || divide(length, most_tabulated).first > 1;
}

template class ProductLine<double>;
template class ProductLine<long double>;

}  // namespace twiddle::verify
