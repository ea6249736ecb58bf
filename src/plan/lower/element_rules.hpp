// What happens to the elements of a stage's transforms between memory and the transform: how they stand in memory,
// which of them there are, what they are multiplied by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twiddle/convolution.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

[[nodiscard]] inline Direction opposite(Direction direction) {
  return direction == Direction::forward ? Direction::inverse : Direction::forward;
}

// How the numbers of an operand stand in memory. Strides and offsets on that side of a stage count complex numbers
// where the form is interleaved, scalars otherwise.
struct Storage {
  enum class Form {
    interleaved,
    planar,  // an imaginary part lies `imaginary_offset` scalars from its real part: planar arrays, two lines of reals
             // taken as one complex line, or neighbouring reals taken as one complex number
    real,    // loads with imaginary part zero; of what is stored only the real part is kept
    apart    // the imaginary part lies as far from the start of scratch memory as its real part from that of this one
  };
  Form form = Form::interleaved;
  Precision precision = Precision::float32;  // of the scalars in memory
  std::int64_t imaginary_offset = 0;         // planar only
  // Scalars of float16 are the upper 16 bits of floats, whose lower ones lie as far from the start of scratch memory as
  // these from that of this one. Not of the form `apart`.
  bool words_apart = false;
  // Whether a part of each number, imaginary parts or lower words, is in scratch memory.
  [[nodiscard]] bool is_apart() const { return form == Form::apart || words_apart; }
  bool operator==(const Storage&) const = default;
};

[[nodiscard]] inline Storage interleaved_or_real(bool complex, Precision precision) {
  return {complex ? Storage::Form::interleaved : Storage::Form::real, precision, 0};
}

// Multiplies element k of a transform by exp(-+ 2 pi i k j / modulus), where j is the transform's index in loop `loop`
// of the stage and the sign is the stage's direction: its inputs (on_load) or its outputs.
struct StageTwiddle {
  std::uint64_t modulus = 1;
  std::size_t loop = 0;  // of more than one turn
  bool on_load = false;
  bool times_i = false;  // and by +- i
  // Elements beyond the middle by the conjugates of what their mirror images are multiplied by: those that were each
  // other's conjugates remain so.
  bool hermitian = false;
  bool operator==(const StageTwiddle&) const = default;
};

// A fixed sequence that elements are multiplied by as they are loaded or stored (Bluestein's chirp and its spectrum,
// for lines of `length` elements of which the first `inputs` are there and the first `outputs` are wanted). An
// element's position in the sequence is offset + element * element_stride + sum over loops of index *
// loop_strides[loop]. Elements beyond the end of the sequence are not touched in memory: they load as zero and are not
// stored.
struct Factor {
  enum class Sequence {
    chirp,  // `length` values c[j] = exp(-+ pi i j^2 / length)
    // `inputs` values for frequencies 0, 1, ... of reals of an odd length: c[0] for the first, whose imaginary part is
    // ignored, 2 c[j] for the others. With them the real parts of the results are those of the whole spectrum. On
    // loading alone, without a map, and with an element_stride other than 0.
    half_spectrum_chirp,
    half_spectrum,   // likewise, without the chirp: 1, 2, 2, ...
    quarter_points,  // `length` values exp(-+ 2 pi i (j + 1/8) / 4 length): dct4 of twice so many reals
    quarter_turn,    // `length` values exp(-+ 2 pi i j / 4 length): dct2 of so many reals; the first times first_weight
    half_turn,       // the first `inputs` of the values exp(-+ 2 pi i j / 2 length)
    odd_half_turn,   // likewise, all but the first times +- i
    half_spectrum_turn,  // likewise for half a spectrum, as half_spectrum_chirp, of all frequencies
    // `length` values of an odd n, exp(-2 pi i (1 + 2 n j) / 8), beyond the middle of j - n instead of j: dct4 of so
    // many reals. Whatever the direction.
    eighth_turns,
    alternating_eighth_turns,  // times (-1)^(j + n / 2): dst4
    diagonal,                  // `inputs` times 1 + i, whatever the direction: dht of an odd number of reals
    // `inputs` times 1 + oblique_slope i, whatever the direction: for reals before a map of LineMap::Rule::mean_store.
    oblique,
    // `padded` >= bluestein_points(inputs, outputs) values: the DFT of that many points, unscaled, of what has
    // conj(c[|j|]) at -inputs < j < outputs, modulo `padded`, and else zeros.
    chirp_spectrum
  };
  Sequence sequence = Sequence::chirp;
  std::uint64_t length = 1;
  std::uint64_t inputs = 1;
  std::uint64_t outputs = 1;
  std::uint64_t padded = 1;
  Direction direction = Direction::forward;  // the upper sign in c is forward's; inverse conjugates both sequences
  std::int64_t element_stride = 1;
  std::vector<std::int64_t> loop_strides{};  // one for each loop of the stage
  std::int64_t offset = 0;
  long double first_weight = 1;
  bool operator==(const Factor&) const = default;

  // Values in the sequence.
  [[nodiscard]] std::uint64_t count() const {
    if (sequence == Sequence::chirp_spectrum) return padded;
    const bool of_length = sequence == Sequence::chirp || sequence == Sequence::quarter_points ||
                           sequence == Sequence::quarter_turn || sequence == Sequence::half_spectrum_turn ||
                           sequence == Sequence::eighth_turns || sequence == Sequence::alternating_eighth_turns;
    return of_length ? length : inputs;
  }
  // Whether the imaginary part of what it multiplies first is ignored.
  [[nodiscard]] bool of_half_spectrum() const {
    return sequence == Sequence::half_spectrum_chirp || sequence == Sequence::half_spectrum ||
           sequence == Sequence::half_spectrum_turn;
  }
};

// Only elements at positions from `first` on and below `count` exist in memory: others load as zero and are not stored.
// The position of an element is offset + element * element_stride + sum over loops of index * loop_strides[loop].
struct Bound {
  std::uint64_t count = 0;
  std::int64_t element_stride = 1;
  std::vector<std::int64_t> loop_strides{};  // one for each loop of the stage
  // For stages with a filter bank, and bounds with a period. Of a filter bank's, positions below 0 do not exist either,
  // nor do elements before `first_element` or from `end_element` on, wherever they are.
  std::int64_t offset = 0;
  std::uint64_t first_element = 0;
  std::uint64_t end_element = ~std::uint64_t{0};
  // Of planar storage: the imaginary part's position is so much beyond the real part's, and may not exist where that
  // does. Of neighbouring reals as complex numbers, whose positions count pairs, 1 leaves out the last one's partner.
  std::int64_t imaginary_step = 0;
  // Of planar storage: what is at position 0 is real, and has no place for its imaginary part.
  bool real_first = false;
  bool imaginary_last = false;  // with that, on storing: of what is at position count - 1 there is the imaginary part
  // For stages with a filter bank alone. Loads: what stands at positions that do not exist. A position p becomes
  // boundary_source(outside, p, count), and the element is read (source - p) / element_stride * input_stride behind its
  // own place; element_stride is 1 or -1.
  Boundary outside = Boundary::zero;
  // Unless 0, for other stages: a line of so many elements, of which memory holds the lower half. An element at a
  // position p > period / 2 is the conjugate of that at period - p: it is loaded from there and stored there, where
  // that one exists. Of the positions that are multiples of `both_halves` the stage has both p and period - p: where it
  // stores, the upper one is left out; 0: of none. Of an `odd` line the element is minus that conjugate.
  std::uint64_t period = 0;
  std::uint64_t both_halves = 1;
  bool odd = false;
  std::uint64_t first = 0;     // not for stages with a filter bank
  long double end_weight = 1;  // of an even period: multiplies what is at the positions 0 and period / 2
  bool operator==(const Bound&) const = default;
};

}  // namespace twiddle::plan
