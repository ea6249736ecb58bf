// Transforms one at a time: vectors across the columns within a transform.
#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>

#include "backend/host/column_blocks.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/item_walk.hpp"
#include "backend/host/line_passes.hpp"
#include "backend/host/mapped_pass.hpp"
#include "backend/host/memory_access.hpp"
#include "backend/host/mirrored_line.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/staging.hpp"
#include "hwy/cache_control.h"
#include "plan/recipe/host_division.hpp"
#include "plan/recipe/host_vectors.hpp"

namespace twiddle::backend::host {
namespace {

bool is_on_cache_line(const void* place) { return reinterpret_cast<std::uintptr_t>(place) % cache_line == 0; }

bool is_apart(const plan::Storage& storage) { return storage.form == plan::Storage::Form::apart; }

// Whether a side has whole complex numbers next to each other, or real parts, and imaginary ones elsewhere.
bool is_adjacent(const plan::Storage& storage, std::int64_t stride, Precision precision) {
  if (is_apart(storage)) return storage.precision == precision && stride == 1;
  return is_interleaved(storage, precision) && stride == 2;
}

// Whether a map goes straight between memory and planes.
template <class T>
bool mirrors_load(const plan::Stage& stage) {
  return stage.load_map && MirroredLine<T>::serves(*stage.load_map) && !stage.load_factor && !stage.load_hook &&
         !(stage.twiddle && stage.twiddle->on_load) &&
         is_adjacent(stage.input_storage, stage.input_stride, stage.precision);
}

template <class T>
bool mirrors_store(const plan::Stage& stage) {
  return stage.store_map && MirroredLine<T>::serves(*stage.store_map) && !stage.store_factor && !stage.store_hook &&
         !(stage.twiddle && !stage.twiddle->on_load) &&
         is_adjacent(stage.output_storage, stage.output_stride, stage.precision);
}

// Whether lines are loaded by way of planar arrays.
bool is_loaded_planar(const plan::Stage& stage) { return !is_plain_load(stage) || stage.input_stride != 2; }

// The stage without such maps, whose tables for staging would take longer to make than all of the rest.
template <class T>
plan::Stage staged(plan::Stage stage) {
  if (mirrors_load<T>(stage)) stage.load_map.reset();
  if (mirrors_store<T>(stage)) stage.store_map.reset();
  return stage;
}

// Whether the first pass's twiddles, which are nearly as many as the line's numbers, leave a large core's cache no room
// for the rest: input, planes, results, what is fetched and the roots of a map. Then those of each vector's first
// column and of the lanes take 0.83 to 0.97 of the time, elsewhere 1.00 to 1.10 (a Xeon with 2 MiB).
template <class T>
bool takes_parted_twiddles(const plan::Stage& stage, const WorkerOptions& options) {
  const bool served =
      vector_lanes<T>(options.targets) * sizeof(T) == plan::long_vector_bytes && !is_loaded_planar(stage);
  if (!options.large_core_cache() || !served) return false;
  const std::size_t halves = 6 + (options.in_place ? 0 : 2) + (options.prefetched ? 2 : 0) + (stage.store_map ? 1 : 0);
  return halves * stage.length * sizeof(T) > options.core_cache / 10 * 9;
}

template <class T>
class RowWorker final : public StageWorker {
 public:
  RowWorker(const plan::Stage& stage, const WorkerOptions& options)
      : length_(stage.length),
        scale_(static_cast<T>(stage.scale)),
        vector_(vector_lanes<T>(options.targets)),
        passes_(stage, is_loaded_planar(stage) ? LineShape::row : LineShape::interleaved_row, 1, options.targets,
                takes_parted_twiddles<T>(stage, options)),
        kernels_(find_combinations<T>(options.targets)),
        loops_(stage, StageLoops::no_loop, 1),
        staging_(staged<T>(stage), loops_.lane_step(), false, options.targets) {
    const bool swapped = stage.direction == Direction::inverse;
    const std::size_t last = passes_.count() - 1;
    inverse_ = swapped;
    loads_apart_ = is_apart(stage.input_storage);
    stores_apart_ = is_apart(stage.output_storage);
    if (mirrors_load<T>(stage)) prepare_load_map(stage, options);
    if (mirrors_store<T>(stage)) prepare_store_map(stage, options);
    stage_input_ = is_loaded_planar(stage) && !mapped_first_;
    stage_output_ = (!is_plain_store(stage) || stage.twiddle || stage.output_stride != 2) && !mapped_last_;
    pad_input_ = passes_.pass(0).columns < vector_;
    pad_output_ = passes_.pass(last).run < vector_;
    const bool plain_input = !stage_input_ && !mapped_first_;
    const bool plain_output = !stage_output_ && !mapped_last_;
    const auto find = [&](std::size_t pass, PassKind kind, PassKind swapped_kind) {
      return find_pass<T>(swapped ? swapped_kind : kind, passes_.pass(pass).radix, options.targets);
    };
    // From memory to the caches, the passes in between may have each vector in another order.
    if (plain_input && plain_output && !options.streamed && last > 0) {
      first_ = find(0, PassKind::first_row_in_blocks, PassKind::first_row_in_blocks_swapped);
    }
    if (first_ != nullptr) {
      last_ = find(last, PassKind::last_row_in_blocks, PassKind::last_row_in_blocks_swapped);
    } else {
      first_ = stage_input_ ? find(0, PassKind::first_row_planar, PassKind::first_row_planar)
                            : find(0, PassKind::first_row, PassKind::first_row_swapped);
      last_ = find(last, PassKind::last_row, PassKind::last_row_swapped);
    }
    // Streamed stores need whole aligned vectors at every place that the last pass writes to.
    if (options.streamed && plain_output && !pad_output_ && passes_.pass(last).run % vector_ == 0) {
      streamed_last_ = find(last, PassKind::last_row_streamed, PassKind::last_row_streamed_swapped);
    }
    const bool in_caches = !options.streamed && !options.prefetched;
    if (plain_input && plain_output && in_caches && options.large_core_cache()) {
      blocks_ = ColumnBlocks<T>::make(passes_, stage.direction, scale_, options.targets);
    }
    streamed_ = options.streamed;
    over_results_ = leaves_core_cache(options) && may_pass_over_results(options.in_place);
    // One cache line between the arrays, so that they do not fall onto the same sets.
    plane_size_ = (staging_.elements() + 2 * vector_ + 15) / 16 * 16 + 16;
    staged_size_ = ((length_ + vector_) * 2 + 15) / 16 * 16;
    first_call_ = passes_.call(0, 1, {});
    last_call_ = passes_.call(last, 1, {});
    if (loops_.items() == 1) only_item_ = loops_.item(0);
    if (options.prefetched && (!stage_input_ || load_mirrored_)) {
      prefetch_.pieces = (length_ * 2 * sizeof(T) + cache_line - 1) / cache_line;
    }
  }

  std::uint64_t items() const override { return loops_.items(); }

  // One line alone, without what walking over many takes.
  void call(const std::byte* input, std::byte* output) const override {
    if (!only_item_ || streamed_) return run(input, output, 0, items());
    transform(input, output, *only_item_, {}, scratch());
  }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    run_apart(input, output, begin, end);
  }

  void run_apart(const InputMemory& input, const OutputMemory& output, std::uint64_t begin,
                 std::uint64_t end) const override {
    T* const scratch = this->scratch();
    for_each_item<T>(loops_, prefetch_, input.start, begin, end,
                     [&](const StageLoops::Item& item, const Prefetch& prefetch) {
                       transform(input, output, item, prefetch, scratch);
                     });
    if (streamed_) hwy::FlushStream();
  }

 private:
  // As part of a pass where that can be, else as a step of its own.
  void prepare_load_map(const plan::Stage& stage, const WorkerOptions& options) {
    if (inverse_ && !loads_apart_ && gains_by_mapped_passes(options)) {
      mapped_first_ = MappedPass<T>::make(*stage.load_map, passes_, 1, options.targets);
    }
    if (!mapped_first_) load_mirrored_ = MirroredLine<T>::make(*stage.load_map, 1, options.targets);
  }
  void prepare_store_map(const plan::Stage& stage, const WorkerOptions& options) {
    if (!inverse_ && !stores_apart_ && (gains_by_mapped_passes(options) || gains_by_mapped_last(options))) {
      mapped_last_ = MappedPass<T>::make(*stage.store_map, passes_, scale_, options.targets);
    }
    if (!mapped_last_) store_mirrored_ = MirroredLine<T>::make(*stage.store_map, scale_, options.targets);
  }

  // Measured beside a large second-level cache: lines of more than 16384 bytes, to 65536 reals, take 0.73 to 0.95 of
  // the time by AVX-512 on a Xeon with 2 MiB, 0.79 to 1.03 by AVX2, from memory 0.82 to 0.97; of as many 0.96 to 1.06.
  bool gains_by_mapped_passes(const WorkerOptions& options) const {
    return options.large_core_cache() && 2 * length_ * sizeof(T) > plan::host_longest_map_apart;
  }
  // On the way there also where vectors are computed in halves, of lines that the core's cache holds: 0.83 to 1.0 of
  // the time of 40 lengths from 2000 to 262144, floats and doubles, on an EPYC (Zen 4); on the way back 0.94 to 1.26.
  // Not by a last radix of 12 or 16, whose results leave the registers: to 1.09.
  bool gains_by_mapped_last(const WorkerOptions& options) const {
    constexpr unsigned largest_last = 11;
    return options.halved_vectors && plan::host_halves_map_last(2 * length_ * sizeof(T), options.core_cache) &&
           passes_.pass(passes_.count() - 1).radix <= largest_last;
  }

  // Where a line's imaginary parts are, where they are apart.
  template <class Byte>
  static auto apart_from(Byte* memory, bool apart, std::int64_t place) {
    using Element = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    return apart ? reinterpret_cast<Element*>(memory) + place : nullptr;
  }

  // Whether a line, its results and both pairs of planes fill two thirds of a large core's cache. Then it pays to have
  // a pair where the results will be: 24576 and 32768 doubles and 65536 floats take 0.87 to 0.97 of the time, reals
  // with their map 0.78 to 0.92; shorter lines 0.97 to 1.12, as those planes share sets (a Xeon with 2 MiB).
  bool leaves_core_cache(const WorkerOptions& options) const {
    const std::size_t line = 2 * length_ * sizeof(T);
    return options.large_core_cache() && 4 * line > options.core_cache / 3 * 2;
  }

  // Whether passes may have planes where the results will be: nothing is stored beyond a run of theirs, and what comes
  // last does not read there. In place the first pass still reads there.
  bool may_pass_over_results(bool in_place) const {
    const bool mapped = store_mirrored_ && !stores_apart_ && store_mirrored_->count() >= length_;
    if (stage_input_ || streamed_ || (stage_output_ ? !mapped : pad_output_)) return false;
    const std::size_t count = passes_.count();
    if (count < 3 || passes_.pass(0).columns < vector_ || passes_.pass(1).run % vector_ != 0) return false;
    return !in_place || planes_over_results() == 1;
  }

  // Which pair of planes: that which the step behind the passes between planes does not read.
  std::size_t planes_over_results() const {
    const std::size_t between = stage_output_ ? passes_.count() : passes_.count() - 1;
    return between % 2;
  }

  T* scratch() const { return static_cast<T*>(thread_scratch((4 * plane_size_ + 2 * staged_size_) * sizeof(T))); }

  void transform(const InputMemory& input, const OutputMemory& output, const StageLoops::Item& item,
                 const Prefetch& prefetch, T* scratch) const {
    // What the passes see: the inverse is the forward transform with the parts swapped.
    Planes<T> planes[2] = {{scratch, scratch + plane_size_}, {scratch + 2 * plane_size_, scratch + 3 * plane_size_}};
    const auto natural = [&](std::size_t i) {
      return inverse_ ? Planes<T>{planes[i].imaginary, planes[i].real} : planes[i];
    };
    const T* const from = reinterpret_cast<const T*>(input.start) + item.position.input;
    T* const to = reinterpret_cast<T*>(output.start) + item.position.output;
    if (blocks_ && is_on_cache_line(to) && (from + 2 * length_ <= to || to + 2 * length_ <= from)) {
      return (*blocks_)(from, to, scratch);
    }
    if (over_results_ && is_on_cache_line(to)) {
      planes[planes_over_results()] = {to, to + length_};
    }
    T* staged_input = scratch + 4 * plane_size_;
    T* staged_output = staged_input + staged_size_;

    PassCall<T> call = prefetch.start == nullptr ? first_call_ : passes_.call(0, 1, prefetch);
    call.input = from;
    if (stage_input_) {
      const Planes<T> to[2] = {natural(1), natural(0)};
      if (load_mirrored_) {
        load_mirrored_->apply({call.input, apart_from(input.apart, loads_apart_, item.position.input)}, to[0], 0,
                              load_mirrored_->pairs());
      } else {
        staging_.load(input, item, 1, to);
      }
      call.input = planes[1].real;
      call.input_imaginary = planes[1].imaginary;
    } else if (pad_input_) {
      std::memcpy(staged_input, call.input, length_ * 2 * sizeof(T));
      call.input = staged_input;
    }
    call.output = planes[0].real;
    call.output_imaginary = planes[0].imaginary;
    if (mapped_first_) {
      (*mapped_first_)(call);
    } else {
      first_(call);
    }

    const std::size_t last = passes_.count() - 1;
    if (stage_output_) {
      const std::size_t at = passes_.run_middle(1, last + 1, 1, planes, 0, prefetch);
      const Planes<T> from[2] = {natural(0), natural(1)};
      if (store_mirrored_) {
        const bool streamed = streamed_ && !stores_apart_;
        T* const apart = apart_from(output.apart, stores_apart_, item.position.output);
        store_mirrored_->apply({from[at].real, from[at].imaginary}, {streamed ? staged_output : to, apart}, 0,
                               store_mirrored_->pairs());
        if (streamed) kernels_.copy_past_cache(staged_output, 2 * store_mirrored_->count(), to);
      } else {
        staging_.store(from, at, item, 1, output);
      }
      return;
    }
    const std::size_t at = passes_.run_middle(1, last, 1, planes, 0, prefetch);
    call = prefetch.start == nullptr ? last_call_ : passes_.call(last, 1, prefetch);
    call.input = planes[at].real;
    call.input_imaginary = planes[at].imaginary;
    call.scale = scale_;
    if (streamed_last_ != nullptr && is_on_cache_line(to)) {
      call.output = to;
      return streamed_last_(call);
    }
    const bool staged = pad_output_ || streamed_;
    call.output = staged ? staged_output : to;
    if (mapped_last_) {
      (*mapped_last_)(call);
    } else {
      last_(call);
    }
    if (streamed_) return kernels_.copy_past_cache(staged_output, (mapped_last_ ? length_ + 1 : length_) * 2, to);
    if (pad_output_) std::memcpy(to, staged_output, length_ * 2 * sizeof(T));
  }

  std::size_t length_;
  T scale_;
  std::size_t vector_;
  LinePasses<T> passes_;
  CombinationKernels<T> kernels_;
  StageLoops loops_;
  std::optional<StageLoops::Item> only_item_;
  PassCall<T> first_call_;  // where nothing is fetched, but for the places
  PassCall<T> last_call_;
  Staging<T> staging_;
  std::optional<ColumnBlocks<T>> blocks_;      // all passes, out of place in the caches
  std::optional<MappedPass<T>> mapped_first_;  // maps of real transforms as part of a pass
  std::optional<MappedPass<T>> mapped_last_;
  std::optional<MirroredLine<T>> load_mirrored_;  // maps of real transforms straight between memory and planes
  std::optional<MirroredLine<T>> store_mirrored_;
  bool loads_apart_ = false;
  bool stores_apart_ = false;
  bool over_results_ = false;  // some passes have planes where the results will be
  bool inverse_ = false;
  bool stage_input_ = false;  // by way of planar arrays
  bool stage_output_ = false;
  bool pad_input_ = false;  // copied first, because the kernel reads beyond the row
  bool pad_output_ = false;
  PassFunction<T> first_ = nullptr;
  PassFunction<T> last_ = nullptr;
  PassFunction<T> streamed_last_ = nullptr;  // null: rows are put together in the cache first
  bool streamed_ = false;
  std::size_t plane_size_ = 0;
  std::size_t staged_size_ = 0;
  Prefetch prefetch_;  // but for the place
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_row_worker(const plan::Stage& stage, const WorkerOptions& options) {
  return std::make_unique<RowWorker<T>>(stage, options);
}

template std::unique_ptr<StageWorker> make_row_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_row_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_row_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
