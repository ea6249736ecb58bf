// Elements that change places and nothing else, such as transpositions: as their bytes, in tiles of whole cache lines
// on both sides, whatever numbers they are. Halves also where they stand at the places of their mirror images, some of
// them with the other sign.
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

// What one turn of a loop adds: bytes, and positions beside the bounds.
struct Step {
  std::uint64_t count = 1;
  std::ptrdiff_t input = 0;
  std::ptrdiff_t output = 0;
  std::int64_t load = 0;
  std::int64_t store = 0;
};

std::ptrdiff_t times(std::uint64_t turn, std::ptrdiff_t step) { return static_cast<std::ptrdiff_t>(turn) * step; }

// The loops of a tile: of what is read, and of what is written, the closest elements; and inside of them, of two turns
// at most, one that has the closest elements on both sides.
struct TileLoops {
  std::size_t read = 0;
  std::size_t written = 0;
  std::optional<std::size_t> inside{};
};

// The loop whose turns are closest to each other in memory, `but` one; nothing without loops. A step of 0 leads
// nowhere.
std::optional<std::size_t> closest(const Stage& stage, std::int64_t Loop::*stride,
                                   std::optional<std::size_t> but = std::nullopt) {
  std::optional<std::size_t> best;
  const auto step = [&](std::size_t i) { return std::abs(stage.loops[i].*stride); };
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    if (i != but && step(i) != 0 && (!best || step(i) < step(*best))) best = i;
  }
  return best;
}

std::optional<TileLoops> tile_loops(const Stage& stage) {
  const auto pair = [&](std::optional<std::size_t> inside) -> std::optional<TileLoops> {
    const auto read = closest(stage, &Loop::input_stride, inside);
    const auto written = closest(stage, &Loop::output_stride, inside);
    if (!read || !written) return std::nullopt;
    return TileLoops{*read, *written, inside};
  };
  const auto loops = pair(std::nullopt);
  if (!loops || loops->read != loops->written || stage.loops[loops->read].count > 2) return loops;
  return pair(loops->read);
}

// Where elements at positions of a line of which memory has the lower half are instead (plan::Bound::period).
struct MirroredSide {
  std::int64_t middle = 0;
  std::int64_t period = 0;
  std::int64_t count = 0;       // elements that there are
  std::ptrdiff_t position = 0;  // bytes from one to the next
  std::uint16_t sign = 0;       // what changes the bits of the upper ones
};

// Of elements of `Word`: a tile's rows are runs of the closest elements that are read, its columns of those written.
// Where `loads` or `stores`, that side is mirrored.
template <class Word, bool loads = false, bool stores = false>
class MovedElementWorker final : public StageWorker {
 public:
  MovedElementWorker(const Stage& stage, const TileLoops& loops)
      : scalar_(plan::scalar_bytes(stage.input_storage.precision)),
        read_(step(stage, loops.read)),
        written_(step(stage, loops.written)),
        inside_(loops.inside ? step(stage, *loops.inside) : Step{}),
        others_(without(stage, loops), StageLoops::no_loop, 1),
        strips_((read_.count + tile - 1) / tile),
        pieces_((written_.count + piece - 1) / piece) {
    if constexpr (loads) load_ = side(*stage.load_bound, stage.input_stride);
    if constexpr (stores) store_ = side(*stage.store_bound, stage.output_stride);
  }

  std::uint64_t items() const override { return others_.items() * strips_ * pieces_; }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = others_.item(i / (strips_ * pieces_)).position;
      const std::uint64_t row = i % pieces_ * piece;
      const std::uint64_t column = i / pieces_ % strips_ * tile;
      const std::size_t columns = std::min<std::uint64_t>(tile, read_.count - column);
      const std::uint64_t end_row = std::min<std::uint64_t>(row + piece, written_.count);
      for (std::uint64_t first = row; first < end_row; first += tile) {
        const Corner<const std::byte> from{
            input + position.input * scalar_ + times(first, written_.input) + times(column, read_.input),
            position.load_bound + times(first, written_.load) + times(column, read_.load)};
        const Corner<std::byte> to{
            output + position.output * scalar_ + times(first, written_.output) + times(column, read_.output),
            position.store_bound + times(first, written_.store) + times(column, read_.store)};
        move(from, to, std::min<std::uint64_t>(tile, end_row - first), columns);
      }
    }
  }

 private:
  static constexpr std::size_t tile = std::max<std::size_t>(64 / sizeof(Word), 8);  // elements of its sides
  static constexpr std::uint64_t piece = most_tiles * tile;

  // Where an element is, and at which position beside the bound.
  template <class Byte>
  struct Corner {
    Byte* element;
    std::int64_t position;
    void advance(std::ptrdiff_t bytes, std::int64_t positions) {
      element += bytes;
      position += positions;
    }
  };

  [[nodiscard]] Step step(const Stage& stage, std::size_t i) const {
    const Loop& loop = stage.loops[i];
    return {loop.count, loop.input_stride * scalar_, loop.output_stride * scalar_,
            stage.load_bound ? stage.load_bound->loop_strides[i] : 0,
            stage.store_bound ? stage.store_bound->loop_strides[i] : 0};
  }

  static Stage without(Stage stage, const TileLoops& loops) {
    stage.loops[loops.read].count = stage.loops[loops.written].count = 1;
    if (loops.inside) stage.loops[*loops.inside].count = 1;
    stage.twiddle.reset();
    return stage;
  }

  [[nodiscard]] MirroredSide side(const plan::Bound& bound, std::int64_t stride) const {
    constexpr std::uint16_t sign_of_half = 0x8000;
    return {static_cast<std::int64_t>(bound.period / 2), static_cast<std::int64_t>(bound.period),
            static_cast<std::int64_t>(bound.count), stride / bound.element_stride * scalar_,
            bound.odd ? sign_of_half : std::uint16_t{0}};
  }

  static Word read(const Corner<const std::byte>& from, const MirroredSide& side) {
    Word word{};
    if constexpr (!loads) {
      std::memcpy(&word, from.element, sizeof(Word));
    } else {
      const bool upper = from.position > side.middle;
      const std::int64_t kept = upper ? side.period - from.position : from.position;
      if (kept >= side.count) return word;
      std::memcpy(&word, from.element + (kept - from.position) * side.position, sizeof(Word));
      if (upper) word ^= side.sign;
    }
    return word;
  }

  static void write(Word word, const Corner<std::byte>& to, const MirroredSide& side) {
    if constexpr (!stores) {
      std::memcpy(to.element, &word, sizeof(Word));
    } else {
      const bool upper = to.position > side.middle;
      const std::int64_t kept = upper ? side.period - to.position : to.position;
      if (kept >= side.count) return;
      if (upper) word ^= side.sign;
      std::memcpy(to.element + (kept - to.position) * side.position, &word, sizeof(Word));
    }
  }

  void move(Corner<const std::byte> from, Corner<std::byte> to, std::size_t rows, std::size_t columns) const {
    std::array<std::array<std::array<Word, 2>, tile>, tile> words;
    for (std::size_t row = 0; row < rows; ++row, from.advance(written_.input, written_.load)) {
      Corner<const std::byte> element = from;
      for (std::size_t column = 0; column < columns; ++column, element.advance(read_.input, read_.load)) {
        words[row][column][0] = read(element, load_);
        if (inside_.count == 1) continue;
        Corner<const std::byte> second = element;
        second.advance(inside_.input, inside_.load);
        words[row][column][1] = read(second, load_);
      }
    }
    for (std::size_t column = 0; column < columns; ++column, to.advance(read_.output, read_.store)) {
      Corner<std::byte> element = to;
      for (std::size_t row = 0; row < rows; ++row, element.advance(written_.output, written_.store)) {
        write(words[row][column][0], element, store_);
        if (inside_.count == 1) continue;
        Corner<std::byte> second = element;
        second.advance(inside_.output, inside_.store);
        write(words[row][column][1], second, store_);
      }
    }
  }

  std::ptrdiff_t scalar_;  // bytes
  Step read_;
  Step written_;
  Step inside_;
  MirroredSide load_;
  MirroredSide store_;
  StageLoops others_;
  std::uint64_t strips_;
  std::uint64_t pieces_;
};

// Whether a bound says that halves stand at the places of their mirror images, and nothing else.
bool mirrors_halves(const std::optional<plan::Bound>& bound, const plan::Storage& storage) {
  return bound && bound->period != 0 && bound->both_halves == 0 && bound->first == 0 && bound->end_weight == 1 &&
         storage.form == plan::Storage::Form::real && storage.precision == Precision::float16;
}

// Whether elements have the same form on both sides, and stay what they are.
bool only_moves(const Stage& stage) {
  const bool single = stage.length == 1 && stage.radices.empty() && !stage.direct;
  return single && only_loads(stage) && only_stores(stage) && stage.scale == 1.0L &&
         stage.input_storage == stage.output_storage && !plan::has_parts_apart(stage);
}

std::unique_ptr<StageWorker> make_mirrored(const Stage& stage) {
  const bool loads = mirrors_halves(stage.load_bound, stage.input_storage);
  const bool stores = mirrors_halves(stage.store_bound, stage.output_storage);
  if (loads == stores) return nullptr;
  Stage plain = stage;
  (loads ? plain.load_bound : plain.store_bound).reset();
  const auto loops = only_moves(plain) ? tile_loops(stage) : std::nullopt;
  if (!loops || loops->read == loops->written) return nullptr;
  if (loads) return std::make_unique<MovedElementWorker<std::uint16_t, true, false>>(stage, *loops);
  return std::make_unique<MovedElementWorker<std::uint16_t, false, true>>(stage, *loops);
}

}  // namespace

std::unique_ptr<StageWorker> make_moved_element_worker(const Stage& stage) {
  if (auto mirrored = make_mirrored(stage)) return mirrored;
  const auto loops = only_moves(stage) ? tile_loops(stage) : std::nullopt;
  const bool real = stage.input_storage.form == plan::Storage::Form::real;
  const bool complex = is_interleaved(stage.input_storage, stage.input_storage.precision);
  if (!loops || loops->read == loops->written || !(real || complex)) return nullptr;
  struct Complex {
    std::uint64_t parts[2];
  };
  switch (plan::scalar_bytes(stage.input_storage.precision) * (complex ? 2 : 1)) {
    case 2:
      return std::make_unique<MovedElementWorker<std::uint16_t>>(stage, *loops);
    case 4:
      return std::make_unique<MovedElementWorker<std::uint32_t>>(stage, *loops);
    case 8:
      return std::make_unique<MovedElementWorker<std::uint64_t>>(stage, *loops);
    case 16:
      return std::make_unique<MovedElementWorker<Complex>>(stage, *loops);
    default:
      return nullptr;
  }
}

}  // namespace twiddle::backend::host
