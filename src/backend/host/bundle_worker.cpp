// Transforms as many at a time as a vector has lanes.
#include <algorithm>
#include <optional>

#include "backend/host/bundle_access.hpp"
#include "backend/host/bundle_staging.hpp"
#include "backend/host/bundle_twiddles.hpp"
#include "backend/host/bundle_width.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/contiguous_line.hpp"
#include "backend/host/item_walk.hpp"
#include "backend/host/line_combination.hpp"
#include "backend/host/line_passes.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "hwy/cache_control.h"

namespace twiddle::backend::host {
namespace {

// Transforms side by side from which on it pays to compute those at either end by way of staging, so that the others'
// results are whole cache lines.
constexpr std::uint64_t fewest_led = 1024;

template <class T>
class BundleWorker : public StageWorker {
 public:
  BundleWorker(const plan::Stage& stage, std::size_t lane_loop, const WorkerOptions& options)
      : length_(stage.length),
        scale_(static_cast<T>(stage.scale)),
        input_stride_(stage.input_stride),
        output_stride_(stage.output_stride),
        vector_(vector_lanes<T>(options.targets)),
        lanes_(bundle_lanes<T>(stage, lane_loop, options)),
        passes_(stage, LineShape::bundle, lanes_, options.targets),
        kernels_(find_combinations<T>(options.targets)),
        loops_(stage, lane_loop, lanes_),
        twiddled_(stage.twiddle && !stage.twiddle->on_load) {
    inverse_ = stage.direction == Direction::inverse;
    const auto pick = [&](auto kind, auto swapped_kind) { return inverse_ ? swapped_kind : kind; };
    // Rows are transposed by squares. Maps are between the passes and these.
    plan::Stage bare = stage;
    bare.load_map.reset();
    bare.store_map.reset();
    input_ = access(is_plain_load(bare), 2, loops_.lane_step().input, input_stride_);
    if (input_ == Access::rows && is_half_spectrum(stage.load_map)) load_map_.emplace(*stage.load_map, options.targets);
    loaded_ = load_map_ ? load_map_->source_count() : length_;
    const bool mapped_elsewhere = stage.load_map && !load_map_;
    if (mapped_elsewhere || (input_ == Access::rows && loaded_ < vector_)) input_ = Access::staged;
    output_ = access(is_plain_store(bare), 2, loops_.lane_step().output, output_stride_);
    if (output_ == Access::rows && is_half_spectrum(stage.store_map))
      store_map_.emplace(*stage.store_map, options.targets);
    stored_ = store_map_ ? store_map_->count() : length_;
    const bool made_elsewhere = stage.store_map && !store_map_;
    if (made_elsewhere || (output_ == Access::rows && stored_ < vector_)) output_ = Access::staged;
    turned_ = twiddled_ && output_ == Access::rows && stage.twiddle->loop == lane_loop && !store_map_;
    if (twiddled_ && output_ == Access::rows && !turned_) output_ = Access::staged;
    turns_input_ = turns_lanes(stage, lane_loop);
    // The passes at either end hold lanes in blocks, staging in their own order. Rows go either way.
    const bool in_blocks = input_ == Access::lanes || output_ == Access::lanes || twiddled_ || turns_input_;
    const LaneOrder order = in_blocks ? LaneOrder::in_blocks : LaneOrder::natural;
    const bool past_cache = options.streamed && output_ == Access::staged;
    staging_.emplace(stage, loops_.lane_step(), twiddled_, lanes_, order, past_cache, options);
    const auto move = [&](MoveKind kind, MoveKind swapped_kind) {
      return find_move<T>(pick(kind, swapped_kind), order, options.targets);
    };
    rows_in_ = move(MoveKind::rows_to_bundle, MoveKind::rows_to_bundle_swapped);
    lanes_in_ = move(MoveKind::lanes_to_bundle, MoveKind::lanes_to_bundle_swapped);
    rows_out_ = move(MoveKind::bundle_to_rows, MoveKind::bundle_to_rows_swapped);
    const unsigned first = passes_.pass(0).radix;
    const unsigned last = passes_.pass(passes_.count() - 1).radix;
    const auto find = [&](unsigned radix, PassKind kind, PassKind swapped_kind) {
      return find_pass<T>(pick(kind, swapped_kind), radix, options.targets);
    };
    first_ = find(first, PassKind::first_bundle, PassKind::first_bundle_swapped);
    last_ = twiddled_ ? find(last, PassKind::last_bundle_twiddled, PassKind::last_bundle_twiddled_swapped)
                      : find(last, PassKind::last_bundle, PassKind::last_bundle_swapped);
    led_ = lane_loop != StageLoops::no_loop && stage.loops[lane_loop].count >= fewest_led;
    // Streamed stores need every vector aligned. In place, columns in sets of their own stay in the cache beside a
    // large one of the core's: 0.62 to 0.98 of the time (two Xeons, 2 MiB), others 0.7 to 1.2.
    const bool stays = options.in_place && !share_sets<T>(output_stride_);
    if (options.streamed && !stays && output_ == Access::lanes &&
        output_stride_ * static_cast<std::int64_t>(sizeof(T)) % cache_line == 0) {
      streamed_last_ = twiddled_ ? find(last, PassKind::last_bundle_twiddled_streamed,
                                        PassKind::last_bundle_twiddled_streamed_swapped)
                                 : find(last, PassKind::last_bundle_streamed, PassKind::last_bundle_streamed_swapped);
    }
    if (options.streamed && output_ == Access::rows) {
      const std::int64_t step = loops_.lane_step().output;
      if (stored_ % vector_ == 0 && step * static_cast<std::int64_t>(sizeof(T)) % cache_line == 0) {
        streamed_rows_out_ = move(MoveKind::bundle_to_rows_streamed, MoveKind::bundle_to_rows_streamed_swapped);
      }
      streamed_rows_ = step == 2 * static_cast<std::int64_t>(stored_);
    }
    if (twiddled_ || turns_input_) {
      staged_in_ = find_move<T>(pick(MoveKind::lanes_to_bundle, MoveKind::lanes_to_bundle_swapped), LaneOrder::natural,
                                options.targets);
      twiddles_.emplace(stage, lane_loop, twiddled_ ? stage.scale : 1, options.targets);
    }
    // What the next bundle reads: pieces of neighbouring transforms, or rows that follow each other. Pieces that share
    // sets of a large cache would drive out what is in use, so they are fetched from memory alone: 0.88 to 0.98 of the
    // time (a Xeon, 2 MiB), from memory 1.04 to 1.2.
    const bool crowded = options.large_core_cache() && !options.from_memory && share_sets<T>(input_stride_);
    const bool staged = input_ == Access::staged && !turns_input_;
    reads_lanes_ = staged ? staging_->reads_lanes() : input_ == Access::lanes || turns_input_;
    if (options.prefetched && !(reads_lanes_ && crowded)) {
      if (staged) {
        prefetch_ = staging_->prefetch();
      } else if (reads_lanes_) {
        prefetch_ = prefetch_of_lanes<T>(length_, 2 * lanes_, input_stride_);
      } else if (loops_.lane_step().input == 2 * static_cast<std::int64_t>(loaded_)) {
        prefetch_.pieces = loaded_ * lanes_ * 2 * sizeof(T) / cache_line;
      }
    }
    staged_size_ = (twiddled_ && !turned_) || streamed_rows_ ? 2 * std::max(length_, stored_) * lanes_ : 0;
    staged_size_ = std::max(staged_size_, staging_->room());
    plane_size_ = (staging_->elements() * lanes_ + 2 * vector_ + 15) / 16 * 16 + 16;
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    run_apart(input, output, begin, end);
  }

  void run_apart(const InputMemory& input, const OutputMemory& output, std::uint64_t begin,
                 std::uint64_t end) const override {
    auto* scratch = static_cast<T*>(thread_scratch((4 * plane_size_ + staged_size_) * sizeof(T)));
    for_each_item<T>(loops_, prefetch_, input.start, begin, end, [&](const StageLoops::Item& item, Prefetch prefetch) {
      if (prefetch.start != nullptr && reads_lanes_) prefetch.start += past_begun_line;
      run_item(input, output, item, prefetch, scratch);
    });
    if (streamed_last_ != nullptr || streamed_rows_ || streamed_rows_out_ != nullptr || staging_->room() > 0) {
      hwy::FlushStream();
    }
  }

 private:
  // Whether loading is nothing but a twiddle that follows lanes which are adjacent.
  bool turns_lanes(plan::Stage stage, std::size_t lane_loop) const {
    if (!stage.twiddle || !stage.twiddle->on_load || stage.twiddle->loop != lane_loop) return false;
    stage.twiddle.reset();
    return is_plain_load(stage) && loops_.lane_step().input == 2;
  }

  // Transforms from that of the item to the first one whose results begin a cache line: what is stored past the cache
  // are whole ones, and arrays often begin within one. Twiddles that follow the lanes begin with the loop.
  std::size_t leading(const std::byte* output, const StageLoops::Item& item) const {
    if (streamed_last_ == nullptr || !led_ || (twiddled_ && twiddles_->follow_lanes())) return 0;
    const auto place = reinterpret_cast<std::uintptr_t>(reinterpret_cast<const T*>(output) + item.position.output);
    const std::size_t missing = (cache_line - place % cache_line) % cache_line;
    return missing % (2 * sizeof(T)) == 0 ? missing / (2 * sizeof(T)) : 0;
  }

  // The item; where its first transforms begin within a cache line, as many that follow these, which the first item of
  // the lane loop computes as well.
  void run_item(const InputMemory& input, const OutputMemory& output, StageLoops::Item item, Prefetch prefetch,
                T* scratch) const {
    const std::size_t lead = leading(output.start, item);
    if (lead == 0) return run_whole(input, output, item, prefetch, scratch);
    if (item.lane == 0) {
      StageLoops::Item first = item;
      first.active = std::min(lead, item.active);
      transform(input, output, first, (first.active + vector_ - 1) / vector_ * vector_, {}, scratch);
    }
    if (prefetch.start != nullptr) {
      prefetch.start += static_cast<std::ptrdiff_t>(lead * sizeof(T)) * loops_.lane_step().input;
    }
    item = loops_.moved(item, lead);
    if (item.active > 0) run_whole(input, output, item, prefetch, scratch);
  }

  // Whole vectors of transforms first, the rest by way of staging.
  void run_whole(const InputMemory& input, const OutputMemory& output, StageLoops::Item item, const Prefetch& prefetch,
                 T* scratch) const {
    const bool by_lanes = input_ == Access::lanes || output_ == Access::lanes;
    const std::size_t rest = by_lanes ? item.active % vector_ : 0;
    const std::size_t whole = item.active - rest;
    if (whole > 0) {
      StageLoops::Item vectors = item;
      vectors.active = whole;
      transform(input, output, vectors, (whole + vector_ - 1) / vector_ * vector_, prefetch, scratch);
    }
    if (rest > 0) transform(input, output, loops_.rest(item, whole), vector_, {}, scratch);
  }

  void transform(const InputMemory& input, const OutputMemory& output, const StageLoops::Item& item, std::size_t lanes,
                 const Prefetch& prefetch, T* scratch) const {
    // What the passes see: the inverse is the forward transform with the parts swapped.
    const Planes<T> planes[2] = {{scratch, scratch + plane_size_},
                                 {scratch + 2 * plane_size_, scratch + 3 * plane_size_}};
    const Planes<T> swapped[2] = {{planes[0].imaginary, planes[0].real}, {planes[1].imaginary, planes[1].real}};
    const Planes<T>* natural = inverse_ ? swapped : planes;
    const bool full = item.active == lanes;
    const Access in = input_ == Access::lanes && !full ? Access::staged : input_;
    const Access out = output_ == Access::lanes && !full ? Access::staged : output_;
    const T* from = reinterpret_cast<const T*>(input.start) + item.position.input;
    T* to = reinterpret_cast<T*>(output.start) + item.position.output;

    const std::size_t last = passes_.count() - 1;
    std::size_t done = 0;  // passes already carried out
    if (in == Access::staged) {
      if (turns_input_ && full) {
        load_turned(from, item, lanes, planes[0]);
      } else {
        staging_->load(input, item, lanes, full, natural);
      }
    } else if (in == Access::rows || last == 0) {
      const Planes<T>& first = planes[in == Access::rows && load_map_ ? 1 : 0];
      MoveCall<T> call;
      call.input = from;
      call.output = first.real;
      call.output_imaginary = first.imaginary;
      call.length = in == Access::rows ? loaded_ : length_;
      call.lanes = lanes;
      call.active = item.active;
      call.memory_step = in == Access::rows ? loops_.lane_step().input : input_stride_;
      (in == Access::rows ? rows_in_ : lanes_in_)(call);
      if (in == Access::rows && load_map_) load_map_->apply(natural[1], lanes, natural[0]);
    } else {
      PassCall<T> call = passes_.call(0, lanes, prefetch);
      call.input = from;
      call.input_step = input_stride_;
      call.output = planes[0].real;
      call.output_imaginary = planes[0].imaginary;
      first_(call);
      done = 1;
    }
    if (out != Access::lanes && (!twiddled_ || turned_)) {
      std::size_t at = passes_.run_middle(done, last + 1, lanes, planes, 0, prefetch);
      if (turned_) return store_turned(planes[at], item, lanes, to, scratch + 4 * plane_size_);
      if (out == Access::staged) {
        return staging_->store(natural, at, item, lanes, full, output, scratch + 4 * plane_size_);
      }
      if (store_map_) {
        store_map_->apply(natural[at], lanes, natural[1 - at]);
        at = 1 - at;
      }
      MoveCall<T> call;
      call.input = planes[at].real;
      call.input_imaginary = planes[at].imaginary;
      call.output = to;
      call.length = stored_;
      call.lanes = lanes;
      call.active = item.active;
      call.memory_step = loops_.lane_step().output;
      call.scale = scale_;
      if (streamed_rows_out_ != nullptr && reinterpret_cast<std::uintptr_t>(to) % cache_line == 0) {
        return streamed_rows_out_(call);
      }
      if (!streamed_rows_) return rows_out_(call);
      call.output = scratch + 4 * plane_size_;
      rows_out_(call);
      return kernels_.copy_past_cache(call.output, 2 * stored_ * item.active, to);
    }
    const std::size_t at = passes_.run_middle(done, last, lanes, planes, 0, prefetch);
    PassCall<T> call = passes_.call(last, lanes, prefetch);
    call.input = planes[at].real;
    call.input_imaginary = planes[at].imaginary;
    call.output = to;
    call.output_step = output_stride_;
    call.scale = scale_;
    if (out == Access::staged) {
      call.output = scratch + 4 * plane_size_;
      call.output_step = 2 * static_cast<std::ptrdiff_t>(lanes);
    }
    if (twiddled_) twiddles_->put(item, call);
    const bool aligned = reinterpret_cast<std::uintptr_t>(call.output) % cache_line == 0;
    (streamed_last_ != nullptr && aligned && out == Access::lanes ? streamed_last_ : last_)(call);
    if (out == Access::staged) {
      MoveCall<T> move;
      move.input = call.output;
      move.output = planes[0].real;
      move.output_imaginary = planes[0].imaginary;
      move.length = length_;
      move.lanes = lanes;
      move.memory_step = call.output_step;
      staged_in_(move);
      staging_->store_in_order(natural, 0, item, lanes, output, scratch + 4 * plane_size_);
    }
  }

  // Adjacent lanes times the stage twiddle.
  void load_turned(const T* from, const StageLoops::Item& item, std::size_t lanes, const Planes<T>& line) const {
    MoveCall<T> call;
    call.input = from;
    call.output = line.real;
    call.output_imaginary = line.imaginary;
    call.length = length_;
    call.lanes = lanes;
    call.memory_step = input_stride_;
    lanes_in_(call);
    twiddles_->apply(line, item, lanes, kernels_);
  }

  // The last pass's results times the stage's twiddles as rows. Their parts are swapped where the twiddles are
  // conjugates.
  void store_turned(const Planes<T>& line, const StageLoops::Item& item, std::size_t lanes, T* to, T* together) const {
    TurnedRowsCall<T> call{.turn = twiddles_->turn(line, item, lanes),
                           .active = item.active,
                           .swapped = inverse_,
                           .to = to,
                           .step = loops_.lane_step().output};
    const bool aligned = reinterpret_cast<std::uintptr_t>(to) % cache_line == 0;
    call.streamed = streamed_rows_out_ != nullptr && aligned;
    if (call.streamed || !streamed_rows_) return kernels_.turned_rows(call);
    call.to = together;
    kernels_.turned_rows(call);
    kernels_.copy_past_cache(together, 2 * stored_ * item.active, to);
  }

  std::size_t length_;
  std::size_t loaded_ = 0;  // elements of a row in memory
  std::size_t stored_ = 0;
  T scale_;
  std::int64_t input_stride_;
  std::int64_t output_stride_;
  std::size_t vector_;
  std::size_t lanes_;
  LinePasses<T> passes_;
  CombinationKernels<T> kernels_;
  StageLoops loops_;
  bool twiddled_;  // the last pass applies the stage twiddle
  std::optional<BundleStaging<T>> staging_;
  bool turns_input_ = false;                    // lanes are loaded times the stage twiddle
  bool reads_lanes_ = false;                    // neighbouring transforms are adjacent in memory
  std::optional<LineCombination<T>> load_map_;  // between rows and the passes
  std::optional<LineCombination<T>> store_map_;
  bool inverse_ = false;
  Access input_ = Access::staged;
  Access output_ = Access::staged;
  MoveFunction<T> rows_in_ = nullptr;
  MoveFunction<T> lanes_in_ = nullptr;
  MoveFunction<T> rows_out_ = nullptr;
  MoveFunction<T> staged_in_ = nullptr;  // twiddled lanes to what staging stores
  PassFunction<T> first_ = nullptr;
  PassFunction<T> last_ = nullptr;
  PassFunction<T> streamed_last_ = nullptr;      // null: not to be used
  MoveFunction<T> streamed_rows_out_ = nullptr;  // likewise
  bool led_ = false;                             // what comes before the first cache line is computed apart
  bool streamed_rows_ = false;                   // rows without gaps are put together in the cache, then stored past it
  Prefetch prefetch_;                            // but for the place
  bool turned_ = false;                          // twiddles are a step between the last pass and rows
  std::optional<BundleTwiddles<T>> twiddles_;
  std::size_t plane_size_ = 0;
  std::size_t staged_size_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_bundle_worker(const plan::Stage& stage, std::size_t lane_loop,
                                                const WorkerOptions& options) {
  return std::make_unique<BundleWorker<T>>(stage, lane_loop, options);
}

#define TWIDDLE_HOST_INSTANTIATE(T) \
  template std::unique_ptr<StageWorker> make_bundle_worker<T>(const plan::Stage&, std::size_t, const WorkerOptions&);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
