// Transforms of real data, or back to it, one at a time: vectors across the columns within a line.
#include <algorithm>
#include <cstring>

#include "backend/host/item_walk.hpp"
#include "backend/host/real_line.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/staging.hpp"
#include "hwy/cache_control.h"

namespace twiddle::backend::host {
namespace {

template <class T>
class RealRowWorker : public StageWorker {
 public:
  RealRowWorker(const plan::Stage& stage, std::vector<unsigned> radices, const WorkerOptions& options)
      : length_(stage.length),
        scale_(static_cast<T>(stage.scale)),
        vector_(vector_lanes<T>(options.targets)),
        line_(stage, std::move(radices), LineShape::row, 1, options.targets),
        loops_(stage, StageLoops::no_loop, 1),
        loading_(loading_stage(stage), loops_.lane_step(), false, options.targets),
        storing_(storing_stage(stage), loops_.lane_step(), false, options.targets) {
    const plan::Stage loads = loading_stage(stage);
    const plan::Stage stores = storing_stage(stage);
    const bool forward = line_.side == RealSide::input;
    const auto fits = [&](const plan::Storage& storage, bool real, std::int64_t stride) {
      if (!real) return is_interleaved(storage, stage.precision) && stride == 2;
      return storage.form == plan::Storage::Form::real && storage.precision == stage.precision && stride == 1;
    };
    const bool whole = forward || line_.loaded == length_ / 2 + 1;
    stage_input_ = !fits(stage.input_storage, forward, stage.input_stride) || !whole || !only_loads(loads);
    stage_output_ =
        !fits(stage.output_storage, !forward, stage.output_stride) || !only_stores(stores) || stores.twiddle;
    hooked_ = stage.store_hook.has_value();
    narrow_ = line_.columns < vector_;  // kernels reach beyond the reals
    if (options.prefetched && !stage_input_) {
      prefetch_.pieces = (line_.loaded * (forward ? 1 : 2) * sizeof(T) + cache_line - 1) / cache_line;
    }
    streamed_ = options.streamed && !stage_output_ && line_.moves.copy_streamed != nullptr;
    const std::size_t elements = std::max(
        {length_ + vector_, line_.half * std::max(line_.columns, vector_), loading_.elements(), storing_.elements()});
    // A vector before each array, and a line of the cache more between them than the sets of the cache.
    plane_size_ = (elements + 3 * vector_ + 15) / 16 * 16 + 16;
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    T* const scratch = static_cast<T*>(thread_scratch((4 * plane_size_ + 16) * sizeof(T))) + 16;
    const Planes<T> planes[2] = {{scratch, scratch + plane_size_},
                                 {scratch + 2 * plane_size_, scratch + 3 * plane_size_}};
    for_each_item<T>(loops_, prefetch_, input, begin, end, [&](const StageLoops::Item& item, const Prefetch& prefetch) {
      if (line_.side == RealSide::input) {
        forward(input, output, item, prefetch, planes);
      } else {
        back(input, output, item, prefetch, planes);
      }
    });
    if (streamed_) hwy::FlushStream();
  }

 private:
  void forward(const std::byte* input, std::byte* output, const StageLoops::Item& item, const Prefetch& prefetch,
               const Planes<T> planes[2]) const {
    const auto* const from = reinterpret_cast<const T*>(input) + item.position.input;
    PassCall<T> call = line_.call(1, prefetch);
    call.input = from;
    call.output = planes[0].real;
    call.output_imaginary = planes[0].imaginary;
    if (stage_input_) {
      const Planes<T> to[2] = {planes[1], planes[0]};
      loading_.load(input, item, 1, to);
      call.input = planes[1].real;
    } else if (narrow_) {
      std::memcpy(planes[1].real, from, length_ * sizeof(T));
      call.input = planes[1].real;
    }
    line_.pass(call);
    const std::size_t at = line_.inner.run_middle(0, line_.inner.count(), line_.half, planes, 0, prefetch);
    SpectrumRowCall<T> move = spectrum(planes[at]);
    move.count = line_.stored;
    if (stage_output_) {
      move.memory = planes[1 - at].real;
      move.memory_imaginary = planes[1 - at].imaginary;
      line_.moves.unfold_row(move);
      storing_.store(planes, 1 - at, item, 1, output);
    } else {
      T* const to = reinterpret_cast<T*>(output) + item.position.output;
      move.memory = streamed_ ? planes[1 - at].real : to;
      move.scale = scale_;
      line_.moves.unfold_row(move);
      if (streamed_) line_.moves.copy_streamed(move.memory, 2 * line_.stored, to);
    }
  }

  void back(const std::byte* input, std::byte* output, const StageLoops::Item& item, const Prefetch& prefetch,
            const Planes<T> planes[2]) const {
    // The inverse is the forward transform with the parts swapped.
    const Planes<T> natural[2] = {{planes[0].imaginary, planes[0].real}, {planes[1].imaginary, planes[1].real}};
    SpectrumRowCall<T> move = spectrum(natural[0]);
    move.count = length_ / 2 + 1;
    move.memory = const_cast<T*>(reinterpret_cast<const T*>(input)) + item.position.input;
    if (stage_input_) {
      const Planes<T> to[2] = {planes[1], planes[0]};
      loading_.load(input, item, 1, to);
      for (T* plane : {planes[1].real, planes[1].imaginary}) {
        std::fill(plane + line_.loaded, plane + std::max(line_.loaded, move.count), T{0});
      }
      move.memory = planes[1].real;
      move.memory_imaginary = planes[1].imaginary;
    }
    line_.moves.fold_row(move);
    const std::size_t at = line_.inner.run_middle(0, line_.inner.count(), line_.half, planes, 0, prefetch);
    PassCall<T> call = line_.call(1, prefetch);
    call.input = natural[at].real;
    call.input_imaginary = natural[at].imaginary;
    T* const to = reinterpret_cast<T*>(output) + item.position.output;
    const bool staged = stage_output_ || narrow_;
    call.output = staged || streamed_ ? planes[1 - at].real : to;
    if (!staged) call.scale = scale_;
    line_.pass(call);
    if (!staged) {
      if (streamed_) line_.moves.copy_streamed(call.output, length_, to);
      return;
    }
    if (hooked_) std::fill_n(planes[1 - at].imaginary, length_, T{0});
    storing_.store(planes, 1 - at, item, 1, output);
  }

  SpectrumRowCall<T> spectrum(const Planes<T>& places) const {
    SpectrumRowCall<T> call;
    call.places = places;
    call.radix = line_.radix;
    call.columns = line_.columns;
    call.sign = line_.sign;
    return call;
  }

  std::size_t length_;
  T scale_;
  std::size_t vector_;
  RealLine<T> line_;
  StageLoops loops_;
  Staging<T> loading_;
  Staging<T> storing_;
  bool stage_input_ = false;
  bool stage_output_ = false;
  bool hooked_ = false;
  bool narrow_ = false;
  bool streamed_ = false;  // results are put together first, and then stored past the cache
  Prefetch prefetch_;      // but for the place
  std::size_t plane_size_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_real_row_worker(const plan::Stage& stage, std::vector<unsigned> radices,
                                                  const WorkerOptions& options) {
  return std::make_unique<RealRowWorker<T>>(stage, std::move(radices), options);
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                        \
  template std::unique_ptr<StageWorker> make_real_row_worker<T>(const plan::Stage&, std::vector<unsigned>, \
                                                                const WorkerOptions&);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
