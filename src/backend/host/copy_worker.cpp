// Length 1: strided copies, the innermost loop as one item.
#include <cstring>

#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/staging.hpp"

namespace twiddle::backend::host {
namespace {

using Complex = std::complex<float>;

class CopyWorker : public StageWorker {
 public:
  explicit CopyWorker(const plan::Stage& stage)
      : scale_(static_cast<float>(stage.scale)),
        plain_(!stage.load_factor && !stage.store_factor),  // a twiddle of element 0 is 1
        loops_(stage, stage.loops.empty() ? StageLoops::no_loop : 0, row_length(stage)),
        staging_(stage, loops_.lane_step(), true) {}

  std::uint64_t items() const override { return loops_.items(); }

  void run(const Complex* input, Complex* output, std::uint64_t begin, std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      StageLoops::Item item = loops_.item(i);
      if (plain_) {
        copy(input + item.position.input, output + item.position.output, item.active);
        continue;
      }
      for (; item.active > 0; item = loops_.rest(item, 1)) {
        Complex value;
        StageLoops::Item first = item;
        first.active = 1;
        staging_.load(input, first, 1, &value);
        value *= scale_;
        staging_.store(&value, first, 1, output);
      }
    }
  }

 private:
  static std::size_t row_length(const plan::Stage& stage) {
    return stage.loops.empty() ? 1 : static_cast<std::size_t>(std::max<std::uint64_t>(stage.loops[0].count, 1));
  }

  void copy(const Complex* from, Complex* to, std::size_t count) const {
    const std::int64_t from_step = loops_.lane_step().input;
    const std::int64_t to_step = loops_.lane_step().output;
    if (scale_ == 1.0F && from_step == 1 && to_step == 1) {
      std::memmove(to, from, count * sizeof(Complex));
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto k = static_cast<std::int64_t>(i);
      to[k * to_step] = from[k * from_step] * scale_;
    }
  }

  float scale_;
  bool plain_;
  StageLoops loops_;
  Staging staging_;
};

}  // namespace

std::unique_ptr<StageWorker> make_copy_worker(const plan::Stage& stage) { return std::make_unique<CopyWorker>(stage); }

}  // namespace twiddle::backend::host
