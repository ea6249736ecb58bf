// Which stages have such ends, and the calls of their kernels.
#include "backend/host/multiplied_lanes.hpp"

#include <algorithm>

#include "backend/host/factor_sequence.hpp"
#include "backend/host/scalar_stage.hpp"

namespace twiddle::backend::host {

template <class T>
std::optional<MultipliedLanes<T>> MultipliedLanes<T>::make(const plan::Stage& stage, Side side,
                                                           const Position& lane_step, LaneOrder order,
                                                           std::int64_t targets) {
  const bool loads = side == Side::load;
  const auto& factor = loads ? stage.load_factor : stage.store_factor;
  const auto& bound = loads ? stage.load_bound : stage.store_bound;
  if (!factor || factor->element_stride <= 0) return std::nullopt;
  if ((loads ? lane_step.load_factor : lane_step.store_factor) != 1) return std::nullopt;
  plan::Stage bare = stage;  // but for a twiddle
  bare.twiddle.reset();
  (loads ? bare.load_factor : bare.store_factor).reset();
  (loads ? bare.load_bound : bare.store_bound).reset();
  if (!(loads ? only_loads(bare) : only_stores(bare))) return std::nullopt;
  const plan::Storage& storage = loads ? stage.input_storage : stage.output_storage;
  const bool real = storage.form == plan::Storage::Form::real && storage.precision == stage.precision;
  if (!real && !is_interleaved(storage, stage.precision)) return std::nullopt;
  if ((loads ? lane_step.input : lane_step.output) != (real ? 1 : 2)) return std::nullopt;

  MultipliedLanes lanes;
  if (bound) {
    const bool plain = bound->period == 0 && bound->imaginary_step == 0 && !bound->real_first && bound->first == 0;
    if (!plain || bound->element_stride <= 0) return std::nullopt;
    if ((loads ? lane_step.load_bound : lane_step.store_bound) != 1) return std::nullopt;
    lanes.bound_ = Range{static_cast<std::int64_t>(bound->count), bound->element_stride};
  }
  const MoveKind complex_kind = loads ? MoveKind::lanes_to_bundle_times : MoveKind::bundle_to_lanes_times;
  const MoveKind real_kind = loads ? MoveKind::reals_to_bundle_times : MoveKind::bundle_to_reals_times;
  lanes.move_ =
      real ? find_move<T>(real_kind, LaneOrder::natural, targets) : find_move<T>(complex_kind, order, targets);
  lanes.values_ = factor_sequence<T>(*factor, targets);
  lanes.side_ = side;
  lanes.real_ = real;
  lanes.real_first_ = factor->of_half_spectrum();
  lanes.length_ = stage.length;
  lanes.stride_ = loads ? stage.input_stride : stage.output_stride;
  lanes.factor_ = {static_cast<std::int64_t>(lanes.values_->size()), factor->element_stride};
  return lanes;
}

// Elements of the line `lane` lanes on that are there.
template <class T>
std::int64_t MultipliedLanes<T>::Range::below(std::int64_t base, std::int64_t lane) const {
  return std::max<std::int64_t>(0, (count - base - lane + element_stride - 1) / element_stride);
}

template <class T>
std::int64_t MultipliedLanes<T>::value_position(const Position& position) const {
  return side_ == Side::load ? position.load_factor : position.store_factor;
}

template <class T>
std::size_t MultipliedLanes<T>::most_elements() const {
  std::int64_t most = factor_.below(0, 0);
  if (bound_) most = std::min(most, bound_->below(0, 0));
  return std::min(length_, static_cast<std::size_t>(most));
}

template <class T>
std::optional<std::size_t> MultipliedLanes<T>::elements(const Position& position, std::size_t lanes) const {
  const std::int64_t base = value_position(position);
  const std::int64_t bound_base = side_ == Side::load ? position.load_bound : position.store_bound;
  if (base < 0 || bound_base < 0) return std::nullopt;
  const auto of_lane = [&](std::size_t lane) {
    const auto i = static_cast<std::int64_t>(lane);
    const std::int64_t valued = factor_.below(base, i);
    const std::int64_t there = bound_ ? std::min(valued, bound_->below(bound_base, i)) : valued;
    return std::min(length_, static_cast<std::size_t>(there));
  };
  const std::size_t most = of_lane(0);
  if (of_lane(lanes - 1) != most) return std::nullopt;
  return most;
}

template <class T>
void MultipliedLanes<T>::load(const T* from, const Position& position, std::size_t elements, std::size_t lanes,
                              const Planes<T>& to) const {
  const std::int64_t base = value_position(position);
  MoveCall<T> call;
  call.input = from;
  call.output = to.real;
  call.output_imaginary = to.imaginary;
  call.length = elements;
  call.lanes = lanes;
  call.memory_step = stride_;
  call.values = reinterpret_cast<const T*>(values_->data() + base);
  call.values_step = 2 * factor_.element_stride;
  move_(call);
  if (real_first_ && base == 0 && elements > 0) {  // the first element is in the first lane in either order
    to.real[0] = from[0] * values_->front().real();
    to.imaginary[0] = from[0] * values_->front().imag();
  }
  for (T* const plane : {to.real, to.imaginary})
    std::fill_n(plane + elements * lanes, (length_ - elements) * lanes, T{0});
}

template <class T>
void MultipliedLanes<T>::store(const Planes<T>& from, const Position& position, std::size_t elements, std::size_t lanes,
                               T scale, T* to) const {
  MoveCall<T> call;
  call.input = from.real;
  call.input_imaginary = from.imaginary;
  call.output = to;
  call.length = elements;
  call.lanes = lanes;
  call.memory_step = stride_;
  call.scale = scale;
  call.values = reinterpret_cast<const T*>(values_->data() + value_position(position));
  call.values_step = 2 * factor_.element_stride;
  move_(call);
}

template class MultipliedLanes<float>;
template class MultipliedLanes<double>;
template class MultipliedLanes<long double>;

}  // namespace twiddle::backend::host
