// Stages with a filter bank: segments convolved in planes that stay in the core's cache, a segment's spectrum being
// used for all filters.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "backend/host/bank_kernels.hpp"
#include "backend/host/bank_memory.hpp"
#include "backend/host/line_passes.hpp"
#include "backend/host/stage_worker.hpp"
#include "twiddle/error.hpp"

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

// What cyclic and direct banks share: loading segments, storing what is made of the results.
template <class T>
class BankWorker : public StageWorker {
 public:
  BankWorker(const plan::Stage& stage, const WorkerOptions& options)
      : stage_(stage),
        bank_(*stage.bank),
        combinations_(find_combinations<T>(options.targets)),
        kernels_(find_bank_kernels<T>(options.targets)),
        first_(stage.store_bound->first_element),
        paired_(stage.input_storage.form == plan::Storage::Form::planar) {
    if (stage.store_hook || stage.output_stride != 1 || stage.scale != 1) {
      throw Unsupported("a filter bank on the host stores its results next to each other, without hook and scale");
    }
    // Where there are fewer segments than threads, these share the filters of each.
    const std::uint64_t segments = plan::transform_count(stage);
    const std::uint64_t parts = bank_.post.maximum ? 1 : (options.threads + segments - 1) / segments;
    groups_ = std::min<std::uint64_t>(bank_.filters, parts);
  }

  std::uint64_t items() const override { return plan::transform_count(stage_) * groups_; }

  void run(const std::byte*, std::byte*, std::uint64_t, std::uint64_t) const override {
    throw InvalidArgument("a stage with a filter bank needs the spectra of its filters");
  }

 protected:
  struct FilterRange {
    std::uint64_t begin, end;
  };
  [[nodiscard]] BankSegment segment(std::uint64_t item) const { return bank_segment(stage_, item / groups_); }
  [[nodiscard]] FilterRange filters(std::uint64_t item) const {
    const std::uint64_t group = item % groups_;
    return {bank_.filters * group / groups_, bank_.filters * (group + 1) / groups_};
  }

  // Scalars that store() works in: a line of results, and the maxima of both parts with their filters.
  [[nodiscard]] std::size_t result_room() const { return 5 * made(stage_.store_bound->end_element - first_ + 16); }

  // Stores the results of a filter; `y` are the planes of all elements. `room`: see result_room().
  void store(const BankSegment& segment, const Planes<T>& y, std::uint64_t filter, T* room, T* output) const {
    if (!paired_) return store_part(segment, 0, {y.real, y.imaginary}, filter, room, output);
    store_part(segment, 0, {y.real, nullptr}, filter, room, output);
    store_part(segment, 1, {y.imaginary, nullptr}, filter, room, output);
  }

  const plan::Stage stage_;
  const FilterBank& bank_ = *stage_.bank;
  CombinationKernels<T> combinations_;
  BankKernels<T> kernels_;
  std::size_t first_;
  bool paired_;
  std::uint64_t groups_ = 1;

 private:
  // Elements stored for so many results.
  [[nodiscard]] std::size_t made(std::size_t results) const {
    return (results + bank_.post.decimation - 1) / bank_.post.decimation *
           (plan::interbins(bank_.post.function) ? 2 : 1);
  }

  void store_part(const BankSegment& segment, std::int64_t part, const Planes<const T>& y, std::uint64_t filter,
                  T* room, T* output) const {
    const plan::Bound& bound = *stage_.store_bound;
    const std::int64_t position =
        segment.store_position + static_cast<std::int64_t>(first_) + part * bound.imaginary_step;
    const auto left = static_cast<std::int64_t>(bound.count) - position;
    if (left <= 0) return;
    const std::size_t count = std::min<std::size_t>(static_cast<std::size_t>(left), bound.end_element - first_);
    const bool complex = stage_.output_storage.form == plan::Storage::Form::interleaved;
    const std::int64_t element = segment.output + (paired_ ? part * stage_.output_storage.imaginary_offset : 0);
    T* to = output + element * (complex ? 2 : 1);
    PostCall<T> call;
    call.y = {y.real + first_, y.imaginary == nullptr ? nullptr : y.imaginary + first_};
    call.count = count;
    call.function = bank_.post.function;
    call.decimation = bank_.post.decimation;
    if (!bank_.post.maximum) {
      call.to = to + static_cast<std::int64_t>(filter) * bank_.filter_stride * (complex ? 2 : 1);
      if (complex && call.function == PostProcessing::Function::none && call.decimation == 1)
        return store_complex(call);
      return kernels_.process(call);
    }
    const std::size_t results = made(count);
    T* const largest = room + (result_room() / 5) * static_cast<std::size_t>(1 + 2 * part);
    T* const winners = largest + result_room() / 5;
    call.to = filter == 0 ? largest : room;
    kernels_.process(call);
    if (filter == 0) {
      std::fill_n(winners, results, T{0});
    } else {
      kernels_.keep_larger(room, results, static_cast<T>(filter), largest, winners);
    }
    if (filter + 1 < bank_.filters) return;
    std::copy_n(largest, results, to);
    std::copy_n(winners, results, to + bank_.index_offset);
  }

  void store_complex(const PostCall<T>& call) const {
    const Planes<T> from{const_cast<T*>(call.y.real), const_cast<T*>(call.y.imaginary)};
    for (std::size_t k = combinations_.put_together(from, call.count, T{1}, call.to); k < call.count; ++k) {
      call.to[2 * k] = call.y.real[k];
      call.to[2 * k + 1] = call.y.imaginary[k];
    }
  }
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

template <class T>
class DirectWorker : public BankWorker<T> {
 public:
  DirectWorker(const plan::Stage& stage, const WorkerOptions& options)
      : BankWorker<T>(stage, options),
        complex_(!this->bank_.real_taps),
        plane_size_((stage.length + 15) / 16 * 16 + 16),
        taps_size_((this->bank_.taps + 15) / 16 * 16 + 16) {}

  void run_bank(const std::byte* input, const std::byte* spectra, std::byte* output, std::uint64_t begin,
                std::uint64_t end) const override {
    auto* scratch =
        static_cast<T*>(thread_scratch((4 * plane_size_ + 2 * taps_size_ + this->result_room()) * sizeof(T)));
    const Planes<T> line{scratch, complex_ ? scratch + plane_size_ : nullptr};
    const Planes<T> sums{scratch + 2 * plane_size_, complex_ ? scratch + 3 * plane_size_ : nullptr};
    T* const taps = scratch + 4 * plane_size_;
    T* const room = taps + 2 * taps_size_;
    const std::size_t skipped = this->first_ - plan::left_halo(this->bank_.post.function);
    const std::size_t results =
        this->stage_.store_bound->end_element + plan::right_halo(this->bank_.post.function) - skipped;
    for (std::uint64_t item = begin; item < end; ++item) {
      const BankSegment segment = this->segment(item);
      load_segment(this->stage_, segment, reinterpret_cast<const T*>(input), this->combinations_, line);
      const auto [first, last] = this->filters(item);
      for (std::uint64_t filter = first; filter < last; ++filter) {
        this->kernels_.direct({shifted(line, skipped), taps_of(reinterpret_cast<const T*>(spectra), filter, taps),
                               mutable_shifted(sums, skipped), this->bank_.taps, results, false});
        this->store(segment, sums, filter, room, reinterpret_cast<T*>(output));
      }
    }
  }

 private:
  static Planes<T> mutable_shifted(const Planes<T>& planes, std::size_t by) {
    return {planes.real + by, planes.imaginary == nullptr ? nullptr : planes.imaginary + by};
  }
  static Planes<const T> shifted(const Planes<T>& planes, std::size_t by) {
    return constant(mutable_shifted(planes, by));
  }

  Planes<const T> taps_of(const T* spectra, std::uint64_t filter, T* taps) const {
    const std::size_t count = this->bank_.taps;
    if (!complex_) return {spectra + filter * count, nullptr};
    const T* from = spectra + 2 * filter * count;
    for (std::size_t m = 0; m < count; ++m) {
      taps[m] = from[2 * m];
      taps[taps_size_ + m] = from[2 * m + 1];
    }
    return {taps, taps + taps_size_};
  }

  bool complex_;
  std::size_t plane_size_;
  std::size_t taps_size_;
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
  return std::make_unique<DirectWorker<T>>(stage, options);
}

template std::unique_ptr<StageWorker> make_bank_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_bank_worker<double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
