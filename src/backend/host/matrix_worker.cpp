// Short lines of dct, dst and dht: a product with a matrix takes less than passes between maps that are made element by
// element, and rounds no more.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/matrix_line.hpp"
#include "backend/host/pass.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t lines_of_item = 64;

// Up to so many elements products with a matrix are faster. Cosine and sine lines of 24, and Hartley lines of 24, by
// vectors of 64 bytes: 0.82 to 0.88 and 1.0 of the time (a Xeon); of 16 by 32 bytes 0.48 to 0.91 and 0.69 to 1.07; of 8
// by 16 bytes 0.33 to 0.84 and 0.65 to 1.47. So few transforms that they fill no more than half of a vector's lanes are
// faster further on, too: 0.2 to 0.4.
std::size_t most_points(std::size_t vector_bytes, bool few) {
  if (vector_bytes >= 64) return few ? most_matrix_points : 24;
  if (vector_bytes >= 32) return few ? most_matrix_points : 16;
  return few ? 16 : 8;
}

// A loop along which neighbours are adjacent on both sides.
std::size_t adjacent_loop(const plan::Stage& stage) {
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    if (stage.loops[i].input_stride == 1 && stage.loops[i].output_stride == 1) return i;
  }
  return StageLoops::no_loop;
}

std::size_t longest_loop(const plan::Stage& stage) {
  const auto longest = std::ranges::max_element(stage.loops, {}, &plan::Loop::count);
  return longest == stage.loops.end() ? StageLoops::no_loop : longest - stage.loops.begin();
}

// A line by itself.
template <class T>
struct LoneMatrixLine final : HostCall {
  void call(const std::byte* input, std::byte* output) const override {
    function(*product, reinterpret_cast<const T*>(input) + from, reinterpret_cast<T*>(output) + to);
  }
  MatrixLineFunction<T> function = nullptr;
  const MatrixCall<T>* product = nullptr;
  std::int64_t from = 0;  // where it begins
  std::int64_t to = 0;
};

template <class T>
class MatrixWorker final : public StageWorker {
 public:
  // Columns, or rows. `loop`: along which lines are taken together.
  MatrixWorker(const MatrixLine& line, std::size_t loop, bool columns, std::int64_t targets)
      : loops_(line.reals, loop, lines_of_item) {
    const auto kernels = find_combinations<T>(targets);
    kernel_ = columns ? kernels.matrix_columns : kernels.matrix_rows;
    const auto apart = [&](std::int64_t plan::Loop::*stride) {
      return loop == StageLoops::no_loop ? 0 : line.reals.loops[loop].*stride;
    };
    call_.inputs = line.inputs;
    call_.results = line.results;
    call_.from_step = columns ? line.reals.input_stride : apart(&plan::Loop::input_stride);
    call_.to_step = columns ? line.reals.output_stride : apart(&plan::Loop::output_stride);
    call_.matrix_step = columns ? line.inputs : (line.results + kernels.vector - 1) / kernels.vector * kernels.vector;
    matrix_ = AlignedArray<T>(call_.matrix_step * (columns ? line.results : line.inputs));
    std::fill_n(matrix_.data(), matrix_.size(), T{0});
    for (std::size_t r = 0; r < line.results; ++r) {
      for (std::size_t i = 0; i < line.inputs; ++i) {
        const std::size_t place = columns ? r * call_.matrix_step + i : i * call_.matrix_step + r;
        matrix_[place] = static_cast<T>(line.matrix[r * line.inputs + i]);
      }
    }
    call_.matrix = matrix_.data();
    const Position first = loops_.item(0).position;
    lone_.product = &call_;
    lone_.from = first.input;
    lone_.to = first.output;
    if (!columns && plan::transform_count(line.reals) == 1) {
      lone_.function = kernels.find_matrix_line(line.inputs, line.results);
    }
  }

  std::uint64_t items() const override { return loops_.items(); }

  const HostCall* shortest_call() const override {
    return lone_.function != nullptr ? static_cast<const HostCall*>(&lone_) : this;
  }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    if (lone_.function != nullptr) return lone_.call(input, output);  // the same bits as by the shortest call
    MatrixCall<T> call = call_;
    for (std::uint64_t i = begin; i < end; ++i) {
      const StageLoops::Item item = loops_.item(i);
      call.from = reinterpret_cast<const T*>(input) + item.position.input;
      call.to = reinterpret_cast<T*>(output) + item.position.output;
      call.lines = item.active;
      kernel_(call);
    }
  }

 private:
  StageLoops loops_;
  void (*kernel_)(const MatrixCall<T>&) = nullptr;
  MatrixCall<T> call_;  // but for the places and the number of lines
  AlignedArray<T> matrix_;
  LoneMatrixLine<T> lone_;  // if there is but one
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_matrix_worker(const plan::Stage& stage, const WorkerOptions& options) {
  const std::size_t vector = vector_lanes<T>(options.targets);
  const bool few = 2 * plan::transform_count(stage) <= vector;
  const std::optional<MatrixLine> line = matrix_line(stage, most_points(vector * sizeof(T), few));
  if (!line) return nullptr;
  const std::size_t adjacent = adjacent_loop(line->reals);
  const bool columns = adjacent != StageLoops::no_loop;
  const bool rows = line->reals.input_stride == 1 && line->reals.output_stride == 1;
  // Each column by itself, in one lane, is worth it for those that are left over.
  if (!columns && !rows && plan::transform_count(line->reals) > 2) return nullptr;
  const bool by_columns = columns || !rows;
  return std::make_unique<MatrixWorker<T>>(*line, by_columns ? adjacent : longest_loop(line->reals), by_columns,
                                           options.targets);
}

template std::unique_ptr<StageWorker> make_matrix_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_matrix_worker<double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
