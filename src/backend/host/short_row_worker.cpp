// Lines no longer than a butterfly, one after the other without gaps: a block of them at a time is taken apart,
// transformed and put together in the first-level cache.
#include <algorithm>
#include <cstring>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/short_rows.hpp"
#include "backend/host/stage_worker.hpp"
#include "hwy/cache_control.h"
#include "plan/line_map.hpp"

namespace twiddle::backend::host {
namespace {

// Of one planar array. Small, so that reading, arithmetic and writing overlap, as they do not in bursts: 16 points take
// 0.46 ns a point with 8 KiB, 0.40 so.
constexpr std::size_t block_bytes = 1024;
constexpr std::size_t fetched_ahead = 8192;  // bytes from the end of a block to what is fetched meanwhile

using Rule = plan::LineMap::Rule;

bool is_whole(const std::optional<plan::LineMap>& map, Rule rule) {
  return map && map->rule == rule && map->source_count == plan::full_source_count(rule, map->length) &&
         map->count == plan::full_count(rule, map->length);
}

// How the stage's lines are short rows; nothing where there is more to do than that.
std::optional<ShortRowsKind> kind_of(const plan::Stage& stage) {
  plan::Stage bare = stage;
  bare.load_map.reset();
  bare.store_map.reset();
  if (!is_plain_load(bare) || !is_plain_store(bare) || stage.twiddle) return std::nullopt;
  if (!stage.load_map && !stage.store_map) return ShortRowsKind::complex;
  if (!stage.load_map && is_whole(stage.store_map, Rule::r2c_store) && stage.direction == Direction::forward) {
    return ShortRowsKind::real_forward;
  }
  if (!stage.store_map && is_whole(stage.load_map, Rule::c2r_load) && stage.direction == Direction::inverse) {
    return ShortRowsKind::real_back;
  }
  return std::nullopt;
}

template <class T>
class ShortRowWorker final : public StageWorker {
 public:
  ShortRowWorker(const plan::Stage& stage, ShortRowsKind kind, const WorkerOptions& options)
      : function_(find_short_rows<T>(kind, stage.length, options.targets).lines),
        read_(stage.length + (kind == ShortRowsKind::real_back ? 1 : 0)),
        written_(stage.length + (kind == ShortRowsKind::real_forward ? 1 : 0)),
        lines_(plan::transform_count(stage)),
        input_offset_(stage.input_offset),
        output_offset_(stage.output_offset),
        scale_(static_cast<T>(stage.scale)),
        swapped_(kind == ShortRowsKind::complex && stage.direction == Direction::inverse),
        prefetched_(options.prefetched),
        streamed_(options.streamed),
        kernels_(find_combinations<T>(options.targets)) {
    const std::size_t longest = std::max(read_, written_);
    const std::size_t most = std::max<std::size_t>(block_bytes / sizeof(T) / longest / kernels_.vector, 1);
    const std::uint64_t vectors = (lines_ + kernels_.vector - 1) / kernels_.vector;
    block_ = static_cast<std::size_t>(std::min<std::uint64_t>(most, vectors)) * kernels_.vector;
    plane_size_ = (longest * block_ + 2 * kernels_.vector + 15) / 16 * 16 + 16;
    if (4 * lines_ <= kernels_.vector || lines_ == 1) {
      const auto kernels = find_short_rows<T>(kind, stage.length, options.targets);
      lone_ = swapped_ ? kernels.lone_swapped : kernels.lone;
    }
    if (kind == ShortRowsKind::complex) return;
    const plan::MapTables tables =
        plan::map_tables(kind == ShortRowsKind::real_back ? *stage.load_map : *stage.store_map);
    sum_ = kind == ShortRowsKind::real_back ? 2 : 1;  // a[k] + b[k], the same for all k
    for (const auto& a : tables.a) {
      a_real_.push_back(static_cast<T>(a.real()));
      a_imaginary_.push_back(static_cast<T>(a.imag()));
    }
  }

  std::uint64_t items() const override { return lone_ != nullptr ? 1 : (lines_ + block_ - 1) / block_; }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    if (lone_ != nullptr) return run_alone(input, output);
    auto* scratch = static_cast<T*>(thread_scratch((4 + (streamed_ ? 2 : 0)) * plane_size_ * sizeof(T)));
    Planes<T> in{scratch, scratch + plane_size_};
    Planes<T> out{scratch + 2 * plane_size_, scratch + 3 * plane_size_};
    for (std::uint64_t item = begin; item < end; ++item) {
      const std::uint64_t first = item * block_;
      const auto lines = static_cast<std::size_t>(std::min<std::uint64_t>(block_, lines_ - first));
      const T* from = reinterpret_cast<const T*>(input) + input_offset_ + 2 * read_ * first;
      T* to = reinterpret_cast<T*>(output) + output_offset_ + 2 * written_ * first;
      take_apart(from, read_ * lines, in);
      const std::size_t unused = (kernels_.vector - lines % kernels_.vector) % kernels_.vector;
      std::fill_n(in.real + read_ * lines, read_ * unused, T{0});  // anything finite
      std::fill_n(in.imaginary + read_ * lines, read_ * unused, T{0});
      ShortRowsCall<T> call;
      call.input = swapped_ ? Planes<const T>{in.imaginary, in.real} : Planes<const T>{in.real, in.imaginary};
      call.output = swapped_ ? Planes<T>{out.imaginary, out.real} : out;
      call.lines = lines;
      call.a_real = a_real_.data();
      call.a_imaginary = a_imaginary_.data();
      call.sum = sum_;
      if (prefetched_ && item + 1 < end) {
        call.prefetch = reinterpret_cast<const char*>(from + 2 * read_ * block_) + fetched_ahead;
        call.prefetch_count = (2 * read_ * kernels_.vector * sizeof(T) + cache_line - 1) / cache_line;
      }
      function_(call);
      if (streamed_) {
        T* const together = scratch + 4 * plane_size_;
        put_together(out, written_ * lines, together);
        kernels_.copy_past_cache(together, 2 * written_ * lines, to);
      } else {
        put_together(out, written_ * lines, to);
      }
    }
    if (streamed_) hwy::FlushStream();
  }

 private:
  void run_alone(const std::byte* input, std::byte* output) const {
    LoneRowCall<T> call;
    call.input = reinterpret_cast<const T*>(input) + input_offset_;
    call.output = reinterpret_cast<T*>(output) + output_offset_;
    call.scale = scale_;
    call.a_real = a_real_.data();
    call.a_imaginary = a_imaginary_.data();
    call.sum = sum_;
    for (std::uint64_t line = 0; line < lines_; ++line, call.input += 2 * read_, call.output += 2 * written_)
      lone_(call);
  }

  void take_apart(const T* from, std::size_t count, const Planes<T>& to) const {
    for (std::size_t i = kernels_.take_apart(from, count, to); i < count; ++i) {
      to.real[i] = from[2 * i];
      to.imaginary[i] = from[2 * i + 1];
    }
  }

  void put_together(const Planes<T>& from, std::size_t count, T* to) const {
    for (std::size_t i = kernels_.put_together(from, count, scale_, to); i < count; ++i) {
      to[2 * i] = from.real[i] * scale_;
      to[2 * i + 1] = from.imaginary[i] * scale_;
    }
  }

  ShortRowsFunction<T> function_;
  LoneRowFunction<T> lone_ = nullptr;  // null: enough lines for whole vectors
  std::size_t read_;                   // elements of a line in memory
  std::size_t written_;
  std::uint64_t lines_;
  std::int64_t input_offset_;
  std::int64_t output_offset_;
  T scale_;
  bool swapped_;  // the inverse is the forward transform with the parts swapped
  bool prefetched_;
  bool streamed_;
  CombinationKernels<T> kernels_;
  std::size_t block_ = 0;  // lines of an item
  std::size_t plane_size_ = 0;
  std::vector<T> a_real_;  // of the map
  std::vector<T> a_imaginary_;
  T sum_ = 1;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_short_row_worker(const plan::Stage& stage, const WorkerOptions& options) {
  const auto kind = kind_of(stage);
  if (!kind || stage.loops.size() > 1 || stage.input_stride != 2 || stage.output_stride != 2) return nullptr;
  if (find_short_rows<T>(*kind, stage.length, options.targets).lines == nullptr) return nullptr;
  const auto length = static_cast<std::int64_t>(stage.length);
  for (const plan::Loop& loop : stage.loops) {
    if (loop.input_stride != 2 * (length + (*kind == ShortRowsKind::real_back ? 1 : 0)) ||
        loop.output_stride != 2 * (length + (*kind == ShortRowsKind::real_forward ? 1 : 0))) {
      return nullptr;
    }
  }
  return std::make_unique<ShortRowWorker<T>>(stage, *kind, options);
}

template std::unique_ptr<StageWorker> make_short_row_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_short_row_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_short_row_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
