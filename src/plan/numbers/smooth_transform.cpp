// Stockham's passes on lines that fit a core's cache, longer ones as columns and rows; sequences that are their own
// mirror image by transforms of a quarter, an eighth, ... of their length.
#include "plan/numbers/smooth_transform.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "plan/numbers/tables.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::plan {
namespace {

constexpr std::size_t longest_line = 4096;  // points
constexpr std::size_t block_lines = 8;      // neighbouring columns or rows that are taken from memory together
constexpr std::size_t shortest_mirrored = 32;

// Roots of one length serve its divisors: exp(-2 pi i k / n) is element k * step.
template <class Real>
struct StridedRoots {
  const ProductsOfRoots<Real>& roots;
  std::size_t step = 1;
  std::complex<Real> operator()(std::uint64_t k) const { return roots(k * step); }
};

// Pairs of twos as fours, which take fewer products; then the other primes, smallest first.
std::vector<std::size_t> factors_of(std::size_t length) {
  std::vector<std::size_t> factors;
  for (const std::size_t prime : prime_factors(length)) {
    if (prime == 2 && !factors.empty() && factors.back() == 2) {
      factors.back() = 4;
    } else {
      factors.push_back(prime);
    }
  }
  return factors;
}

// Lines of one length: self-sorting passes, decimation in frequency (W. T. Cochran et al., What is the fast Fourier
// transform?, 1967).
template <class Real>
class SmoothLine {
 public:
  using Value = std::complex<Real>;

  SmoothLine(std::size_t length, const StridedRoots<Real>& roots) : factors_(factors_of(length)) {
    roots_.reserve(length);
    for (std::size_t i = 0; i <= length / 2; ++i) roots_.push_back(roots(i));
    while (roots_.size() < length) roots_.push_back(std::conj(roots_[length - roots_.size()]));
    if (!factors_.empty()) terms_.resize(*std::max_element(factors_.begin(), factors_.end()));
  }

  // By way of both arrays; returns the one that holds the spectrum.
  Value* run(Value* from, Value* to) {
    std::size_t done = 1;
    for (const std::size_t radix : factors_) {
      const std::size_t rest = roots_.size() / done / radix;
      for (std::size_t p = 0; p < rest; ++p) {
        const Value* const source = from + done * p;
        Value* const target = to + done * radix * p;
        if (radix == 4) {
          pass_4(source, done * rest, done, p, target);
        } else if (radix == 2) {
          pass_2(source, done * rest, done, p, target);
        } else if (radix == 3) {
          pass_odd<3>(radix, source, done * rest, done, p, target);
        } else if (radix == 5) {
          pass_odd<5>(radix, source, done * rest, done, p, target);
        } else {
          pass_odd<0>(radix, source, done * rest, done, p, target);
        }
      }
      done *= radix;
      std::swap(from, to);
    }
    return from;
  }

 private:
  // Neighbouring results of the passes before, `done` of them, share the roots of column p.
  void pass_4(const Value* source, std::size_t step, std::size_t done, std::size_t p, Value* target) const {
    const Value root = roots_[p * done];
    const Value square = roots_[2 * p * done];
    const Value cube = roots_[3 * p * done];
    for (std::size_t q = 0; q < done; ++q) {
      const Value even = source[q] + source[q + 2 * step];
      const Value even_difference = source[q] - source[q + 2 * step];
      const Value odd = source[q + step] + source[q + 3 * step];
      const Value difference = source[q + step] - source[q + 3 * step];
      const Value turned(difference.imag(), -difference.real());
      target[q] = even + odd;
      target[q + done] = multiply(even_difference + turned, root);
      target[q + 2 * done] = multiply(even - odd, square);
      target[q + 3 * done] = multiply(even_difference - turned, cube);
    }
  }

  void pass_2(const Value* source, std::size_t step, std::size_t done, std::size_t p, Value* target) const {
    for (std::size_t q = 0; q < done; ++q) {
      const Value difference = source[q] - source[q + step];
      target[q] = source[q] + source[q + step];
      target[q + done] = multiply(difference, roots_[p * done]);
    }
  }

  // Terms j and radix - j share the real and the imaginary part of a root, as do the results. `known`: the radix, where
  // the compiler is to unroll its loops, else 0.
  template <std::size_t known>
  void pass_odd(std::size_t any, const Value* source, std::size_t step, std::size_t done, std::size_t p,
                Value* target) {
    const std::size_t radix = known == 0 ? any : known;
    const std::size_t turn = roots_.size() / radix;
    Value few[known == 0 ? 1 : known];
    Value* const terms = known == 0 ? terms_.data() : few;
    for (std::size_t q = 0; q < done; ++q, ++source, ++target) {
      Value total = terms[0] = source[0];
      for (std::size_t r = 1; r <= radix / 2; ++r) {
        terms[r] = source[r * step] + source[(radix - r) * step];
        terms[radix - r] = source[r * step] - source[(radix - r) * step];
        total += terms[r];
      }
      target[0] = total;
      for (std::size_t j = 1; j <= radix / 2; ++j) {
        Value even = terms[0];
        Value odd = 0;
        for (std::size_t r = 1, power = j; r <= radix / 2; ++r, power += j) {
          if (power >= radix) power -= radix;
          const Value& root = roots_[power * turn];
          even += root.real() * terms[r];
          odd += root.imag() * terms[radix - r];
        }
        const std::size_t mirror = radix - j;
        const Value one(even.real() - odd.imag(), even.imag() + odd.real());
        const Value other(even.real() + odd.imag(), even.imag() - odd.real());
        target[j * done] = multiply(one, roots_[j * p * done]);
        target[mirror * done] = multiply(other, roots_[mirror * p * done]);
      }
    }
  }

  std::vector<std::size_t> factors_;
  std::vector<Value> roots_;
  std::vector<Value> terms_;  // of one butterfly
};

// Columns and rows whose lengths are near each other, a block of neighbours at a time in memory of their own (D. H.
// Bailey, FFTs in external or hierarchical memory, 1990).
template <class Real>
LongVector<std::complex<Real>> by_columns_and_rows(LongVector<std::complex<Real>> values, std::size_t rows,
                                                   const StridedRoots<Real>& roots) {
  using Value = std::complex<Real>;
  const std::size_t columns = values.size() / rows;
  const std::size_t step = roots.step;
  SmoothLine<Real> column(rows, {roots.roots, step * columns});
  SmoothLine<Real> row(columns, {roots.roots, step * rows});
  std::vector<Value> fine(columns);  // power `columns` * high + low of the root is coarse[high] * fine[low]
  std::vector<Value> coarse(rows);
  for (std::size_t i = 0; i < columns; ++i) fine[i] = roots(i);
  for (std::size_t i = 0; i < rows; ++i) coarse[i] = roots(i * columns);

  const std::size_t longest = std::max(rows, columns);
  std::vector<Value> block(block_lines * longest);
  const Value* spectra[block_lines];
  std::vector<Value> work(block_lines * longest);
  const auto run = [&](SmoothLine<Real>& line, std::size_t length, std::size_t lines) {
    for (std::size_t i = 0; i < lines; ++i) spectra[i] = line.run(&block[i * length], &work[i * length]);
  };
  for (std::size_t begin = 0; begin < columns; begin += block_lines) {
    const std::size_t lines = std::min(block_lines, columns - begin);
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t i = 0; i < lines; ++i) block[i * rows + k] = values[k * columns + begin + i];
    }
    run(column, rows, lines);
    std::size_t low[block_lines] = {};
    std::size_t high[block_lines] = {};
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t i = 0; i < lines; ++i) {
        values[k * columns + begin + i] = multiply(spectra[i][k], multiply(coarse[high[i]], fine[low[i]]));
        low[i] += begin + i;
        const bool carries = low[i] >= columns;
        high[i] += carries ? 1 : 0;
        low[i] -= carries ? columns : 0;
      }
    }
  }
  LongVector<Value> result(values.size());
  for (std::size_t begin = 0; begin < rows; begin += block_lines) {
    const std::size_t lines = std::min(block_lines, rows - begin);
    std::copy_n(&values[begin * columns], lines * columns, block.begin());
    run(row, columns, lines);
    for (std::size_t k = 0; k < columns; ++k) {
      for (std::size_t i = 0; i < lines; ++i) result[k * rows + begin + i] = spectra[i][k];
    }
  }
  return result;
}

template <class Real>
LongVector<std::complex<Real>> transform(LongVector<std::complex<Real>> values, const StridedRoots<Real>& roots) {
  const std::size_t length = values.size();
  if (length <= 1) return values;
  std::size_t rows = 1;
  if (length > longest_line) {
    rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(length)));
    while (length % rows != 0) --rows;
  }
  if (rows > 1) return by_columns_and_rows(std::move(values), rows, roots);
  LongVector<std::complex<Real>> other = values;  // which takes less time than zeros, of long doubles
  if (SmoothLine<Real>(length, roots).run(values.data(), other.data()) == other.data()) return other;
  return values;
}

// Its elements of even and of odd index: the former are such a sequence of half the length, the latter a cosine
// transform of a quarter of the points (J. Makhoul, A fast cosine transform in one and two dimensions, 1980).
template <class Real>
LongVector<std::complex<Real>> mirrored(LongVector<std::complex<Real>> half, std::size_t length,
                                        const StridedRoots<Real>& roots) {
  using Value = std::complex<Real>;
  if (length % 4 != 0 || length < shortest_mirrored) {
    half.resize(length);
    for (std::size_t j = length / 2 + 1; j < length; ++j) half[j] = half[length - j];
    half = transform(std::move(half), roots);
    half.resize(length / 2 + 1);
    return half;
  }
  const std::size_t quarter = length / 4;
  LongVector<Value> even;
  LongVector<Value> odd;
  even.reserve(length / 2);
  odd.reserve(quarter);
  for (std::size_t m = 0; m <= quarter; ++m) even.push_back(half[2 * m]);
  for (std::size_t m = 0; 2 * m < quarter; ++m) odd.push_back(half[4 * m + 1]);
  for (std::size_t m = quarter / 2; m-- > 0;) odd.push_back(half[4 * m + 3]);
  even = mirrored(std::move(even), length / 2, {roots.roots, 2 * roots.step});
  odd = transform(std::move(odd), {roots.roots, 4 * roots.step});
  const auto put = [&](std::size_t k, const Value& value) {
    half[k] = even[k] + value;
    half[2 * quarter - k] = even[k] - value;
  };
  put(0, odd[0] + odd[0]);
  put(quarter, 0);
  for (std::size_t k = 1; 2 * k <= quarter; ++k) {
    const Value root = roots(k);
    const Value one = multiply(odd[k], root);
    const Value other = multiply(odd[quarter - k], std::conj(root));
    const Value difference = one - other;
    put(k, one + other);
    put(quarter - k, {-difference.imag(), difference.real()});
  }
  return half;
}

}  // namespace

template <class Real>
LongVector<std::complex<Real>> smooth_transform(LongVector<std::complex<Real>> values) {
  if (values.empty()) return values;
  const ProductsOfRoots<Real> roots(values.size());
  return transform<Real>(std::move(values), {roots});
}

// Pairs of reals as complex numbers (J. W. Cooley, P. A. W. Lewis, P. D. Welch, The fast Fourier transform algorithm:
// programming considerations in the calculation of sine, cosine and Laplace transforms, 1970).
template <class Real>
LongVector<std::complex<Real>> real_transform(const std::vector<Real>& values) {
  using Value = std::complex<Real>;
  const std::size_t half = values.size() / 2;
  const ProductsOfRoots<Real> roots(values.size());
  LongVector<Value> spectrum;
  spectrum.reserve(half + 1);
  for (std::size_t j = 0; j < half; ++j) spectrum.emplace_back(values[2 * j], values[2 * j + 1]);
  spectrum = transform<Real>(std::move(spectrum), {roots, 2});
  spectrum.push_back(spectrum[0]);
  for (std::size_t k = 0; 2 * k <= half; ++k) {
    const Value one = spectrum[k];
    const Value other = std::conj(spectrum[half - k]);
    const Value even = (one + other) * Real{0.5};
    const Value difference = (one - other) * Real{0.5};
    const Value odd = multiply(roots(k), Value(difference.imag(), -difference.real()));
    spectrum[k] = even + odd;
    spectrum[half - k] = std::conj(even - odd);
  }
  return spectrum;
}

template <class Real>
LongVector<std::complex<Real>> mirrored_transform(LongVector<std::complex<Real>> half, std::size_t length) {
  const ProductsOfRoots<Real> roots(length);
  return mirrored<Real>(std::move(half), length, {roots});
}

template LongVector<std::complex<double>> smooth_transform(LongVector<std::complex<double>>);
template LongVector<std::complex<long double>> smooth_transform(LongVector<std::complex<long double>>);
template LongVector<std::complex<double>> real_transform(const std::vector<double>&);
template LongVector<std::complex<long double>> real_transform(const std::vector<long double>&);
template LongVector<std::complex<double>> mirrored_transform(LongVector<std::complex<double>>, std::size_t);
template LongVector<std::complex<long double>> mirrored_transform(LongVector<std::complex<long double>>, std::size_t);

}  // namespace twiddle::plan
