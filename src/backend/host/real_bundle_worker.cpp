// Transforms of real data, or back to it, as many at a time as a vector has lanes or several times that.
#include <algorithm>
#include <cstdlib>

#include "backend/host/bundle_access.hpp"
#include "backend/host/item_walk.hpp"
#include "backend/host/real_line.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/staging.hpp"
#include "hwy/cache_control.h"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t small_bundle = 32768;  // bytes of the planes of a bundle that stays in the first-level cache
constexpr std::int64_t far_apart = 1024;     // bytes

bool is_plain_real(const plan::Storage& storage, Precision precision) {
  return storage.form == plan::Storage::Form::real && storage.precision == precision;
}

template <class T>
std::size_t real_bundle_lanes(const plan::Stage& stage, std::size_t lane_loop, const WorkerOptions& options) {
  std::size_t lanes = std::max<std::size_t>(vector_lanes<T>(options.targets), cache_line / sizeof(T));
  if (lane_loop == StageLoops::no_loop) return vector_lanes<T>(options.targets);
  const plan::Loop& loop = stage.loops[lane_loop];
  const std::uint64_t count = loop.count;
  // Of pages that hold few elements of each line, wide bundles make use of more.
  const auto far = [](std::int64_t lane_stride, std::int64_t element_stride) {
    return lane_stride == 1 && std::abs(element_stride) * static_cast<std::int64_t>(sizeof(T)) >= far_apart;
  };
  const bool strided = far(loop.input_stride, stage.input_stride) || far(loop.output_stride, stage.output_stride);
  const std::size_t room = strided ? 2 * options.core_cache : small_bundle;
  while (lanes < count && 8 * stage.length * lanes * sizeof(T) <= room &&
         plan::transform_count(stage) >= 8 * lanes * options.threads) {
    lanes *= 2;
  }
  return lanes;
}

template <class T>
class RealBundleWorker : public StageWorker {
 public:
  RealBundleWorker(const plan::Stage& stage, std::vector<unsigned> radices, std::size_t lane_loop,
                   const WorkerOptions& options)
      : length_(stage.length),
        scale_(static_cast<T>(stage.scale)),
        vector_(vector_lanes<T>(options.targets)),
        lanes_(real_bundle_lanes<T>(stage, lane_loop, options)),
        line_(stage, std::move(radices), LineShape::bundle, lanes_, options.targets),
        loops_(stage, lane_loop, lanes_),
        loading_(loading_stage(stage), loops_.lane_step(), false, options.targets),
        storing_(storing_stage(stage), loops_.lane_step(), false, options.targets),
        kernels_(find_combinations<T>(options.targets)) {
    const plan::Stage loads = loading_stage(stage);
    const plan::Stage stores = storing_stage(stage);
    const bool input = line_.side == RealSide::input;
    const bool whole = input || line_.loaded == stage.length / 2 + 1;
    const auto fits = [&](const plan::Storage& storage, bool real) {
      return real ? is_plain_real(storage, stage.precision) : is_interleaved(storage, stage.precision);
    };
    load_ = access(fits(stage.input_storage, input) && whole && only_loads(loads), input ? 1 : 2,
                   loops_.lane_step().input, stage.input_stride);
    store_ = access(fits(stage.output_storage, !input) && only_stores(stores) && !stores.twiddle, input ? 2 : 1,
                    loops_.lane_step().output, stage.output_stride);
    hooked_ = stage.store_hook.has_value();
    input_stride_ = stage.input_stride;
    output_stride_ = stage.output_stride;
    if (options.prefetched && load_ == Access::rows) {  // rows that follow each other
      const std::int64_t row =
          input ? static_cast<std::int64_t>(line_.loaded) : 2 * static_cast<std::int64_t>(line_.loaded);
      if (loops_.lane_step().input == row)
        prefetch_.pieces = static_cast<std::size_t>(row) * lanes_ * sizeof(T) / cache_line;
    }
    const std::int64_t row = static_cast<std::int64_t>(line_.stored) * (input ? 2 : 1);
    streamed_ = options.streamed && store_ == Access::rows && loops_.lane_step().output == row &&
                line_.moves.copy_streamed != nullptr;
    const std::size_t elements = std::max({length_, line_.places, loading_.elements(), storing_.elements()});
    plane_size_ = (elements * lanes_ + 2 * vector_ + 15) / 16 * 16 + 16;
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    auto* scratch = static_cast<T*>(thread_scratch(4 * plane_size_ * sizeof(T)));
    const Planes<T> planes[2] = {{scratch, scratch + plane_size_},
                                 {scratch + 2 * plane_size_, scratch + 3 * plane_size_}};
    for_each_item<T>(loops_, prefetch_, input, begin, end, [&](const StageLoops::Item& item, const Prefetch& prefetch) {
      const std::size_t lanes = (item.active + vector_ - 1) / vector_ * vector_;
      if (line_.side == RealSide::input) {
        forward(input, output, item, lanes, prefetch, planes);
      } else {
        back(input, output, item, lanes, prefetch, planes);
      }
    });
    if (streamed_) hwy::FlushStream();
  }

 private:
  // Vectors go to memory as they are only where every lane exists; a few short rows are no tile.
  Access usable(Access access, const StageLoops::Item& item, std::size_t lanes, std::size_t count) const {
    if (access == Access::lanes && item.active != lanes) return Access::staged;
    if (access == Access::rows && count < vector_ && 4 * item.active <= vector_) return Access::staged;
    return access;
  }

  void forward(const std::byte* input, std::byte* output, const StageLoops::Item& item, std::size_t lanes,
               const Prefetch& prefetch, const Planes<T> planes[2]) const {
    const auto* const from = reinterpret_cast<const T*>(input) + item.position.input;
    PassCall<T> call = line_.call(lanes, prefetch);
    call.input = planes[1].real;
    call.input_step = static_cast<std::ptrdiff_t>(lanes);
    call.output = planes[0].real;
    call.output_imaginary = planes[0].imaginary;
    switch (usable(load_, item, lanes, line_.loaded)) {
      case Access::lanes:
        call.input = from;
        call.input_step = input_stride_;
        break;
      case Access::rows:
        if (length_ < vector_) {
          line_.moves.reals_from_rows(
              {const_cast<T*>(from), planes[1].real, length_, lanes, item.active, loops_.lane_step().input, T{1}});
        } else {
          kernels_.rows_to_lanes(from, loops_.lane_step().input, item.active, length_, planes[1].real, lanes);
        }
        break;
      case Access::staged: {
        const Planes<T> to[2] = {planes[1], planes[0]};
        loading_.load(input, item, lanes, to);
      }
    }
    line_.pass(call);
    const std::size_t at = line_.inner.run_middle(0, line_.inner.count(), line_.half * lanes, planes, 0, prefetch);

    SpectrumLanesCall<T> move = spectrum(planes[at], item, lanes);
    move.count = line_.stored;
    T* const to = reinterpret_cast<T*>(output) + item.position.output;
    move.memory = to;
    move.scale = scale_;
    switch (usable(store_, item, lanes, line_.stored)) {
      case Access::lanes:
        move.memory_step = output_stride_;
        return line_.moves.unfold_lanes(move);
      case Access::rows:
        move.memory_step = loops_.lane_step().output;
        if (!streamed_) return line_.moves.unfold_rows(move);
        move.memory = planes[1 - at].real;  // both planes
        line_.moves.unfold_rows(move);
        return line_.moves.copy_streamed(move.memory, 2 * line_.stored * item.active, to);
      case Access::staged:
        move.memory = planes[1 - at].real;
        move.memory_imaginary = planes[1 - at].imaginary;
        move.scale = 1;
        line_.moves.unfold_lanes(move);
        storing_.store(planes, 1 - at, item, lanes, output);
    }
  }

  void back(const std::byte* input, std::byte* output, const StageLoops::Item& item, std::size_t lanes,
            const Prefetch& prefetch, const Planes<T> planes[2]) const {
    // The inverse is the forward transform with the parts swapped.
    const Planes<T> natural[2] = {{planes[0].imaginary, planes[0].real}, {planes[1].imaginary, planes[1].real}};
    SpectrumLanesCall<T> move = spectrum(natural[0], item, lanes);
    move.count = length_ / 2 + 1;
    move.memory = const_cast<T*>(reinterpret_cast<const T*>(input)) + item.position.input;
    switch (usable(load_, item, lanes, line_.loaded)) {
      case Access::lanes:
        move.memory_step = input_stride_;
        line_.moves.fold_lanes(move);
        break;
      case Access::rows:
        move.memory_step = loops_.lane_step().input;
        line_.moves.fold_rows(move);
        break;
      case Access::staged: {
        const Planes<T> to[2] = {planes[1], planes[0]};
        loading_.load(input, item, lanes, to);
        for (T* plane : {planes[1].real, planes[1].imaginary}) {
          std::fill(plane + line_.loaded * lanes, plane + std::max(line_.loaded, move.count) * lanes, T{0});
        }
        move.memory = planes[1].real;
        move.memory_imaginary = planes[1].imaginary;
        line_.moves.fold_lanes(move);
      }
    }
    const std::size_t at = line_.inner.run_middle(0, line_.inner.count(), line_.half * lanes, planes, 0, prefetch);

    PassCall<T> call = line_.call(lanes, prefetch);
    call.input = natural[at].real;
    call.input_imaginary = natural[at].imaginary;
    call.output = planes[1 - at].real;
    call.output_step = static_cast<std::ptrdiff_t>(lanes);
    auto* const to = reinterpret_cast<T*>(output) + item.position.output;
    const Access store = usable(store_, item, lanes, line_.stored);
    if (store == Access::lanes) {
      call.output = to;
      call.output_step = output_stride_;
      call.scale = scale_;
    }
    line_.pass(call);
    if (store == Access::rows) {
      T* const rows = streamed_ ? planes[at].real : to;
      if (length_ < vector_) {
        line_.moves.reals_to_rows(
            {rows, planes[1 - at].real, length_, lanes, item.active, loops_.lane_step().output, scale_});
      } else {
        kernels_.lanes_to_rows(planes[1 - at].real, lanes, item.active, length_, scale_, rows,
                               loops_.lane_step().output);
      }
      if (streamed_) line_.moves.copy_streamed(rows, length_ * item.active, to);
    } else if (store == Access::staged) {
      if (hooked_) std::fill_n(planes[1 - at].imaginary, length_ * lanes, T{0});
      storing_.store(planes, 1 - at, item, lanes, output);
    }
  }

  SpectrumLanesCall<T> spectrum(const Planes<T>& places, const StageLoops::Item& item, std::size_t lanes) const {
    SpectrumLanesCall<T> call;
    call.places = places;
    call.elements = line_.elements.data();
    call.lanes = lanes;
    call.active = item.active;
    call.sign = line_.sign;
    return call;
  }

  std::size_t length_;
  T scale_;
  std::size_t vector_;
  std::size_t lanes_;
  RealLine<T> line_;
  StageLoops loops_;
  Staging<T> loading_;
  Staging<T> storing_;
  CombinationKernels<T> kernels_;
  Access load_ = Access::staged;
  Access store_ = Access::staged;
  bool hooked_ = false;
  bool streamed_ = false;  // rows that follow each other are put together first, and then stored past the cache
  std::int64_t input_stride_ = 0;
  std::int64_t output_stride_ = 0;
  Prefetch prefetch_;  // but for the place
  std::size_t plane_size_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_real_bundle_worker(const plan::Stage& stage, std::vector<unsigned> radices,
                                                     std::size_t lane_loop, const WorkerOptions& options) {
  return std::make_unique<RealBundleWorker<T>>(stage, std::move(radices), lane_loop, options);
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                           \
  template std::unique_ptr<StageWorker> make_real_bundle_worker<T>(const plan::Stage&, std::vector<unsigned>, \
                                                                   std::size_t, const WorkerOptions&);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
