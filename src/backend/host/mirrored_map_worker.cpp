// The maps of long real transforms as stages of their own: lines in pieces, so that threads share them.
#include <optional>

#include "backend/host/memory_access.hpp"
#include "backend/host/mirrored_line.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t piece = 4096;  // elements of an item, and as many mirror images

template <class T>
class MirroredMapWorker : public StageWorker {
 public:
  MirroredMapWorker(const plan::Stage& stage, MirroredLine<T> line)
      : line_(std::move(line)), loops_(stage, StageLoops::no_loop, 1), pieces_((line_.pairs() + piece - 1) / piece) {}

  std::uint64_t items() const override { return loops_.items() * pieces_; }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const StageLoops::Item item = loops_.item(i / pieces_);
      const T* const from = reinterpret_cast<const T*>(input) + item.position.input;
      T* const to = reinterpret_cast<T*>(output) + item.position.output;
      const std::size_t at = i % pieces_;
      line_.apply({from, nullptr}, {to, nullptr}, at * line_.pairs() / pieces_, (at + 1) * line_.pairs() / pieces_);
    }
  }

 private:
  MirroredLine<T> line_;
  StageLoops loops_;
  std::size_t pieces_;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_mirrored_map_worker(const plan::Stage& stage, const WorkerOptions& options) {
  plan::Stage loads = stage;
  loads.load_map.reset();
  const bool adjacent = stage.input_stride == 2 && stage.output_stride == 2;
  if (!stage.load_map || !stage.radices.empty() || !adjacent || !is_plain_load(loads) || !is_plain_store(stage) ||
      stage.twiddle) {
    return nullptr;
  }
  auto line = MirroredLine<T>::make(*stage.load_map, static_cast<T>(stage.scale), options.targets);
  return line ? std::make_unique<MirroredMapWorker<T>>(stage, std::move(*line)) : nullptr;
}

template std::unique_ptr<StageWorker> make_mirrored_map_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_mirrored_map_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_mirrored_map_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
