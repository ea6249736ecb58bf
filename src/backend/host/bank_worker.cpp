// Stages with a filter bank by transforms: segments convolved in planes that stay in the core's cache, a segment's
// spectrum being used for all filters.
#include "backend/host/bank_worker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "backend/host/line_passes.hpp"
#include "backend/host/stage_worker.hpp"

namespace twiddle::backend::host {
namespace {

using plan::FilterBank;

template <class T>
Planes<const T> constant(const Planes<T>& planes) {
  return {planes.real, planes.imaginary};
}

// Forward transforms of planar lines and back, through the row passes.
template <class T>
class SegmentTransform {
 public:
  SegmentTransform(const plan::Stage& stage, std::int64_t targets)
      : passes_(line_stage(stage), LineShape::row, 1, targets),
        first_(find_pass<T>(PassKind::first_row_planar, passes_.pass(0).radix, targets)) {}

  // Scalars that a plane must have room for: passes write whole vectors, the first one as many as it has columns.
  [[nodiscard]] std::size_t room(std::size_t points, std::size_t vector) const {
    return points + (2 + passes_.pass(0).radix) * vector;
  }

  // From planes[at] by way of both; returns where the result is. The transform back is the forward one with the parts
  // swapped.
  std::size_t run(bool back, const Planes<T>& a, const Planes<T>& b) const {
    const auto seen = [back](const Planes<T>& planes) {
      return back ? Planes<T>{planes.imaginary, planes.real} : planes;
    };
    const Planes<T> planes[2] = {seen(a), seen(b)};
    PassCall<T> call = passes_.call(0, 1, {});
    call.input = planes[0].real;
    call.input_imaginary = planes[0].imaginary;
    call.output = planes[1].real;
    call.output_imaginary = planes[1].imaginary;
    first_(call);
    return passes_.run_middle(1, passes_.count(), 1, planes, 1, {});
  }

 private:
  static plan::Stage line_stage(const plan::Stage& stage) {
    plan::Stage line;
    line.length = stage.length;
    line.radices = stage.radices;
    line.step = stage.step;
    return line;
  }

  LinePasses<T> passes_;
  PassFunction<T> first_;
};

// Makes the spectra: the real parts of each, then its imaginary parts.
template <class T>
class SpectraWorker : public StageWorker {
 public:
  SpectraWorker(const plan::Stage& stage, const WorkerOptions& options)
      : stage_(stage),
        combinations_(find_combinations<T>(options.targets)),
        transform_(stage, options.targets),
        plane_size_((transform_.room(stage.length, combinations_.vector) + 15) / 16 * 16 + 16) {}

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

// Which results of a segment's two planes values that are not finite touch; transforms would spread them over the
// whole segment, and over the one that is paired with it.
struct Spoiled {
  std::vector<bool> real;
  std::vector<bool> imaginary;
};

// Makes values that are not finite 0, and marks the results of `taps` samples that they touch.
template <class T>
std::vector<bool> hide_spoiled(T* plane, std::size_t points, std::size_t taps) {
  std::vector<bool> touched(points, false);
  std::size_t left = 0;
  for (std::size_t k = 0; k < points; ++k) {
    if (!std::isfinite(plane[k])) {
      left = taps;
      plane[k] = T{0};
    }
    touched[k] = left > 0;
    if (left > 0) --left;
  }
  return touched;
}

template <class T>
class CyclicWorker : public BankWorker<T> {
 public:
  CyclicWorker(const plan::Stage& stage, const WorkerOptions& options)
      : BankWorker<T>(stage, options),
        transform_(stage, options.targets),
        plane_size_((transform_.room(stage.length, this->combinations_.vector) + 15) / 16 * 16 + 16) {}

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
        if (spoiled) spoil(*spoiled, result);
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
    // The first elements are the sums of both parts: not finite where any sample is not.
    if (std::isfinite(planes[at].real[0]) && std::isfinite(planes[at].imaginary[0])) return at;
    load_segment(this->stage_, segment, input, this->combinations_, planes[0]);
    spoiled = Spoiled{hide_spoiled(planes[0].real, this->stage_.length, this->bank_.taps),
                      hide_spoiled(planes[0].imaginary, this->stage_.length, this->bank_.taps)};
    if (!this->paired_) {  // a complex product mixes the parts
      for (std::size_t k = 0; k < this->stage_.length; ++k) {
        spoiled->real[k] = spoiled->imaginary[k] = spoiled->real[k] || spoiled->imaginary[k];
      }
    }
    return transform_.run(false, planes[0], planes[1]);
  }

  void spoil(const Spoiled& spoiled, const Planes<T>& result) const {
    for (std::size_t k = 0; k < this->stage_.length; ++k) {
      if (spoiled.real[k]) result.real[k] = std::numeric_limits<T>::quiet_NaN();
      if (spoiled.imaginary[k]) result.imaginary[k] = std::numeric_limits<T>::quiet_NaN();
    }
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
      return std::make_unique<CyclicWorker<T>>(stage, options);
    case FilterBank::Kind::direct:
      break;
  }
  return make_direct_bank_worker<T>(stage, options);
}

template std::unique_ptr<StageWorker> make_bank_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_bank_worker<double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
