// Stages that do not transform: elements copied, converted and scaled, or made by a map.
#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/memory_access.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/staging.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::uint64_t largest_copy = 16384;   // elements of an item that are copied as they are
constexpr std::uint64_t largest_staged = 2048;  // elements of an item that go by way of planar arrays

template <class T>
class CopyWorker : public StageWorker {
 public:
  CopyWorker(const plan::Stage& stage, const WorkerOptions& options)
      : scale_(static_cast<T>(stage.scale)),
        plain_(stage.length == 1 && is_plain_load(stage) && is_plain_store(stage)),
        lanes_(lanes(stage, plain_ ? largest_copy : largest_staged)),
        loops_(stage, stage.loops.empty() ? StageLoops::no_loop : 0, lanes_),
        staging_(stage, loops_.lane_step(), false, options.targets),
        vector_(vector_lanes<T>(options.targets)),
        plane_size_((staging_.elements() * whole(lanes_) + 15) / 16 * 16),
        past_cache_(options.streamed ? find_combinations<T>(options.targets).copy_past_cache : nullptr) {}

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    run_apart(input, output, begin, end);
  }

  void run_apart(const InputMemory& input, const OutputMemory& output, std::uint64_t begin,
                 std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const StageLoops::Item item = loops_.item(i);
      if (plain_) {
        copy(reinterpret_cast<const T*>(input.start) + item.position.input,
             reinterpret_cast<T*>(output.start) + item.position.output, item.active);
        continue;
      }
      auto* scratch = static_cast<T*>(thread_scratch(4 * plane_size_ * sizeof(T)));
      const Planes<T> planes[2] = {{scratch, scratch + plane_size_},
                                   {scratch + 2 * plane_size_, scratch + 3 * plane_size_}};
      staging_.load(input, item, whole(item.active), planes);
      staging_.store(planes, 0, item, whole(item.active), output);
    }
    if (past_cache_ != nullptr) hwy::FlushStream();
  }

 private:
  // Whole vectors, so that kernels serve; one line alone needs none.
  [[nodiscard]] std::size_t whole(std::size_t lanes) const {
    return lanes == 1 ? 1 : (lanes + vector_ - 1) / vector_ * vector_;
  }

  static std::size_t lanes(const plan::Stage& stage, std::uint64_t most) {
    const std::uint64_t count = stage.loops.empty() ? 1 : stage.loops[0].count;
    return static_cast<std::size_t>(std::max<std::uint64_t>(std::min(count, most / stage.length), 1));
  }

  void copy(const T* from, T* to, std::size_t count) const {
    const std::int64_t from_step = loops_.lane_step().input;
    const std::int64_t to_step = loops_.lane_step().output;
    if (scale_ == T{1} && from_step == 2 && to_step == 2) {
      if (past_cache_ != nullptr) return past_cache_(from, 2 * count, to);
      std::memmove(to, from, count * 2 * sizeof(T));
      return;
    }
    for (std::size_t i = 0; i < count; ++i, from += from_step, to += to_step) {
      const T real = from[0] * scale_;
      const T imaginary = from[1] * scale_;
      to[0] = real;
      to[1] = imaginary;
    }
  }

  T scale_;
  bool plain_;  // a twiddle of element 0 is 1
  std::size_t lanes_;
  StageLoops loops_;
  Staging<T> staging_;
  std::size_t vector_;
  std::size_t plane_size_;
  void (*past_cache_)(const T* from, std::size_t count, T* to);  // null: not to be used
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_copy_worker(const plan::Stage& stage, const WorkerOptions& options) {
  return std::make_unique<CopyWorker<T>>(stage, options);
}

template std::unique_ptr<StageWorker> make_copy_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_copy_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_copy_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
