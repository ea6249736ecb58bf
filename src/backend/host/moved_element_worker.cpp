// Elements that change places and nothing else, such as transpositions: as their bytes, in tiles of whole cache lines
// on both sides, whatever numbers they are.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"

namespace twiddle::backend::host {
namespace {

using plan::Loop;
using plan::Stage;

constexpr std::size_t most_tiles = 64;  // of an item

// The loop whose turns are closest to each other in memory; nothing without loops. A step of 0 leads nowhere.
std::optional<std::size_t> closest(const Stage& stage, std::int64_t Loop::*stride) {
  std::optional<std::size_t> best;
  const auto step = [&](std::size_t i) { return std::abs(stage.loops[i].*stride); };
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    if (step(i) != 0 && (!best || step(i) < step(*best))) best = i;
  }
  return best;
}

// What one turn of a loop adds, in bytes.
struct Step {
  std::uint64_t count = 1;
  std::ptrdiff_t input = 0;
  std::ptrdiff_t output = 0;
};

// Of elements of `Word`: a tile's rows are runs of the closest elements that are read, its columns of those written.
template <class Word>
class MovedElementWorker final : public StageWorker {
 public:
  MovedElementWorker(const Stage& stage, std::size_t read, std::size_t written)
      : scalar_(plan::scalar_bytes(stage.input_storage.precision)),
        read_(step(stage.loops[read])),
        written_(step(stage.loops[written])),
        others_(without(stage, read, written), StageLoops::no_loop, 1),
        strips_((read_.count + tile - 1) / tile),
        pieces_((written_.count + piece - 1) / piece) {}

  std::uint64_t items() const override { return others_.items() * strips_ * pieces_; }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = others_.item(i / (strips_ * pieces_)).position;
      const std::uint64_t row = i % pieces_ * piece;
      const std::uint64_t column = i / pieces_ % strips_ * tile;
      const std::byte* from = input + position.input * scalar_ + at(row, written_.input) + at(column, read_.input);
      std::byte* to = output + position.output * scalar_ + at(row, written_.output) + at(column, read_.output);
      const std::size_t columns = std::min<std::uint64_t>(tile, read_.count - column);
      const std::uint64_t rows = std::min<std::uint64_t>(piece, written_.count - row);
      for (std::uint64_t done = 0; done < rows; done += tile) {
        move(from + at(done, written_.input), to + at(done, written_.output),
             std::min<std::uint64_t>(tile, rows - done), columns);
      }
    }
  }

 private:
  static constexpr std::size_t tile = std::max<std::size_t>(64 / sizeof(Word), 8);  // elements of its sides
  static constexpr std::uint64_t piece = most_tiles * tile;

  static std::ptrdiff_t at(std::uint64_t turn, std::ptrdiff_t step) { return static_cast<std::ptrdiff_t>(turn) * step; }

  [[nodiscard]] Step step(const Loop& loop) const {
    return {loop.count, loop.input_stride * scalar_, loop.output_stride * scalar_};
  }

  static Stage without(Stage stage, std::size_t read, std::size_t written) {
    stage.loops[read].count = stage.loops[written].count = 1;
    stage.twiddle.reset();
    return stage;
  }

  void move(const std::byte* from, std::byte* to, std::size_t rows, std::size_t columns) const {
    std::array<std::array<Word, tile>, tile> words;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::byte* element = from + at(row, written_.input);
      for (std::size_t column = 0; column < columns; ++column, element += read_.input) {
        std::memcpy(&words[row][column], element, sizeof(Word));
      }
    }
    for (std::size_t column = 0; column < columns; ++column) {
      std::byte* element = to + at(column, read_.output);
      for (std::size_t row = 0; row < rows; ++row, element += written_.output) {
        std::memcpy(element, &words[row][column], sizeof(Word));
      }
    }
  }

  std::ptrdiff_t scalar_;  // bytes
  Step read_;
  Step written_;
  StageLoops others_;
  std::uint64_t strips_;
  std::uint64_t pieces_;
};

// Whether elements have the same form on both sides, and stay what they are.
bool only_moves(const Stage& stage) {
  const bool single = stage.length == 1 && stage.radices.empty() && !stage.direct;
  return single && only_loads(stage) && only_stores(stage) && stage.scale == 1.0L &&
         stage.input_storage == stage.output_storage && !plan::has_parts_apart(stage);
}

}  // namespace

std::unique_ptr<StageWorker> make_moved_element_worker(const Stage& stage) {
  if (!only_moves(stage)) return nullptr;
  const auto read = closest(stage, &Loop::input_stride);
  const auto written = closest(stage, &Loop::output_stride);
  const bool real = stage.input_storage.form == plan::Storage::Form::real;
  const bool complex = is_interleaved(stage.input_storage, stage.input_storage.precision);
  if (!read || !written || *read == *written || !(real || complex)) return nullptr;
  struct Complex {
    std::uint64_t parts[2];
  };
  switch (plan::scalar_bytes(stage.input_storage.precision) * (complex ? 2 : 1)) {
    case 2:
      return std::make_unique<MovedElementWorker<std::uint16_t>>(stage, *read, *written);
    case 4:
      return std::make_unique<MovedElementWorker<std::uint32_t>>(stage, *read, *written);
    case 8:
      return std::make_unique<MovedElementWorker<std::uint64_t>>(stage, *read, *written);
    case 16:
      return std::make_unique<MovedElementWorker<Complex>>(stage, *read, *written);
    default:
      return nullptr;
  }
}

}  // namespace twiddle::backend::host
