// The definition of the DFT, term by term, for chosen frequencies.
#include "sampled_spectrum.hpp"

#include <tbb/parallel_for.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <set>

namespace twiddle::bench {
namespace {

// A large array's outputs cost seconds.
std::size_t outputs_of(std::size_t array_size) { return array_size > (std::size_t{1} << 20) ? 2 : 5; }

SampledSpectrum::Roots roots_of_unity(std::size_t length) {
  SampledSpectrum::Roots roots(length);
  tbb::parallel_for(std::size_t{0}, length, [&](std::size_t k) {
    const long double turns = static_cast<long double>(k) / static_cast<long double>(length);
    roots[k] = std::polar(1.0L, -2.0L * std::numbers::pi_v<long double> * turns);
  });
  return roots;
}

// Sums along the last axis, then along the one before it, and so on.
SampledSpectrum::Value output_at(const std::complex<double>* array, const std::vector<std::size_t>& lengths,
                                 const std::vector<SampledSpectrum::Roots>& roots, std::size_t axis,
                                 const std::vector<std::size_t>& frequency) {
  std::size_t inner = 1;
  for (std::size_t later = axis + 1; later < lengths.size(); ++later) inner *= lengths[later];
  SampledSpectrum::Value sum = 0;
  std::size_t turn = 0;  // frequency * n modulo the length
  for (std::size_t n = 0; n < lengths[axis]; ++n) {
    const SampledSpectrum::Value value = axis + 1 == lengths.size()
                                             ? SampledSpectrum::Value(array[n])
                                             : output_at(array + n * inner, lengths, roots, axis + 1, frequency);
    sum += value * roots[axis][turn];
    turn = (turn + frequency[axis]) % lengths[axis];
  }
  return sum;
}

}  // namespace

SampledSpectrum::SampledSpectrum(const Transform& transform)
    : lengths_(transform.lengths), output_lengths_(transform.lengths), batch_(transform.batch) {
  if (transform.kind == Kind::r2c) output_lengths_.back() = output_lengths_.back() / 2 + 1;
  for (const std::size_t length : lengths_) roots_.push_back(roots_of_unity(length));
}

std::vector<std::size_t> SampledSpectrum::arrays() const {
  const std::set<std::size_t> different{0, batch_ / 2, batch_ - 1};
  return {different.begin(), different.end()};
}

std::size_t SampledSpectrum::output_size() const {
  return std::accumulate(output_lengths_.begin(), output_lengths_.end(), std::size_t{1}, std::multiplies<>());
}

void SampledSpectrum::add(std::size_t array, const std::vector<std::complex<double>>& elements) {
  const std::size_t size = output_size();
  const std::size_t known = samples_.size();
  samples_.resize(known + outputs_of(size));
  tbb::parallel_for(std::size_t{0}, outputs_of(size), [&](std::size_t i) {
    const std::size_t element = (i * (size / 3 + 1) + i) % size;  // 0 and some scattered others
    std::vector<std::size_t> frequency(lengths_.size());
    std::size_t rest = element;
    for (std::size_t axis = lengths_.size(); axis-- > 0; rest /= output_lengths_[axis]) {
      frequency[axis] = rest % output_lengths_[axis];
    }
    samples_[known + i] = {array, element, output_at(elements.data(), lengths_, roots_, 0, frequency)};
  });
}

double SampledSpectrum::error(
    const std::function<std::complex<double>(std::size_t array, std::size_t element)>& output) const {
  long double difference = 0;
  long double norm = 0;
  for (const Sample& sample : samples_) {
    difference += std::norm(Value(output(sample.array, sample.element)) - sample.value);
    norm += std::norm(sample.value);
  }
  return static_cast<double>(std::sqrt(difference / norm));
}

}  // namespace twiddle::bench
