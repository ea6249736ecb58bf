// Elements that change places and nothing else, such as transpositions: as their bytes, in tiles of whole cache lines
// on both sides, whatever numbers they are. Halves also where a bound leaves some out, or has them stand at the places
// of their mirror images, and with the other sign; of complex ones each part by itself.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

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

// Which elements there are, and where those beyond the middle are instead (plan::Bound).
struct BoundSide {
  static constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  std::int64_t middle = all;
  std::int64_t period = 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::min();
  std::int64_t count = all;
  std::ptrdiff_t position = 0;  // bytes from one to the next
  std::uint16_t sign = 0;       // what changes the bits of the upper ones
  std::uint16_t each = 0;       // and of all
};

// Of elements of `Word`: a tile's rows are runs of the closest elements that are read, its columns of those written.
// Where `loads` or `stores`, that side has a bound, or where it stores, a sign.
template <class Word, bool loads = false, bool stores = false>
class MovedElementWorker final : public StageWorker {
 public:
  MovedElementWorker(const Stage& stage, const TileLoops& loops)
      : scalar_(plan::scalar_bytes(stage.input_storage.precision)),
        read_(step(stage, loops.read)),
        written_(step(stage, loops.written)),
        inside_(loops.inside ? step(stage, *loops.inside) : Step{}),
        others_(without(stage, loops), StageLoops::no_loop, 1),
        strips_((read_.count + tile - 1) / tile) {
    if (loops.read == loops.written) written_ = Step{};  // one row
    pieces_ = (written_.count + piece - 1) / piece;
    if (loads && stage.load_bound) load_ = side(*stage.load_bound, stage.input_stride);
    if (stores && stage.store_bound) store_ = side(*stage.store_bound, stage.output_stride);
    if (stage.scale == -1.0L) store_.each = sign_of_half;
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
  static constexpr std::uint16_t sign_of_half = 0x8000;

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

  [[nodiscard]] BoundSide side(const plan::Bound& bound, std::int64_t stride) const {
    BoundSide result;
    if (bound.period != 0) {
      result.middle = static_cast<std::int64_t>(bound.period / 2);
      result.position = stride / bound.element_stride * scalar_;
    }
    result.period = static_cast<std::int64_t>(bound.period);
    result.first = static_cast<std::int64_t>(bound.first);
    result.count = static_cast<std::int64_t>(bound.count);
    result.sign = bound.odd ? sign_of_half : std::uint16_t{0};
    return result;
  }

  static Word read(const Corner<const std::byte>& from, const BoundSide& side) {
    Word word{};
    if constexpr (!loads) {
      std::memcpy(&word, from.element, sizeof(Word));
    } else {
      const bool upper = from.position > side.middle;
      const std::int64_t kept = upper ? side.period - from.position : from.position;
      if (kept < side.first || kept >= side.count) return word;
      std::memcpy(&word, from.element + (kept - from.position) * side.position, sizeof(Word));
      if (upper) word ^= side.sign;
    }
    return word;
  }

  static void write(Word word, const Corner<std::byte>& to, const BoundSide& side) {
    if constexpr (!stores) {
      std::memcpy(to.element, &word, sizeof(Word));
    } else {
      const bool upper = to.position > side.middle;
      const std::int64_t kept = upper ? side.period - to.position : to.position;
      if (kept < side.first || kept >= side.count) return;
      word ^= upper ? side.sign ^ side.each : side.each;
      std::memcpy(to.element + (kept - to.position) * side.position, &word, sizeof(Word));
    }
  }

  // One side of a tile in which all elements exist, and are on one side of the middle.
  template <class Byte>
  struct Even {
    Byte* element = nullptr;  // null: it is not such a one
    std::ptrdiff_t row = 0;
    std::ptrdiff_t column = 0;
    std::uint16_t sign = 0;
  };
  template <class Byte>
  static Even<Byte> even(const Corner<Byte>& corner, const BoundSide& side, std::ptrdiff_t row,
                         std::int64_t row_position, std::size_t rows, std::ptrdiff_t column,
                         std::int64_t column_position, std::size_t columns) {
    const std::int64_t down = times(rows - 1, row_position);
    const std::int64_t along = times(columns - 1, column_position);
    const std::int64_t least = corner.position + std::min<std::int64_t>(down, 0) + std::min<std::int64_t>(along, 0);
    const std::int64_t most = corner.position + std::max<std::int64_t>(down, 0) + std::max<std::int64_t>(along, 0);
    if (most <= side.middle && least >= side.first && most < side.count) {
      return {corner.element, row, column, side.each};
    }
    if (least <= side.middle || side.period - most < side.first || side.period - least >= side.count) return {};
    return {corner.element + (side.period - 2 * corner.position) * side.position,
            row - 2 * row_position * side.position, column - 2 * column_position * side.position,
            static_cast<std::uint16_t>(side.sign ^ side.each)};
  }

  // Where both sides are even, and nothing is inside. Whether it did.
  bool move_evenly(const Corner<const std::byte>& from, const Corner<std::byte>& to, std::size_t rows,
                   std::size_t columns) const {
    if (inside_.count != 1) return false;
    const Even<const std::byte> source =
        even(from, load_, written_.input, written_.load, rows, read_.input, read_.load, columns);
    const Even<std::byte> target =
        even(to, store_, written_.output, written_.store, rows, read_.output, read_.store, columns);
    if (source.element == nullptr || target.element == nullptr) return false;
    const auto sign = static_cast<Word>(source.sign ^ target.sign);
    std::array<std::array<Word, tile>, tile> words;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::byte* const start = source.element + times(row, source.row);
      for (std::size_t column = 0; column < columns; ++column) {
        std::memcpy(&words[column][row], start + times(column, source.column), sizeof(Word));
      }
    }
    for (std::size_t column = 0; column < columns; ++column) {
      std::byte* const start = target.element + times(column, target.column);
      for (std::size_t row = 0; row < rows; ++row) {
        const auto word = static_cast<Word>(words[column][row] ^ sign);
        std::memcpy(start + times(row, target.row), &word, sizeof(Word));
      }
    }
    return true;
  }

  void move(Corner<const std::byte> from, Corner<std::byte> to, std::size_t rows, std::size_t columns) const {
    if constexpr (loads || stores) {
      if (move_evenly(from, to, rows, columns)) return;
    }
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
  BoundSide load_;
  BoundSide store_;
  StageLoops others_;
  std::uint64_t strips_;
  std::uint64_t pieces_ = 1;
};

// One worker's items, and then another's.
class TwoWorkers final : public StageWorker {
 public:
  TwoWorkers(std::unique_ptr<StageWorker> first, std::unique_ptr<StageWorker> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  std::uint64_t items() const override { return first_->items() + second_->items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    const std::uint64_t middle = first_->items();
    if (begin < middle) first_->run(input, output, begin, std::min(end, middle));
    if (end > middle) second_->run(input, output, std::max(begin, middle) - middle, end - middle);
  }

 private:
  std::unique_ptr<StageWorker> first_;
  std::unique_ptr<StageWorker> second_;
};

// Whether a bound says of single elements which there are, and where they stand, and nothing else.
bool places_elements(const std::optional<plan::Bound>& bound) {
  return !bound || (bound->end_weight == 1 && !bound->real_first && bound->imaginary_step == 0 &&
                    (bound->period == 0 || bound->both_halves == 0));
}

// Whether elements stay what they are.
bool only_moves(const Stage& stage) {
  const bool single = stage.length == 1 && stage.radices.empty() && !stage.direct;
  return single && only_loads(stage) && only_stores(stage) && stage.scale == 1.0L && !plan::has_parts_apart(stage);
}

// Halves of the same form on both sides that a bound places, or that change their sign.
bool moves_halves(const Stage& stage) {
  Stage plain = stage;
  plain.load_bound.reset();
  plain.store_bound.reset();
  if (stage.scale == -1.0L) plain.scale = 1;
  const bool marked = stage.load_bound || stage.store_bound || stage.scale == -1.0L;
  return marked && only_moves(plain) && places_elements(stage.load_bound) && places_elements(stage.store_bound) &&
         stage.input_storage.form == stage.output_storage.form && stage.input_storage.precision == Precision::float16 &&
         stage.output_storage.precision == Precision::float16;
}

std::unique_ptr<StageWorker> make_moved_halves(const Stage& stage) {
  if (stage.load_bound && stage.store_bound) return nullptr;
  const auto loops = tile_loops(stage);
  if (!loops) return nullptr;
  if (!stage.load_bound) return std::make_unique<MovedElementWorker<std::uint16_t, false, true>>(stage, *loops);
  if (stage.scale == 1.0L) return std::make_unique<MovedElementWorker<std::uint16_t, true, false>>(stage, *loops);
  return std::make_unique<MovedElementWorker<std::uint16_t, true, true>>(stage, *loops);
}

// The stage for one part of complex numbers; the conjugate's real part is the same, and minus the conjugate's imaginary
// one.
Stage part_of(Stage stage, bool imaginary) {
  for (plan::Storage* storage : {&stage.input_storage, &stage.output_storage}) {
    std::int64_t& offset = storage == &stage.input_storage ? stage.input_offset : stage.output_offset;
    if (imaginary) offset += storage->imaginary_offset;
    *storage = {plan::Storage::Form::real, storage->precision, 0};
  }
  for (std::optional<plan::Bound>* bound : {&stage.load_bound, &stage.store_bound}) {
    if (imaginary && *bound) (*bound)->odd = !(*bound)->odd;
  }
  return stage;
}

}  // namespace

std::unique_ptr<StageWorker> make_moved_element_worker(const Stage& stage) {
  const bool real = stage.input_storage.form == plan::Storage::Form::real;
  if (moves_halves(stage)) {
    if (real) return make_moved_halves(stage);
    auto reals = make_moved_halves(part_of(stage, false));
    auto imaginaries = make_moved_halves(part_of(stage, true));
    if (!reals || !imaginaries) return nullptr;
    return std::make_unique<TwoWorkers>(std::move(reals), std::move(imaginaries));
  }
  const bool alike = only_moves(stage) && stage.input_storage == stage.output_storage;
  const auto loops = alike ? tile_loops(stage) : std::nullopt;
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
