// The maps of long real transforms as stages of their own whose elements come by vectors, or by rules of their places:
// lines in pieces, so that threads share them.
#include <optional>
#include <utility>

#include "backend/host/memory_access.hpp"
#include "backend/host/mirrored_line.hpp"
#include "backend/host/odd_spectrum.hpp"
#include "backend/host/real_frequencies.hpp"
#include "backend/host/reordered_line.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/turned_line.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t piece = 4096;  // items of a line at once

// What a line's map has: items, of two elements or more, and apply(source, to, begin, end).
template <class T, class Line>
class MappedLineWorker final : public StageWorker {
 public:
  MappedLineWorker(const plan::Stage& stage, Line line)
      : line_(std::move(line)), loops_(stage, StageLoops::no_loop, 1), pieces_((line_.items() + piece - 1) / piece) {}

  std::uint64_t items() const override { return loops_.items() * pieces_; }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = loops_.item(i / pieces_).position;
      const T* const from = reinterpret_cast<const T*>(input) + position.input;
      T* const to = reinterpret_cast<T*>(output) + position.output;
      const std::size_t at = i % pieces_;
      line_.apply(from, to, at * line_.items() / pieces_, (at + 1) * line_.items() / pieces_);
    }
  }

 private:
  Line line_;
  StageLoops loops_;
  std::size_t pieces_;
};

// Interleaved on both sides.
template <class T>
class MirroredItems {
 public:
  explicit MirroredItems(MirroredLine<T> line) : line_(std::move(line)) {}
  [[nodiscard]] std::size_t items() const { return line_.pairs(); }
  void apply(const T* source, T* to, std::size_t begin, std::size_t end) const {
    line_.apply({source, nullptr}, {to, nullptr}, begin, end);
  }

 private:
  MirroredLine<T> line_;
};

template <class T, class Line>
std::unique_ptr<StageWorker> worker_of(const plan::Stage& stage, std::optional<Line> line) {
  if (!line) return nullptr;
  return std::make_unique<MappedLineWorker<T, Line>>(stage, std::move(*line));
}

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
  if (!line) return nullptr;
  return std::make_unique<MappedLineWorker<T, MirroredItems<T>>>(stage, MirroredItems<T>(std::move(*line)));
}

template <class T>
std::unique_ptr<StageWorker> make_ruled_map_worker(const plan::Stage& stage, std::int64_t targets) {
  const auto scale = static_cast<T>(stage.scale);
  const auto is_real = [](const plan::Storage& storage) { return storage.form == plan::Storage::Form::real; };
  const bool between_reals = is_real(stage.input_storage) && is_real(stage.output_storage);
  for (; targets != 0; targets = without_widest(targets)) {  // by the widest vectors that the line fills
    if (auto worker = worker_of<T>(stage, RealFrequencies<T>::make(*stage.load_map, scale, targets))) return worker;
    if (auto worker = worker_of<T>(stage, TurnedLine<T>::make(*stage.load_map, scale, targets))) return worker;
    if (auto worker = worker_of<T>(stage, OddSpectrum<T>::make(*stage.load_map, scale, targets))) return worker;
    if (stage.load_map->length % 2 == 1 && !between_reals) continue;  // the parts of complex numbers are pairs of reals
    if (auto worker = worker_of<T>(stage, ReorderedLine<T>::make(*stage.load_map, scale, targets))) return worker;
  }
  return nullptr;
}

#define TWIDDLE_HOST_MAP_WORKERS(T)                                                                            \
  template std::unique_ptr<StageWorker> make_mirrored_map_worker<T>(const plan::Stage&, const WorkerOptions&); \
  template std::unique_ptr<StageWorker> make_ruled_map_worker<T>(const plan::Stage&, std::int64_t);
TWIDDLE_HOST_MAP_WORKERS(float)
TWIDDLE_HOST_MAP_WORKERS(double)
TWIDDLE_HOST_MAP_WORKERS(long double)
#undef TWIDDLE_HOST_MAP_WORKERS

}  // namespace twiddle::backend::host
