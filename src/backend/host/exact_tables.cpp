// Roots of unity, chirps and their spectra in double-double arithmetic.
#include "backend/host/exact_tables.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/double_double.hpp"
#include "backend/host/vector_roots.hpp"
#include "plan/numbers/tables.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t most_kept = 4096;  // points whose memory the thread keeps
constexpr std::size_t largest_radix = 13;
constexpr std::size_t widest_vector = 8;  // lanes

std::array<double, 4> in_doubles(const std::complex<long double>& value) {
  const auto low = [](long double part) { return static_cast<double>(part - static_cast<double>(part)); };
  return {static_cast<double>(value.real()), low(value.real()), static_cast<double>(value.imag()), low(value.imag())};
}

// Complex double-doubles, with room for a vector beyond the last one.
class Numbers {
 public:
  // In memory from there on, which then begins behind them.
  Numbers(double*& memory, std::size_t count) : plane_(scalars(count) / 4), values_(memory) {
    memory += scalars(count);
  }
  [[nodiscard]] static std::size_t scalars(std::size_t count) {
    constexpr std::size_t line = cache_line / sizeof(double);  // between the planes, which fall onto other sets then
    return 4 * ((count + widest_vector + line - 1) / line + 1) * line;
  }

  [[nodiscard]] DoubleDoublePlanes from(std::size_t at) const {
    return {values_ + at, values_ + plane_ + at, values_ + 2 * plane_ + at, values_ + 3 * plane_ + at};
  }
  void clear(std::size_t begin, std::size_t end) {
    for (double* const plane : from(0)) std::fill(plane + begin, plane + end, 0.0);
  }
  // With high parts as passes need them.
  void set(std::size_t at, const std::array<double, 4>& value) {
    constexpr double shift = double_double_unit * 0x1.8p52;
    for (std::size_t part = 0; part < 4; part += 2) {
      const double high = value[part] + shift - shift;
      values_[part * plane_ + at] = high;
      values_[(part + 1) * plane_ + at] = value[part] - high + value[part + 1];
    }
  }
  [[nodiscard]] std::array<double, 4> operator[](std::size_t at) const {
    return {values_[at], values_[plane_ + at], values_[2 * plane_ + at], values_[3 * plane_ + at]};
  }
  [[nodiscard]] std::complex<double> rounded(std::size_t at) const {
    const auto [re, re_low, im, im_low] = (*this)[at];
    return {re + re_low, im + im_low};
  }

 private:
  std::size_t plane_;
  double* values_;
};

// exp(-2 pi i k / n), k = 0..n - 1.
Numbers roots_of_unity(std::uint64_t n, const DoubleDoubleKernels& kernels, double*& memory) {
  Numbers roots(memory, n);
  RootBlocks blocks(n, 1, n, kernels);
  for (std::uint64_t k = 0; k < n; k += RootBlocks::size) {
    blocks.next(std::min<std::uint64_t>(RootBlocks::size, n - k), roots.from(k));
  }
  return roots;
}

// Pairs of twos as fours; these first, for whose short runs there are kernels, then the largest.
std::vector<std::size_t> radices_of(std::size_t length) {
  std::vector<std::size_t> radices;
  for (const std::size_t prime : plan::prime_factors(length)) {
    if (prime == 2 && !radices.empty() && radices.back() == 2) {
      radices.back() = 4;
    } else {
      radices.push_back(prime);
    }
  }
  std::sort(radices.begin(), radices.end(),
            [](std::size_t a, std::size_t b) { return std::pair(a == 4, a) > std::pair(b == 4, b); });
  return radices;
}

// The forward transform, times 1 / points.
std::vector<std::complex<double>> spectrum_of(Numbers values, std::size_t points, const DoubleDoubleKernels& kernels,
                                              double* memory) {
  const Numbers roots = roots_of_unity(points, kernels, memory);
  Numbers other(memory, points);
  DoubleDoublePass pass{.done = 1, .rest = points, .roots = roots.from(0)};
  for (const std::size_t radix : radices_of(points)) {
    pass.radix = radix;
    pass.rest /= radix;
    pass.from = values.from(0);
    pass.to = other.from(0);
    kernels.pass(pass);
    pass.done *= radix;
    std::swap(values, other);
  }
  kernels.turn(values.from(0), in_doubles(1 / static_cast<long double>(points)), points, values.from(0));
  std::vector<std::complex<double>> spectrum;
  spectrum.reserve(points);
  for (std::size_t k = 0; k < points; ++k) spectrum.push_back(values.rounded(k));
  return spectrum;
}

// exp(-pi i j^2 / length), j = 0..length / 2: the others are the mirror images of these, with the sign of (-1)^length.
Numbers half_chirp(std::uint64_t length, const DoubleDoubleKernels& kernels, double*& memory) {
  const std::uint64_t count = length / 2 + 1;
  Numbers chirp(memory, count);
  const RootSteps steps(2 * length);
  std::array<double, RootBlocks::size> squares{};  // modulo 2 length; those behind the last one are read as well
  std::uint64_t square = 0;
  for (std::uint64_t begin = 0; begin < count; begin += squares.size()) {
    const std::uint64_t end = std::min<std::uint64_t>(begin + squares.size(), count);
    for (std::uint64_t j = begin; j < end; ++j) {
      squares[j - begin] = static_cast<double>(square);
      square += 2 * j + 1;
      if (square >= 2 * length) square -= 2 * length;
    }
    kernels.roots(steps, squares.data(), end - begin, chirp.from(begin));
  }
  return chirp;
}

plan::ConvolutionTables<double> bluestein_tables(const plan::Convolution& convolution, std::uint64_t length,
                                                 const DoubleDoubleKernels& kernels, double* memory) {
  const std::size_t points = convolution.points;
  const std::uint64_t inputs = convolution.inputs == 0 ? length : convolution.inputs;
  const std::uint64_t outputs = convolution.outputs == 0 ? length : convolution.outputs;
  const Numbers chirp = half_chirp(length, kernels, memory);
  plan::ConvolutionTables<double> tables;
  tables.chirp.resize(length);
  Numbers values(memory, points);
  values.clear(outputs, std::max<std::size_t>(outputs, points - inputs + 1));  // none between where both meet
  const auto put = [&](std::uint64_t j, double sign, const std::array<double, 4>& value) {
    const auto [re, re_low, im, im_low] = value;
    tables.chirp[j] = {sign * (re + re_low), sign * (im + im_low)};
    const std::array<double, 4> conjugate{sign * re, sign * re_low, -sign * im, -sign * im_low};
    if (j < outputs) values.set(j, conjugate);
    if (j > 0 && j < inputs) values.set(points - j, conjugate);
  };
  for (std::uint64_t j = 0; j <= length / 2; ++j) put(j, 1, chirp[j]);
  const double sign = length % 2 == 0 ? 1 : -1;
  for (std::uint64_t j = length / 2 + 1; j < length; ++j) put(j, sign, chirp[length - j]);
  tables.spectrum = spectrum_of(values, points, kernels, memory);
  return tables;
}

plan::ConvolutionTables<double> rader_tables(std::uint64_t prime, const DoubleDoubleKernels& kernels, double* memory) {
  plan::ConvolutionTables<double> tables;
  std::tie(tables.load_order, tables.store_order) = plan::rader_orders(prime);
  const Numbers roots = roots_of_unity(prime, kernels, memory);
  Numbers values(memory, prime - 1);
  for (std::size_t q = 0; q + 1 < prime; ++q) values.set(q, roots[tables.store_order[q]]);
  tables.spectrum = spectrum_of(values, prime - 1, kernels, memory);
  tables.spectrum.front() = -1 / static_cast<double>(prime - 1);  // exactly the sum of all roots but 1
  return tables;
}

}  // namespace

std::optional<plan::ConvolutionTables<double>> exact_tables(const plan::Convolution& convolution, std::uint64_t length,
                                                            Direction direction, std::int64_t targets) {
  const DoubleDoubleKernels* const kernels = find_double_double(targets);
  const std::size_t points = convolution.points;
  if (kernels == nullptr || points > double_double_most_points || points < largest_radix * kernels->vector ||
      plan::prime_factors(points).back() > largest_radix) {
    return std::nullopt;
  }
  const std::size_t scalars = Numbers::scalars(length) + 3 * Numbers::scalars(points);
  // New pages would take as long as a short transform; the thread keeps no more than executions use as well.
  AlignedArray<double> much(points > most_kept ? scalars : 0);
  double* const memory =
      points > most_kept ? much.data() : static_cast<double*>(thread_scratch(scalars * sizeof(double)));
  plan::ConvolutionTables<double> tables = convolution.algorithm == plan::Convolution::Algorithm::bluestein
                                               ? bluestein_tables(convolution, length, *kernels, memory)
                                               : rader_tables(length, *kernels, memory);
  if (direction == Direction::forward) return tables;
  for (auto* const values : {&tables.spectrum, &tables.chirp}) {
    for (auto& value : *values) value = std::conj(value);
  }
  return tables;
}

}  // namespace twiddle::backend::host
