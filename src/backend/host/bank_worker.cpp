// Stages with a filter bank by transforms: segments convolved in planes that stay in the core's cache, a segment's
// spectrum being used for all filters.
#include "backend/host/bank_worker.hpp"

#include <optional>

#include "backend/host/segment_transform.hpp"
#include "backend/host/stage_worker.hpp"

namespace twiddle::backend::host {
namespace {

using plan::FilterBank;

template <class T>
Planes<const T> constant(const Planes<T>& planes) {
  return {planes.real, planes.imaginary};
}

// Makes the spectra: the real parts of each, then its imaginary parts.
template <class T>
class SpectraWorker : public StageWorker {
 public:
  SpectraWorker(const plan::Stage& stage, const WorkerOptions& options)
      : stage_(stage),
        combinations_(find_combinations<T>(options.targets)),
        transform_(stage, options.targets),
        plane_size_(transform_.plane_size(stage.length, combinations_.vector)) {}

  std::uint64_t items() const override { return plan::transform_count(stage_); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    auto* scratch = static_cast<T*>(thread_scratch(4 * plane_size_ * sizeof(T)));
    const Planes<T> planes[2] = {{scratch, scratch + plane_size_},
                                 {scratch + 2 * plane_size_, scratch + 3 * plane_size_}};
    const T scale = static_cast<T>(stage_.scale);
    for (std::uint64_t i = begin; i < end; ++i) {
      const BankSegment segment = bank_segment(stage_, i);
      load_segment(stage_, segment, reinterpret_cast<const T*>(input), combinations_, planes[0]);
      const Planes<T>& made = planes[transform_.run(false, planes[0], planes[1])];
      T* const to = reinterpret_cast<T*>(output) + 2 * segment.output;
      for (std::size_t k = 0; k < stage_.length; ++k) {
        to[k] = made.real[k] * scale;
        to[stage_.length + k] = made.imaginary[k] * scale;
      }
    }
  }

 private:
  plan::Stage stage_;
  CombinationKernels<T> combinations_;
  SegmentTransform<T> transform_;
  std::size_t plane_size_;
};

template <class T>
class CyclicWorker : public BankWorker<T> {
 public:
  CyclicWorker(const plan::Stage& stage, const WorkerOptions& options)
      : BankWorker<T>(stage, options),
        transform_(stage, options.targets),
        plane_size_(transform_.plane_size(stage.length, this->combinations_.vector)) {}

  void run_bank(const std::byte* input, const std::byte* spectra, std::byte* output, std::uint64_t begin,
                std::uint64_t end) const override {
    auto* scratch = static_cast<T*>(thread_scratch((6 * plane_size_ + this->result_room()) * sizeof(T)));
    const Planes<T> planes[3] = {{scratch, scratch + plane_size_},
                                 {scratch + 2 * plane_size_, scratch + 3 * plane_size_},
                                 {scratch + 4 * plane_size_, scratch + 5 * plane_size_}};
    T* const room = scratch + 6 * plane_size_;
    const std::size_t points = this->stage_.length;
    for (std::uint64_t item = begin; item < end; ++item) {
      const BankSegment segment = this->segment(item);
      std::optional<Spoiled> spoiled;
      const std::size_t at = load_and_transform(segment, reinterpret_cast<const T*>(input), planes, spoiled);
      const Planes<T>& free = planes[1 - at];
      const auto [first, last] = this->filters(item);
      for (std::uint64_t filter = first; filter < last; ++filter) {
        const T* factors = reinterpret_cast<const T*>(spectra) + 2 * filter * points;
        this->kernels_.multiply({constant(planes[at]), {factors, factors + points}, free, points});
        const Planes<T>& result = transform_.run(true, free, planes[2]) == 0 ? free : planes[2];
        if (spoiled) spoiled->mark(this->bank_.taps, result);
        this->store(segment, result, filter, room, reinterpret_cast<T*>(output));
      }
    }
  }

 private:
  // The segment's spectrum in planes[0] or planes[1], whichever is returned.
  std::size_t load_and_transform(const BankSegment& segment, const T* input, const Planes<T> planes[2],
                                 std::optional<Spoiled>& spoiled) const {
    load_segment(this->stage_, segment, input, this->combinations_, planes[0]);
    const std::size_t at = transform_.run(false, planes[0], planes[1]);
    if (!Spoiled::by(planes[at])) return at;
    load_segment(this->stage_, segment, input, this->combinations_, planes[0]);
    spoiled.emplace(planes[0], this->stage_.length, !this->paired_);
    return transform_.run(false, planes[0], planes[1]);
  }

  SegmentTransform<T> transform_;
  std::size_t plane_size_;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_bank_worker(const plan::Stage& stage, const WorkerOptions& options) {
  switch (stage.bank->kind) {
    case FilterBank::Kind::spectra:
      return std::make_unique<SpectraWorker<T>>(stage, options);
    case FilterBank::Kind::cyclic:
      if (stage.bank->partitions > 1) return make_partitioned_bank_worker<T>(stage, options);
      return std::make_unique<CyclicWorker<T>>(stage, options);
    case FilterBank::Kind::direct:
    case FilterBank::Kind::separable:
      break;
  }
  return make_direct_bank_worker<T>(stage, options);
}

template std::unique_ptr<StageWorker> make_bank_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_bank_worker<double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
