// Overlap-save with a delay line of spectra: uniformly partitioned convolution.
#include "apps/stream_level.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace twiddle::apps {
namespace {

template <class T>
std::shared_ptr<const Plan> make_plan(const Device& device, const StreamSettings& settings,
                                      const plan::StreamLevel& level, std::size_t batch) {
  const Transform transform{.lengths = {level.segment},
                            .batch = batch,
                            .kind = settings.complex ? Kind::c2c : Kind::r2c,
                            .precision = precision_of<T>};
  return std::make_shared<const Plan>(device, transform);
}

}  // namespace

template <class T>
StreamLevelWorker<T>::StreamLevelWorker(const Device& device, const StreamSettings& settings,
                                        const plan::StreamLevel& level, std::span<const T> filters,
                                        std::int64_t simd_targets)
    : settings_(settings),
      level_(level),
      scalars_(settings.complex ? 2 : 1),
      bins_(settings.complex ? level.segment : level.segment / 2 + 1),
      add_products_(backend::host::find_add_products<T>(simd_targets)),
      forward_(make_plan<T>(device, settings, level, settings.signals)),
      inverse_(settings.filters == 1 ? forward_
                                     : make_plan<T>(device, settings, level, settings.signals * settings.filters)),
      segments_(settings.signals * level.segment * scalars_),
      spectra_(level.partitions * settings.filters * bins_ * 2),
      line_(level.partitions * settings.signals * bins_ * 2),
      sums_(settings.signals * settings.filters * bins_ * 2),
      results_(settings.signals * settings.filters * level.segment * scalars_) {
  transform_filters(filters);
}

template <class T>
void StreamLevelWorker<T>::transform_filters(std::span<const T> filters) {
  const auto plan = settings_.signals == 1 ? forward_ : make_plan<T>(forward_->device(), settings_, level_, 1);
  std::vector<T> padded(level_.segment * scalars_);
  for (std::size_t partition = 0; partition < level_.partitions; ++partition) {
    const std::size_t begin = level_.offset + partition * level_.partition;
    const std::size_t end = std::min(begin + level_.partition, settings_.filter_length);
    for (std::size_t filter = 0; filter < settings_.filters; ++filter) {
      const auto samples =
          filters.subspan((filter * settings_.filter_length + begin) * scalars_, (end - begin) * scalars_);
      std::fill(std::copy(samples.begin(), samples.end(), padded.begin()), padded.end(), T{0});
      const auto spectrum =
          std::span(spectra_).subspan((partition * settings_.filters + filter) * bins_ * 2, bins_ * 2);
      plan->execute_bytes(Direction::forward, std::as_bytes(std::span(padded)), std::as_writable_bytes(spectrum));
    }
  }
}

// A spectrum's first element is the sum of all samples.
template <class T>
void StreamLevelWorker<T>::transform_segments(std::span<T> spectra) {
  const auto transform = [&] {
    forward_->execute_bytes(Direction::forward, std::as_bytes(std::span(segments_)), std::as_writable_bytes(spectra));
  };
  transform();
  hid_samples_ = false;
  for (std::size_t signal = 0; signal < settings_.signals; ++signal) {
    const T* const sum = spectra.data() + signal * bins_ * 2;
    if (!std::isfinite(sum[0]) || !std::isfinite(sum[1])) hid_samples_ = true;
  }
  if (!hid_samples_) return;
  std::replace_if(
      segments_.begin(), segments_.end(), [](T value) { return !std::isfinite(value); }, T{0});
  transform();
}

template <class T>
void StreamLevelWorker<T>::run() {
  const std::size_t spectrum = bins_ * 2;
  const std::size_t slot = static_cast<std::size_t>(count_ % level_.partitions);
  transform_segments(std::span(line_).subspan(slot * settings_.signals * spectrum, settings_.signals * spectrum));
  std::fill(sums_.begin(), sums_.end(), T{0});
  for (std::size_t partition = 0; partition < level_.partitions; ++partition) {
    const std::size_t delayed = (slot + level_.partitions - partition) % level_.partitions;
    for (std::size_t signal = 0; signal < settings_.signals; ++signal) {
      const T* const from = line_.data() + (delayed * settings_.signals + signal) * spectrum;
      for (std::size_t filter = 0; filter < settings_.filters; ++filter) {
        add_products_(from, spectra_.data() + (partition * settings_.filters + filter) * spectrum,
                      sums_.data() + (signal * settings_.filters + filter) * spectrum, bins_);
      }
    }
  }
  inverse_->execute_bytes(Direction::inverse, std::as_bytes(std::span(sums_)),
                          std::as_writable_bytes(std::span(results_)));
  ++count_;
}

// The segment ends with the block; what lies before it is aliased, or results of blocks before.
template <class T>
std::span<const T> StreamLevelWorker<T>::result(std::size_t row) const {
  const std::size_t end = (row + 1) * level_.segment * scalars_;
  return std::span(results_).subspan(end - level_.block * scalars_, level_.block * scalars_);
}

template <class T>
void StreamLevelWorker<T>::reset() {
  std::fill(line_.begin(), line_.end(), T{0});
  count_ = 0;
}

template <class T>
void StreamLevelWorker<T>::save(StateWriter& writer) const {
  writer.value(count_);
  writer.values(std::span<const T>(line_));
}

template <class T>
void StreamLevelWorker<T>::restore(StateReader& reader) {
  count_ = reader.value<std::uint64_t>();
  reader.values(std::span(line_));
}

template class StreamLevelWorker<float>;
template class StreamLevelWorker<double>;

}  // namespace twiddle::apps
