// The second stage of a long line of pairs of reals together with the map to their spectrum: transforms, which become
// columns of the results, are computed one block after the other with those that mirror them, and what the map makes of
// both is stored, so that it takes no pass of its own. They are read as columns, or as rows.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/item_walk.hpp"
#include "backend/host/memory_access.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/twiddle_tables.hpp"

namespace twiddle::backend::host {
namespace {

// Bytes of a row of a block: wide ones use more of each page, as long as results and their mirrors leave room in the
// core's cache; narrower ones than the least lose more in memory than these do.
std::size_t block_bytes(std::size_t rows, std::size_t core_cache) {
  constexpr std::size_t least = 256;
  std::size_t bytes = 512;
  while (bytes > least && 2 * rows * bytes > core_cache / 2) bytes /= 2;
  return bytes;
}

// Results of both blocks; the workers inside have the thread's scratch.
std::byte* thread_results(std::size_t bytes) {
  thread_local AlignedArray<std::byte> results;
  if (results.size() < bytes) results = AlignedArray<std::byte>(bytes);
  return results.data();
}

plan::Stage without_columns(plan::Stage stage) {
  stage.loops.erase(stage.loops.begin());
  return stage;
}

// Some columns, from the first one on, to a block of their own.
template <class T>
std::unique_ptr<StageWorker> columns_worker(plan::Stage stage, std::size_t columns, WorkerOptions options) {
  stage.shared_map = false;
  stage.store_map.reset();
  stage.scale = 1;
  stage.input_offset = stage.output_offset = 0;
  stage.output_stride = static_cast<std::int64_t>(2 * columns);
  stage.loops = {{columns, stage.loops[0].input_stride, 2}};
  options.threads = 0;  // no bundles for them to share
  options.prefetched = options.streamed = false;
  return make_bundle_worker<T>(stage, 0, options);
}

template <class T>
class SharedMapWorker final : public StageWorker {
 public:
  SharedMapWorker(const plan::Stage& stage, const WorkerOptions& options)
      : scale_(static_cast<T>(stage.scale)),
        combine_blocks_(find_combinations<T>(options.targets).combine_blocks),
        rows_(stage.length),
        columns_(stage.loops[0].count),
        input_step_(static_cast<std::size_t>(stage.input_stride)),
        column_step_(stage.loops[0].input_stride),
        block_(block_bytes(rows_, options.core_cache) / (2 * sizeof(T))),
        blocks_((columns_ - 1 - vector_lanes<T>(options.targets)) / (2 * block_)),
        middle_(columns_ - 1 - 2 * blocks_ * block_),
        whole_middle_(std::min((middle_ + vector_lanes<T>(options.targets) - 1) / vector_lanes<T>(options.targets) *
                                   vector_lanes<T>(options.targets),
                               columns_ - 1 - blocks_ * block_)),
        // 0.90 to 1.01 of the time without beside such a cache; what stands together is read in order.
        prefetched_(options.prefetched && !options.large_core_cache() && column_step_ == 2),
        lines_(without_columns(stage), StageLoops::no_loop, 1),
        block_worker_(columns_worker<T>(stage, block_, options)),
        middle_worker_(columns_worker<T>(stage, whole_middle_, options)),
        first_worker_(columns_worker<T>(stage, 1, options)) {
    const std::uint64_t reals = stage.store_map->length;
    for_each_root<T>(reals, columns_, rows_ + 1, options.targets, [&](std::uint64_t, const auto& root) {
      row_roots_.push_back(static_cast<T>(root.real()));
      row_roots_.push_back(static_cast<T>(root.imag()));
    });
    for_each_root<T>(reals, 1, columns_, options.targets, [&](std::uint64_t, const auto& root) {
      column_real_.push_back(static_cast<T>(root.real() - 1));
      column_imaginary_.push_back(static_cast<T>(root.imag()));
    });
  }

  // Pairs of blocks, and what is left of a line: the first column and the middle ones.
  std::uint64_t items() const override { return lines_.items() * (blocks_ + 1); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    const std::size_t size = 2 * rows_ * std::max(block_, whole_middle_);
    T* const results = reinterpret_cast<T*>(thread_results(2 * (size + cache_line) * sizeof(T)));
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = lines_.item(i / (blocks_ + 1)).position;
      const T* const from = reinterpret_cast<const T*>(input) + position.input;
      T* const to = reinterpret_cast<T*>(output) + position.output;
      const std::size_t block = i % (blocks_ + 1);
      if (block == blocks_) {
        run_rest(from, results, to);
      } else {
        run_pair(from, block, results, results + size + cache_line, to);
      }
    }
  }

 private:
  // Blocks of the columns from k and from `mirror_k` on, transformed, which mirror each other; as their own mirror
  // image half of the rows say all.
  CombineBlocksCall<T> combination(const T* block, const T* mirror, std::size_t k, std::size_t mirror_k, T* to) const {
    CombineBlocksCall<T> call{.block = block, .mirror = mirror, .to = to + 2 * k, .mirror_to = to + 2 * mirror_k};
    call.rows = block == mirror ? (rows_ + 1) / 2 : rows_;
    call.last_row = rows_ - 1;
    call.to_step = 2 * columns_;
    call.row_roots = row_roots_.data();
    call.column_real = column_real_.data() + k;
    call.column_imaginary = column_imaginary_.data() + k;
    call.scale = scale_;
    return call;
  }

  void run_pair(const T* from, std::size_t block, T* results, T* mirrored, T* to) const {
    const std::size_t k = 1 + block * block_;
    const std::size_t mirror = columns_ - (block + 1) * block_;
    transform(*block_worker_, at(from, k), results);
    transform(*block_worker_, at(from, mirror), mirrored);
    CombineBlocksCall<T> call = combination(results, mirrored, k, mirror, to);
    call.count = block_;
    call.step = 2 * block_;
    if (prefetched_ && block + 1 < blocks_) {
      call.prefetch = reinterpret_cast<const char*>(from + 2 * (k + block_)) + past_begun_line;
      call.mirror_prefetch = reinterpret_cast<const char*>(from + 2 * (mirror - block_));
      call.prefetch_step = input_step_ * sizeof(T);
      call.prefetch_lines = block_ * 2 * sizeof(T) / cache_line;
    }
    combine_blocks_(call);
  }

  void run_rest(const T* from, T* results, T* to) const {
    const std::size_t k = 1 + blocks_ * block_;
    transform(*middle_worker_, at(from, k), results);
    CombineBlocksCall<T> call = combination(results, results, k, k, to);
    call.count = middle_;
    call.step = 2 * whole_middle_;
    combine_blocks_(call);
    transform(*first_worker_, from, results);
    for (std::size_t row = 0; row <= rows_; ++row) {
      combine_one(results + 2 * (row % rows_), results + 2 * ((rows_ - row) % rows_), row, to + 2 * row * columns_);
    }
  }

  // The first column's element of a row.
  void combine_one(const T* element, const T* mirror, std::size_t row, T* to) const {
    const T a_re = scale_ * (1 + row_roots_[2 * row + 1]) / 2;
    const T a_im = -scale_ * row_roots_[2 * row] / 2;
    const T difference_re = element[0] - mirror[0];
    const T difference_im = element[1] + mirror[1];
    to[0] = scale_ * mirror[0] + a_re * difference_re - a_im * difference_im;
    to[1] = a_im * difference_re + a_re * difference_im - scale_ * mirror[1];
  }

  // Where a column stands: beside the one before it, or behind it.
  const T* at(const T* from, std::size_t column) const {
    return from + static_cast<std::ptrdiff_t>(column) * column_step_;
  }

  static void transform(const StageWorker& worker, const T* from, T* to) {
    worker.call(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to));
  }

  T scale_;
  void (*combine_blocks_)(const CombineBlocksCall<T>&);
  std::size_t rows_;
  std::size_t columns_;
  std::size_t input_step_;    // scalars from an element of a column to the next
  std::int64_t column_step_;  // and from a column to the next
  std::size_t block_;         // columns
  std::size_t blocks_;        // on either side
  std::size_t middle_;        // columns between them
  std::size_t whole_middle_;  // and some more, for whole vectors: in place these may hold results by then; none is used
  bool prefetched_;
  StageLoops lines_;
  std::vector<T> row_roots_;    // exp(-2 pi i k / reals) of the first column, [row][real, imaginary], of one row more
  std::vector<T> column_real_;  // of the first row, less 1
  std::vector<T> column_imaginary_;
  std::unique_ptr<StageWorker> block_worker_;
  std::unique_ptr<StageWorker> middle_worker_;
  std::unique_ptr<StageWorker> first_worker_;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_shared_map_worker(const plan::Stage& stage, const WorkerOptions& options) {
  if (!stage.shared_map || !stage.store_map) return nullptr;
  return std::make_unique<SharedMapWorker<T>>(stage, options);
}

template std::unique_ptr<StageWorker> make_shared_map_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_shared_map_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_shared_map_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
