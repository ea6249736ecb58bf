// Transforms one at a time: vectors across the columns within a transform.
#include <algorithm>
#include <cstring>

#include "backend/host/line_passes.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/staging.hpp"
#include "hwy/cache_control.h"

namespace twiddle::backend::host {
namespace {

using Complex = std::complex<float>;

class RowWorker : public StageWorker {
 public:
  RowWorker(const plan::Stage& stage, const WorkerOptions& options)
      : length_(stage.length),
        scale_(static_cast<float>(stage.scale)),
        vector_(vector_lanes(options.targets)),
        passes_(stage, LineShape::row, 1, options.targets),
        loops_(stage, StageLoops::no_loop, 1),
        staging_(stage, loops_.lane_step(), false) {
    const bool swapped = stage.direction == Direction::inverse;
    const std::size_t last = passes_.count() - 1;
    const bool plain = !stage.load_factor && !stage.store_factor && !stage.twiddle;
    stage_input_ = !plain || stage.input_stride != 1;
    stage_output_ = !plain || stage.output_stride != 1;
    pad_input_ = passes_.pass(0).columns < vector_;
    pad_output_ = passes_.pass(last).run < vector_;
    first_ =
        find_pass(swapped ? PassKind::first_row_swapped : PassKind::first_row, passes_.pass(0).radix, options.targets);
    last_ =
        find_pass(swapped ? PassKind::last_row_swapped : PassKind::last_row, passes_.pass(last).radix, options.targets);
    // Streamed stores need whole aligned vectors at every place that the last pass writes to.
    if (options.streamed && !stage_output_ && !pad_output_ && passes_.pass(last).run % vector_ == 0) {
      streamed_last_ = find_pass(swapped ? PassKind::last_row_streamed_swapped : PassKind::last_row_streamed,
                                 passes_.pass(last).radix, options.targets);
    }
    // One cache line between the arrays, so that they do not fall onto the same sets.
    plane_size_ = (passes_.planar_size() + 15) / 16 * 16 + 16;
    staged_size_ = ((length_ + vector_) * 2 + 15) / 16 * 16;
    prefetched_ = options.prefetched && !stage_input_;
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const Complex* input, Complex* output, std::uint64_t begin, std::uint64_t end) const override {
    auto* scratch = static_cast<float*>(thread_scratch((4 * plane_size_ + 2 * staged_size_) * sizeof(float)));
    StageLoops::Item item = loops_.item(begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      const StageLoops::Item next = i + 1 < end ? loops_.item(i + 1) : item;
      Prefetch prefetch;
      if (prefetched_ && i + 1 < end) {
        prefetch.start = reinterpret_cast<const char*>(input + next.position.input);
        prefetch.pieces = (length_ * sizeof(Complex) + cache_line - 1) / cache_line;
      }
      transform(input, output, item, prefetch, scratch);
      item = next;
    }
    if (streamed_last_ != nullptr) hwy::FlushStream();
  }

 private:
  void transform(const Complex* input, Complex* output, const StageLoops::Item& item, const Prefetch& prefetch,
                 float* scratch) const {
    Planes planes[2] = {{scratch, scratch + plane_size_}, {scratch + 2 * plane_size_, scratch + 3 * plane_size_}};
    float* staged_input = scratch + 4 * plane_size_;
    float* staged_output = staged_input + staged_size_;

    const auto* from = reinterpret_cast<const float*>(input + item.position.input);
    if (stage_input_) {
      staging_.load(input, item, 1, reinterpret_cast<Complex*>(staged_input));
      from = staged_input;
    } else if (pad_input_) {
      std::memcpy(staged_input, from, length_ * sizeof(Complex));
      from = staged_input;
    }
    PassCall<float> call = passes_.call(0, 1, prefetch);
    call.input = from;
    call.output = planes[0].real;
    call.output_imaginary = planes[0].imaginary;
    first_(call);

    const std::size_t last = passes_.count() - 1;
    const std::size_t at = passes_.run_middle(1, last, 1, planes, prefetch);
    call = passes_.call(last, 1, prefetch);
    call.input = planes[at].real;
    call.input_imaginary = planes[at].imaginary;
    call.scale = scale_;
    auto* to = reinterpret_cast<float*>(output + item.position.output);
    call.output = stage_output_ || pad_output_ ? staged_output : to;
    const bool aligned = reinterpret_cast<std::uintptr_t>(to) % cache_line == 0;
    (streamed_last_ != nullptr && aligned ? streamed_last_ : last_)(call);
    if (stage_output_) {
      staging_.store(reinterpret_cast<const Complex*>(staged_output), item, 1, output);
    } else if (pad_output_) {
      std::memcpy(to, staged_output, length_ * sizeof(Complex));
    }
  }

  std::size_t length_;
  float scale_;
  std::size_t vector_;
  LinePasses passes_;
  StageLoops loops_;
  Staging staging_;
  bool stage_input_ = false;  // gathered element by element
  bool stage_output_ = false;
  bool pad_input_ = false;  // copied first, because the kernel reads beyond the row
  bool pad_output_ = false;
  PassFunction<float> first_ = nullptr;
  PassFunction<float> last_ = nullptr;
  PassFunction<float> streamed_last_ = nullptr;
  std::size_t plane_size_ = 0;
  std::size_t staged_size_ = 0;
  bool prefetched_ = false;
};

}  // namespace

std::unique_ptr<StageWorker> make_row_worker(const plan::Stage& stage, const WorkerOptions& options) {
  return std::make_unique<RowWorker>(stage, options);
}

}  // namespace twiddle::backend::host
