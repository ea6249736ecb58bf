// Element-by-element loads and stores.
#include "backend/host/staging.hpp"

#include <cmath>

#include "plan/tables.hpp"

namespace twiddle::backend::host {
namespace {

using Complex = std::complex<float>;

// Without the checks for infinities that the standard's product makes.
Complex multiply(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::vector<Complex> rounded_values(const plan::Factor& factor) {
  std::vector<Complex> result;
  for (const std::complex<long double>& value : plan::factor_values(factor)) result.emplace_back(value);
  return result;
}

}  // namespace

Staging::Staging(const plan::Stage& stage, const Position& lane_step, bool twiddle_done)
    : length_(stage.length),
      input_stride_(stage.input_stride),
      output_stride_(stage.output_stride),
      lane_step_(lane_step) {
  if (stage.load_factor) load_factor_ = {rounded_values(*stage.load_factor), stage.load_factor->element_stride};
  if (stage.store_factor) store_factor_ = {rounded_values(*stage.store_factor), stage.store_factor->element_stride};
  if (!stage.twiddle || twiddle_done) return;
  twiddle_on_load_ = stage.twiddle->on_load;
  twiddle_on_store_ = !stage.twiddle->on_load;
  modulus_ = stage.twiddle->modulus;
  const auto root = [&](std::uint64_t k) {
    const std::complex<long double> w = plan::root_of_unity(k, modulus_);
    const std::complex<double> value(static_cast<double>(w.real()), static_cast<double>(w.imag()));
    return stage.direction == Direction::forward ? value : std::conj(value);
  };
  const auto step = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(modulus_))));
  for (std::uint64_t k = 0; k < step; ++k) fine_.push_back(root(k));
  for (std::uint64_t k = 0; k * step < modulus_; ++k) coarse_.push_back(root(k * step));
}

std::complex<float> Staging::twiddle(std::uint64_t k, std::uint64_t index) const {
  const std::uint64_t n = k * index % modulus_;
  const std::complex<double> a = coarse_[n / fine_.size()];
  const std::complex<double> b = fine_[n % fine_.size()];
  return {static_cast<float>(a.real() * b.real() - a.imag() * b.imag()),
          static_cast<float>(a.real() * b.imag() + a.imag() * b.real())};
}

void Staging::load(const Complex* input, const StageLoops::Item& item, std::size_t lanes, Complex* staged) const {
  const Position& first = item.position;
  for (std::size_t element = 0; element < length_; ++element) {
    const auto k = static_cast<std::int64_t>(element);
    Complex* to = staged + element * lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (lane >= item.active) {
        to[lane] = 0.0F;
        continue;
      }
      const auto j = static_cast<std::int64_t>(lane);
      const Complex* from = input + first.input + j * lane_step_.input + k * input_stride_;
      if (!load_factor_.values.empty()) {
        const auto place =
            static_cast<std::size_t>(first.load_factor + j * lane_step_.load_factor + k * load_factor_.element_stride);
        to[lane] = place < load_factor_.values.size() ? multiply(*from, load_factor_.values[place]) : Complex(0.0F);
      } else {
        to[lane] = *from;
      }
      if (twiddle_on_load_) {
        to[lane] = multiply(to[lane], twiddle(element, first.twiddle_index + lane * lane_step_.twiddle_index));
      }
    }
  }
}

void Staging::store(const Complex* staged, const StageLoops::Item& item, std::size_t lanes, Complex* output) const {
  const Position& first = item.position;
  for (std::size_t element = 0; element < length_; ++element) {
    const auto k = static_cast<std::int64_t>(element);
    const Complex* from = staged + element * lanes;
    for (std::size_t lane = 0; lane < item.active; ++lane) {
      const auto j = static_cast<std::int64_t>(lane);
      Complex value = from[lane];
      if (twiddle_on_store_) {
        value = multiply(value, twiddle(element, first.twiddle_index + lane * lane_step_.twiddle_index));
      }
      if (!store_factor_.values.empty()) {
        const auto place = static_cast<std::size_t>(first.store_factor + j * lane_step_.store_factor +
                                                    k * store_factor_.element_stride);
        if (place >= store_factor_.values.size()) continue;
        value = multiply(value, store_factor_.values[place]);
      }
      output[first.output + j * lane_step_.output + k * output_stride_] = value;
    }
  }
}

}  // namespace twiddle::backend::host
