// Loads and stores by way of planar arrays.
#include "backend/host/staging.hpp"

#include <algorithm>
#include <cmath>

#include "plan/tables.hpp"

namespace twiddle::backend::host {
namespace {

// (real + i imaginary) *= factor
template <class T>
void multiply_by(T& real, T& imaginary, const std::complex<T>& factor) {
  const T product = real * factor.real() - imaginary * factor.imag();
  imaginary = real * factor.imag() + imaginary * factor.real();
  real = product;
}

}  // namespace

template <class T>
Staging<T>::Staging(const plan::Stage& stage, const Position& lane_step, bool twiddle_done, std::int64_t targets)
    : input_storage_(stage.input_storage),
      output_storage_(stage.output_storage),
      length_(stage.length),
      elements_(stage.length),
      input_stride_(stage.input_stride),
      output_stride_(stage.output_stride),
      scale_(static_cast<T>(stage.scale)),
      lane_step_(lane_step),
      kernels_(targets),
      load_bound_(stage.load_bound),
      store_bound_(stage.store_bound),
      load_factor_(sequence(stage.load_factor, lane_step.load_factor)),
      store_factor_(sequence(stage.store_factor, lane_step.store_factor)),
      load_hook_(stage.load_hook),
      store_hook_(stage.store_hook) {
  if (stage.load_map) {
    load_map_.emplace(*stage.load_map, targets);
    elements_ = std::max<std::size_t>(elements_, load_map_->source_count());
  }
  if (stage.store_map) {
    store_map_.emplace(*stage.store_map, targets);
    elements_ = std::max<std::size_t>(elements_, store_map_->count());
  }
  if (!stage.twiddle || twiddle_done) return;
  twiddle_on_load_ = stage.twiddle->on_load;
  twiddle_on_store_ = !stage.twiddle->on_load;
  modulus_ = stage.twiddle->modulus;
  const auto root = [&](std::uint64_t k) {
    const std::complex<Wide> value(plan::root_of_unity(k, modulus_));
    return stage.direction == Direction::forward ? value : std::conj(value);
  };
  const auto step = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(modulus_))));
  for (std::uint64_t k = 0; k < step; ++k) fine_.push_back(root(k));
  for (std::uint64_t k = 0; k * step < modulus_; ++k) coarse_.push_back(root(k * step));
}

template <class T>
typename Staging<T>::Sequence Staging<T>::sequence(const std::optional<plan::Factor>& factor,
                                                   std::int64_t lane_stride) {
  Sequence result;
  if (!factor) return result;
  for (const std::complex<long double>& value : plan::factor_values(*factor)) result.values.emplace_back(value);
  result.element_stride = factor->element_stride;
  result.lane_stride = lane_stride;
  return result;
}

template <class T>
Extent Staging<T>::extent(const Sequence& sequence, std::int64_t base) {
  if (sequence.values.empty()) return {};
  return {sequence.values.size(), base, sequence.element_stride, sequence.lane_stride};
}

template <class T>
Extent Staging<T>::extent(const std::optional<plan::Bound>& bound, std::int64_t base, std::int64_t lane_stride) {
  if (!bound) return {};
  return {bound->count, base, bound->element_stride, lane_stride};
}

template <class T>
std::complex<T> Staging<T>::twiddle(std::uint64_t k, std::uint64_t index) const {
  const std::uint64_t n = k * index % modulus_;
  const std::complex<Wide> a = coarse_[n / fine_.size()];
  const std::complex<Wide> b = fine_[n % fine_.size()];
  return {static_cast<T>(a.real() * b.real() - a.imag() * b.imag()),
          static_cast<T>(a.real() * b.imag() + a.imag() * b.real())};
}

template <class T>
void Staging<T>::multiply_twiddles(const StageLoops::Item& item, std::size_t lanes, const Planes<T>& planes) const {
  for (std::size_t k = 0; k < length_; ++k) {
    for (std::size_t lane = 0; lane < item.active; ++lane) {
      const std::size_t at = k * lanes + lane;
      multiply_by(planes.real[at], planes.imaginary[at],
                  twiddle(k, item.position.twiddle_index + lane * lane_step_.twiddle_index));
    }
  }
}

// Elements beyond the sequence's end become zero.
template <class T>
void Staging<T>::multiply(const Sequence& sequence, std::int64_t base, const StageLoops::Item& item, std::size_t lanes,
                          const Planes<T>& planes) const {
  const std::size_t count = sequence.values.size();
  for (std::size_t k = 0; k < length_; ++k) {
    const std::int64_t first = base + static_cast<std::int64_t>(k) * sequence.element_stride;
    T* const real = planes.real + k * lanes;
    T* const imaginary = planes.imaginary + k * lanes;
    if (sequence.lane_stride == 0) {
      const auto place = static_cast<std::size_t>(first);
      const std::complex<T> factor = place < count ? sequence.values[place] : std::complex<T>();
      for (std::size_t lane = 0; lane < item.active; ++lane) multiply_by(real[lane], imaginary[lane], factor);
      continue;
    }
    for (std::size_t lane = 0; lane < item.active; ++lane) {
      const auto place = static_cast<std::size_t>(first + static_cast<std::int64_t>(lane) * sequence.lane_stride);
      multiply_by(real[lane], imaginary[lane], place < count ? sequence.values[place] : std::complex<T>());
    }
  }
}

template <class T>
void Staging<T>::read(const std::byte* input, const Block& block, std::size_t lanes, const Planes<T>& planes) const {
  read_block(input_storage_, input, block, lanes, kernels_, planes);
  if (!load_hook_) return;
  apply_hook(*load_hook_, block, lanes, planes);
  if (input_storage_.form == plan::Storage::Form::real) std::fill_n(planes.imaginary, block.length * lanes, T{0});
}

template <class T>
void Staging<T>::write(std::byte* output, const Block& block, std::size_t lanes, const Planes<T>& planes) const {
  if (!store_hook_) return write_block(output_storage_, output, block, lanes, scale_, kernels_, planes);
  for (std::size_t i = 0; i < block.length * lanes; ++i) {
    planes.real[i] *= scale_;
    planes.imaginary[i] *= scale_;
  }
  apply_hook(*store_hook_, block, lanes, planes);
  write_block(output_storage_, output, block, lanes, T{1}, kernels_, planes);
}

template <class T>
void Staging<T>::load(const std::byte* input, const StageLoops::Item& item, std::size_t lanes,
                      const Planes<T> planes[2]) const {
  const Position& first = item.position;
  Block block{length_, item.active, first.input, input_stride_, lane_step_.input, {}};
  if (load_map_) {
    block.length = load_map_->source_count();
    read(input, block, lanes, planes[1]);
    load_map_->apply(planes[1], lanes, planes[0]);
  } else {
    block.extents = {extent(load_bound_, first.load_bound, lane_step_.load_bound),
                     extent(load_factor_, first.load_factor)};
    read(input, block, lanes, planes[0]);
  }
  if (!load_factor_.values.empty()) multiply(load_factor_, first.load_factor, item, lanes, planes[0]);
  if (twiddle_on_load_) multiply_twiddles(item, lanes, planes[0]);
}

template <class T>
void Staging<T>::store(const Planes<T> planes[2], std::size_t at, const StageLoops::Item& item, std::size_t lanes,
                       std::byte* output) const {
  const Position& first = item.position;
  if (twiddle_on_store_) multiply_twiddles(item, lanes, planes[at]);
  if (!store_factor_.values.empty()) multiply(store_factor_, first.store_factor, item, lanes, planes[at]);
  Block block{length_, item.active, first.output, output_stride_, lane_step_.output, {}};
  if (store_map_) {
    store_map_->apply(planes[at], lanes, planes[1 - at]);
    block.length = store_map_->count();
    write(output, block, lanes, planes[1 - at]);
    return;
  }
  block.extents = {extent(store_bound_, first.store_bound, lane_step_.store_bound),
                   extent(store_factor_, first.store_factor)};
  write(output, block, lanes, planes[at]);
}

template class Staging<float>;
template class Staging<double>;
template class Staging<long double>;

}  // namespace twiddle::backend::host
