// Stages whose lines are transformed by convolution: loaded to planar arrays, convolved there, stored.
#include <algorithm>

#include "backend/host/convolution_line.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/staging.hpp"
#include "plan/recipe/host_radices.hpp"

namespace twiddle::backend::host {
namespace {

bool is_adjacent(const plan::Storage& storage, std::int64_t stride) {
  return stride == (is_interleaved(storage, storage.precision) ? 2 : 1);
}

// Lines side by side: as many as a vector has lanes, or fill a cache line; or one. One radix works across lines only.
template <class T>
std::size_t side_by_side(const plan::Stage& stage, std::size_t lane_loop, const WorkerOptions& options) {
  const std::size_t vector = vector_lanes<T>(options.targets);
  const std::uint64_t neighbours = lane_loop == StageLoops::no_loop ? 1 : stage.loops[lane_loop].count;
  const bool adjacent =
      is_adjacent(stage.input_storage, stage.input_stride) && is_adjacent(stage.output_storage, stage.output_stride);
  const bool beside =
      stage.radices.size() == 1 ||
      plan::convolves_side_by_side(*stage.convolution, neighbours, adjacent, vector, options.core_cache / sizeof(T));
  return beside ? std::max(vector, cache_line / (2 * sizeof(T))) : 1;
}

template <class T>
class ConvolutionWorker : public StageWorker {
 public:
  ConvolutionWorker(const plan::Stage& stage, std::size_t lane_loop, const WorkerOptions& options)
      : lanes_(side_by_side<T>(stage, lane_loop, options)),
        line_(stage, lanes_ == 1 ? LineShape::row : LineShape::bundle, lanes_, options.targets),
        loops_(stage, lanes_ == 1 ? StageLoops::no_loop : lane_loop, lanes_),
        staging_(stage, loops_.lane_step(), false, options.targets) {
    const std::size_t staged = staging_.elements() * lanes_ + 2 * vector_lanes<T>(options.targets);
    plane_size_ = (std::max(line_.room(), staged) + 15) / 16 * 16 + 16;  // a cache line apart
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    run_apart(input, output, begin, end);
  }

  void run_apart(const InputMemory& input, const OutputMemory& output, std::uint64_t begin,
                 std::uint64_t end) const override {
    auto* scratch = static_cast<T*>(thread_scratch((4 * plane_size_ + 2 * lanes_) * sizeof(T)));
    const Planes<T> planes[2] = {{scratch, scratch + plane_size_},
                                 {scratch + 2 * plane_size_, scratch + 3 * plane_size_}};
    for (std::uint64_t i = begin; i < end; ++i) {
      const StageLoops::Item item = loops_.item(i);
      staging_.load(input, item, lanes_, planes);
      const std::size_t at = line_.run(planes, scratch + 4 * plane_size_);
      staging_.store(planes, at, item, lanes_, output);
    }
  }

 private:
  std::size_t lanes_;
  ConvolutionLine<T> line_;
  StageLoops loops_;
  Staging<T> staging_;
  std::size_t plane_size_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_convolution_worker(const plan::Stage& stage, std::size_t lane_loop,
                                                     const WorkerOptions& options) {
  if (side_by_side<T>(stage, lane_loop, options) == 1) {
    if (auto packed = make_packed_convolution_worker<T>(stage, options)) return packed;
  }
  return std::make_unique<ConvolutionWorker<T>>(stage, lane_loop, options);
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                 \
  template std::unique_ptr<StageWorker> make_convolution_worker<T>(const plan::Stage&, std::size_t, \
                                                                   const WorkerOptions&);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
