// Which lines are fetched ahead, and which go past the cache as one run.
#include "backend/host/bundle_staging.hpp"

namespace twiddle::backend::host {
namespace {

using Form = plan::Storage::Form;

// Lines of reals, each by itself or two as the parts of a complex one.
bool are_reals(const plan::Storage& storage, Precision precision) {
  return storage.precision == precision && (storage.form == Form::real || storage.form == Form::planar);
}

// Scalars from such a line to the next where they follow each other without gaps, `count` elements each; else 0.
std::size_t scalars_of_line(const plan::Storage& storage, std::int64_t stride, std::int64_t apart, std::size_t count,
                            Precision precision) {
  const auto line = static_cast<std::int64_t>(count);
  const bool pairs = storage.form == Form::planar;
  const bool follow = stride == 1 && apart == (pairs ? 2 : 1) * line && (!pairs || storage.imaginary_offset == line);
  return are_reals(storage, precision) && follow ? static_cast<std::size_t>(apart) : 0;
}

}  // namespace

template <class T>
BundleStaging<T>::BundleStaging(const plan::Stage& stage, const Position& lane_step, bool twiddled, std::size_t lanes,
                                LaneOrder order, bool past_cache, const WorkerOptions& options)
    : length_(stage.length),
      lanes_(lanes),
      scale_(static_cast<T>(stage.scale)),
      kernels_(find_combinations<T>(options.targets)),
      staging_(stage, lane_step, twiddled, options.targets) {
  if (order == LaneOrder::in_blocks) reorder_lanes_ = find_move<T>(MoveKind::reorder_lanes, order, options.targets);
  using Side = typename MultipliedLanes<T>::Side;
  if (!stage.twiddle || twiddled) {
    multiplied_input_ = MultipliedLanes<T>::make(stage, Side::load, lane_step, order, options.targets);
  }
  if (!twiddled) {
    multiplied_output_ = MultipliedLanes<T>::make(stage, Side::store, lane_step, order, options.targets);
  }
  choose_prefetch(stage, lane_step.input);
  if (past_cache) {
    const std::size_t count = stage.store_map ? stage.store_map->count : length_;
    run_ =
        lanes_ * scalars_of_line(stage.output_storage, stage.output_stride, lane_step.output, count, stage.precision);
  }
}

// Of parts that are not equally far apart the real ones alone.
template <class T>
void BundleStaging<T>::choose_prefetch(const plan::Stage& stage, std::int64_t apart) {
  const plan::Storage& storage = stage.input_storage;
  const auto pieces = [&](std::size_t count, std::size_t scalars, std::int64_t stride) {
    prefetch_ = prefetch_of_lanes<T>(count, scalars * lanes_, stride);
    reads_lanes_ = true;
  };
  if (multiplied_input_) {
    return pieces(multiplied_input_->most_elements(), multiplied_input_->has_reals() ? 1 : 2, stage.input_stride);
  }
  const std::size_t count = stage.load_map ? stage.load_map->source_count : length_;
  if (apart == 1 && are_reals(storage, stage.precision)) {
    const bool both = storage.form == Form::planar && 2 * storage.imaginary_offset == stage.input_stride;
    return both ? pieces(2 * count, 1, storage.imaginary_offset) : pieces(count, 1, stage.input_stride);
  }
  const std::size_t line = scalars_of_line(storage, stage.input_stride, apart, count, stage.precision);
  prefetch_.pieces = line * lanes_ * sizeof(T) / cache_line;
}

template <class T>
void BundleStaging<T>::load(const InputMemory& input, const StageLoops::Item& item, std::size_t lanes, bool full,
                            const Planes<T> planes[2]) const {
  const auto there = full && multiplied_input_ ? multiplied_input_->elements(item.position, lanes) : std::nullopt;
  if (there) {
    const T* const from = reinterpret_cast<const T*>(input.start) + item.position.input;
    multiplied_input_->load(from, item.position, *there, lanes, planes[0]);
  } else {
    staging_.load(input, item, lanes, planes);
  }
  if (!there || multiplied_input_->has_reals()) reorder_lanes(planes[0], lanes);
}

template <class T>
void BundleStaging<T>::store(const Planes<T> planes[2], std::size_t at, const StageLoops::Item& item, std::size_t lanes,
                             bool full, const OutputMemory& output, T* room) const {
  const auto there = full && multiplied_output_ ? multiplied_output_->elements(item.position, lanes) : std::nullopt;
  if (!there || multiplied_output_->has_reals()) reorder_lanes(planes[at], lanes);
  if (!there) return store_in_order(planes, at, item, lanes, output, room);
  T* const to = reinterpret_cast<T*>(output.start) + item.position.output;
  multiplied_output_->store(planes[at], item.position, *there, lanes, scale_, to);
}

template <class T>
void BundleStaging<T>::store_in_order(const Planes<T> planes[2], std::size_t at, StageLoops::Item item,
                                      std::size_t lanes, const OutputMemory& output, T* room) const {
  if (run_ == 0 || item.active != lanes_) return staging_.store(planes, at, item, lanes, output);
  T* const to = reinterpret_cast<T*>(output.start) + item.position.output;
  item.position.output = 0;
  staging_.store(planes, at, item, lanes, reinterpret_cast<std::byte*>(room));
  kernels_.copy_past_cache(room, run_, to);
}

template <class T>
void BundleStaging<T>::reorder_lanes(const Planes<T>& line, std::size_t lanes) const {
  if (reorder_lanes_ == nullptr) return;
  MoveCall<T> call;
  call.output = line.real;
  call.output_imaginary = line.imaginary;
  call.length = length_;
  call.lanes = lanes;
  reorder_lanes_(call);
}

template class BundleStaging<float>;
template class BundleStaging<double>;
template class BundleStaging<long double>;

}  // namespace twiddle::backend::host
