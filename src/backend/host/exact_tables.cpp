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
#include "backend/host/chirp_tables.hpp"
#include "backend/host/double_double_line.hpp"
#include "backend/host/vector_roots.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t most_kept = 4096;  // points whose memory the thread keeps

// Points of chirps up to which one line is sooner than columns and rows, half of which are left where the chirp is its
// own mirror image. On one thread such lines of up to twice as many take 0.7 to 1.0 of the time, but threads share
// columns and rows.
constexpr std::size_t most_in_a_line = double_double_most_points;
constexpr std::size_t most_mirrored_in_a_line = most_in_a_line / 2;

// The forward transform, times 1 / points.
std::vector<std::complex<double>> spectrum_of(DoubleDoubles values, std::size_t points,
                                              const DoubleDoubleKernels& kernels, double* memory) {
  const DoubleDoubleLine line(points, kernels, memory);
  const DoubleDoubles result = line.run(values, DoubleDoubles(memory, points));
  kernels.turn(result.from(0), in_doubles(1 / static_cast<long double>(points)), points, result.from(0));
  std::vector<std::complex<double>> spectrum;
  spectrum.reserve(points);
  for (std::size_t k = 0; k < points; ++k) spectrum.push_back(result.rounded(k));
  return spectrum;
}

// exp(-pi i j^2 / length), j = 0..length / 2, with room for so many: the others are the mirror images of these, with
// the sign of (-1)^length.
DoubleDoubles half_chirp(std::uint64_t length, std::size_t room, const DoubleDoubleKernels& kernels, double*& memory) {
  const std::uint64_t count = length / 2 + 1;
  DoubleDoubles chirp(memory, room);
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

// The chirp's transform times 1 / points, of elements that are mirrored about the first.
std::vector<std::complex<double>> mirrored_spectrum(const DoubleDoubles& values, std::size_t points,
                                                    const DoubleDoubleKernels& kernels, double* memory) {
  const DoubleDoubleMirroredLine line(points, kernels, memory);
  const auto scale = in_doubles(1 / static_cast<long double>(points));
  std::vector<std::complex<double>> spectrum(points);
  line.run(values, [&](std::size_t k, const DoubleDoubles& row) {
    kernels.turn(row.from(0), scale, line.row(), row.from(0));
    const auto [real, real_low, imaginary, imaginary_low] = row.from(0);  // the larger parts are the nearest doubles
    for (std::size_t q = 0; q < line.row(); ++q, k += line.radix()) {
      const std::complex<double> value(real[q], imaginary[q]);
      spectrum[k] = value;
      spectrum[k == 0 ? 0 : points - k] = value;
    }
  });
  return spectrum;
}

plan::ConvolutionTables<double> bluestein_tables(const plan::Factor& factor, const DoubleDoubleKernels& kernels,
                                                 double* memory) {
  const std::uint64_t length = factor.length;
  const std::uint64_t inputs = factor.inputs;
  const std::uint64_t outputs = factor.outputs;
  const std::size_t points = factor.padded;
  DoubleDoubles chirp = half_chirp(length, std::max<std::size_t>(length, points / 2 + 1), kernels, memory);
  const double sign = length % 2 == 0 ? 1 : -1;
  plan::ConvolutionTables<double> tables;
  tables.chirp.resize(length);
  const auto [real, real_low, imaginary, imaginary_low] = chirp.from(0);  // the larger parts are the nearest doubles
  for (std::uint64_t j = 0; j <= length / 2; ++j) tables.chirp[j] = {real[j], imaginary[j]};
  for (std::uint64_t j = length / 2 + 1; j < length; ++j) tables.chirp[j] = sign * tables.chirp[length - j];

  chirp.conjugate_for_passes(length / 2 + 1);
  for (double* const plane : chirp.from(0)) {
    for (std::uint64_t j = length / 2 + 1; j < length; ++j) plane[j] = sign * plane[length - j];
  }
  // What is convolved with is this and its mirror image, which says nothing more where as many are read as are made.
  if (inputs == outputs && DoubleDoubleMirroredLine::serves(points, kernels)) {
    chirp.clear(length, points / 2 + 1);
    tables.spectrum = mirrored_spectrum(chirp, points, kernels, memory);
    return tables;
  }
  const DoubleDoubles values(memory, points);
  for (std::size_t part = 0; part < 4; ++part) {
    const double* const from = chirp.from(0)[part];
    double* const to = values.from(0)[part];
    std::copy_n(from, outputs, to);
    // Nothing is between where both meet.
    std::fill(to + outputs, to + std::max<std::size_t>(outputs, points - inputs + 1), 0.0);
    for (std::uint64_t j = 1; j < inputs; ++j) to[points - j] = from[j];
  }
  tables.spectrum = spectrum_of(values, points, kernels, memory);
  return tables;
}

bool are_long(const plan::Factor& factor, const DoubleDoubleKernels& kernels) {
  const bool mirrored = factor.inputs == factor.outputs;
  return factor.padded > (mirrored ? most_mirrored_in_a_line : most_in_a_line) && factor.length < longest_chirp &&
         makes_chirp_spectrum(factor.padded, kernels);
}

// Likewise of many points, whose chirp_spectrum is the factor's.
plan::ConvolutionTables<double> long_bluestein_tables(const plan::Factor& factor, const DoubleDoubleKernels& kernels) {
  plan::ConvolutionTables<double> tables;
  tables.chirp.resize(factor.length);
  make_chirp(factor.length, kernels, tables.chirp.data());
  tables.spectrum.resize(factor.padded);
  make_chirp_spectrum(factor, 1 / static_cast<long double>(factor.padded), kernels, tables.spectrum.data());
  return tables;
}

plan::ConvolutionTables<double> rader_tables(std::uint64_t prime, const DoubleDoubleKernels& kernels, double* memory) {
  plan::ConvolutionTables<double> tables;
  std::tie(tables.load_order, tables.store_order) = plan::rader_orders(prime);
  const DoubleDoubles roots = roots_of_unity(prime, prime, kernels, memory);
  DoubleDoubles values(memory, prime - 1);
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
  if (kernels == nullptr) return std::nullopt;
  const bool bluestein = convolution.algorithm == plan::Convolution::Algorithm::bluestein;
  plan::Factor factor;
  factor.length = length;
  factor.inputs = convolution.inputs == 0 ? length : convolution.inputs;
  factor.outputs = convolution.outputs == 0 ? length : convolution.outputs;
  factor.padded = points;
  plan::ConvolutionTables<double> tables;
  if (bluestein && are_long(factor, *kernels)) {
    tables = long_bluestein_tables(factor, *kernels);
  } else {
    if (points > most_in_a_line || !DoubleDoubleLine::serves(points, *kernels)) return std::nullopt;
    const std::size_t longest = std::max<std::size_t>(length, points / 2 + 1);
    const std::size_t scalars = DoubleDoubles::scalars(longest) + 3 * DoubleDoubles::scalars(points);
    // New pages would take as long as a short transform; the thread keeps no more than executions use as well.
    AlignedArray<double> much(points > most_kept ? scalars : 0);
    double* const memory =
        points > most_kept ? much.data() : static_cast<double*>(thread_scratch(scalars * sizeof(double)));
    tables = bluestein ? bluestein_tables(factor, *kernels, memory) : rader_tables(length, *kernels, memory);
  }
  if (direction == Direction::forward) return tables;
  for (auto* const values : {&tables.spectrum, &tables.chirp}) {
    for (auto& value : *values) value = std::conj(value);
  }
  return tables;
}

}  // namespace twiddle::backend::host
