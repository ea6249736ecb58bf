// What passes of the host engine cost: a model of time and rounding errors, fitted to measurements. For
// host_radices.cpp alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "plan/recipe/host_radices.hpp"
#include "twiddle/strategy.hpp"

namespace twiddle::plan {

// The radices of the host engine: vector operations of a butterfly for one vector of columns, and the variance of the
// rounding errors that it adds, relative to the elements, in (half a unit in the last place)^2. Variances of passes add
// up. Fitted to the errors of 876 sequences of passes in single precision. Of large radices (host_radices.hpp) the
// operations are fitted to their time, as below, and the variances measured.
struct HostRadix {
  unsigned radix;
  double operations;
  double variance;
  double strided = operations;  // of neighbouring lines, by which memory counts less
  bool direct = false;          // by the definition
  [[nodiscard]] bool large() const { return !direct && radix > host_largest_common_radix; }
};
inline constexpr std::array host_radix_table = {
    HostRadix{2, 4, 0.10},         HostRadix{3, 14, 0.28},         HostRadix{4, 16, 0.28},
    HostRadix{5, 40, 0.71},        HostRadix{6, 40, 0.43},         HostRadix{7, 84, 0.75},
    HostRadix{8, 56, 0.58},        HostRadix{9, 110, 0.93},        HostRadix{10, 100, 0.90},
    HostRadix{11, 220, 0.77},      HostRadix{12, 110, 0.70},       HostRadix{13, 260, 1.76},
    HostRadix{15, 190, 1.05},      HostRadix{16, 190, 0.92},       HostRadix{20, 300, 1.08, 304},
    HostRadix{24, 240, 1.03, 388}, HostRadix{25, 1690, 1.47, 640}, HostRadix{32, 850, 1.19, 503}};
inline constexpr double direct_variance = 1.2;    // by the definition
inline constexpr double direct_operations = 1.3;  // by the definition, for each pair of an input and an output
inline constexpr double twiddle_variance = 0.65;  // of a product with a rounded root of unity other than 1

// In arithmetic operations of a vector. Fitted to 4888 measured sequences of lengths to 2400: what is chosen takes 1 %
// longer than the fastest measured, on average.
inline constexpr double memory_weight = 8.0;       // of one vector loaded or stored
inline constexpr double twiddle_operations = 4.0;  // of one complex multiplication
inline constexpr double transpose_weight = 2.0;  // of one vector sent through the register transpose of the first pass
inline constexpr double ragged_weight = 30.0;    // for each element, of transposes whose rows are no whole vectors
inline constexpr double pass_weight = 100.0;     // of beginning a pass
inline constexpr double variance_weight = 12.0;  // what an error of variance 1 may cost: it decides what nearly ties

// Where vectors are computed and stored in two halves, of the last pass of contiguous lines, whose many results do not
// stay in registers until they are put together. Fitted to 1493 sequences each of 57 lengths from 256 to 32768, floats
// and doubles, on an AMD EPYC (Zen 4): what is chosen takes 1.021 and 1.026 of the fastest's time, where it
// took 1.041, 1.043.
inline constexpr unsigned largest_halved_last = 11;
inline constexpr double halved_last_weight = 15.0;  // for each radix above that

// Of the last pass of contiguous lines, for each element, where its rows of results are a multiple of bytes_of_a_way
// apart: they all fall onto the same sets of the first-level cache, and more of them than a set has ways push each
// other out. Measured on an EPYC (Zen 5), complex lines of 4096 to 65536 points: less of floats, of which 65536
// take 1.08 of the time in a pass more, where 4096 doubles take 0.90.
inline constexpr std::size_t bytes_of_a_way = 4096;
inline constexpr double same_sets_of_floats = 15.0;
inline constexpr double same_sets_of_doubles = 30.0;
inline constexpr double same_sets_while_waiting = 13.0;  // of doubles where there are large radices, fitted as these
inline constexpr double same_sets_of_halves = 40.0;      // of vectors, fitted as above; not before a map

// The same where the last pass carries out the map of reals, whose results it stores from either end: of doubles more
// than half as many rows as a set has ways push each other out. Fitted to 90 sequences each of 56 lengths of 512 to
// 131072 on a Zen 4: what is chosen takes 1.03 (doubles) and 1.02 (floats) of the fastest's time, where it took 1.07.
inline constexpr unsigned largest_mapped_last = 5;
inline constexpr double mapped_last_weight_of_floats = 30.0;
inline constexpr double mapped_last_weight_of_doubles = 5.0;
inline constexpr double same_sets_between = 15.0;  // doubles that a pass before it stores

// Of the first pass of contiguous lines of doubles from memory, for each element, where the rows that it reads are more
// than a set has ways, and a multiple of bytes_of_a_way apart: what was fetched ahead is pushed out before it is read.
// 8192 to 131072 points beyond twice the first-level cache, on a Zen 4, vectors computed in halves: complex lines take
// 0.84 to 1.01 of the time by what is chosen so, those of pairs of reals 0.80 to 0.96. Floats take twice as many
// columns at once, and radix 8 half of a vector.
inline constexpr double same_sets_of_first = 45.0;

// Lines of three passes in blocks (host_radices.hpp) cost so much of what the model says. On a Xeon with 2 MiB of
// second-level cache 1024 to 4096 complex doubles take 0.84 to 0.98 of the time of the same passes in blocks of 16 KiB,
// 0.94 to 0.97 in larger ones, 2048 and 4096 floats 0.89 and 0.99.
inline constexpr std::size_t small_block_bytes = 16384;
inline constexpr double cost_in_small_blocks = 0.9;
inline constexpr double cost_in_large_blocks = 0.96;

// Where there are large radices, a pass over planes that fill so much of the first-level cache waits for them as well,
// whatever its radix: this part of what it costs is that of a pass of radix 8. Fitted to 3259 sequences of 64 complex
// lines of 640 to 65536 points, floats and doubles, on a Xeon (48 KiB and 2 MiB): what is chosen takes 1.025 of the
// fastest's time. How much is filled, and what runs shorter than a vector take beside idle lanes, by 7732 sequences of
// lines of 1100 to 20000 points, one and 32 at a time: 1.045 of it, where it took 1.066. Doubles with a map wait beyond
// all of that cache (30 lines of 1920 to 3000 reals take 0.88 to 1.24 of the time by the lower limit).
// Neighbouring lines are priced by what passes in the first-level cache take; of 690 sequences of 29 lengths of 48 to
// 1024 doubles, 64 lines side by side, what is chosen takes 1.048 of the fastest's time, 1.17 with the conflicts below.
inline constexpr double filled_while_waiting = 0.6;
inline constexpr double waiting_part = 0.58;
inline constexpr double short_run_weight = 40.0;    // for each element, times the share that is beyond the run
inline constexpr double large_first_weight = 11.4;  // for each element of a first pass whose results are transposed
inline constexpr double large_last_weight = 3.4;    // of a last one

// Neighbouring lines side by side; on memory these passes wait longer.
inline constexpr double strided_memory_weight = 2.0;
// More rows at once than a cache has ways fall onto the same sets where their distance is a large power of two. Where
// there are large radices these do not hold so many values at once.
inline constexpr double largest_strided_radix = 12;
inline constexpr double conflict_weight = 1.6;
// Of each butterfly of theirs, by vectors of 32 bytes (AVX2): addresses, loops and what does not stay in 16 registers.
// A pass takes 6 to 8.5 instructions for an element there, whatever its radix: 8.2 by 2, 6.1 by 8, 8.6 by 15.
inline constexpr double butterfly_weight = 28.0;
inline constexpr std::size_t vector_of_few_registers = 32;  // bytes

// Contiguous lines by such vectors: what a pass costs for each element, loads and stores included, and each root of
// one that others follow. Fitted to 26000 sequences of 81 lengths of 1024 to 65536 points, complex and pairs of reals,
// floats and doubles, by AVX2 on an EPYC (Zen 4): what is chosen takes 1.02 of the fastest's time, where it took 1.06.
struct NarrowRadix {
  unsigned radix;
  double per_element;
};
inline constexpr std::array narrow_radix_table = {
    NarrowRadix{2, 19.0},  NarrowRadix{3, 22.0},  NarrowRadix{4, 21.5},  NarrowRadix{5, 24.6},  NarrowRadix{6, 22.6},
    NarrowRadix{7, 30.6},  NarrowRadix{8, 29.3},  NarrowRadix{9, 44.4},  NarrowRadix{10, 37.7}, NarrowRadix{11, 45.7},
    NarrowRadix{12, 33.3}, NarrowRadix{13, 42.7}, NarrowRadix{15, 47.6}, NarrowRadix{16, 38.0}};
inline constexpr double narrow_twiddle_operations = 10.0;
// Rows that are read a multiple of bytes_of_a_way apart, more than a set of the first-level cache has ways; rows of a
// last pass's results, more than half as many. Beyond the caches as well.
inline constexpr double narrow_same_sets_read = 34.0;
inline constexpr double narrow_same_sets_stored = 15.0;
// What larger first passes cost less, in the caches, for each element: it decides between sequences that differ in
// their order alone. 2048 points by 16.8.16 take 0.96 of the time of 8.16.16, from memory 1.04 and 1.10.
inline constexpr unsigned largest_small_first = 8;
inline constexpr double narrow_large_first_gain = 2.0;

// From the table, or, for primes beyond it, at the cost of the definition.
inline HostRadix host_radix(unsigned radix) {
  for (const HostRadix& entry : host_radix_table) {
    if (entry.radix == radix) return entry;
  }
  const double operations = direct_operations * radix * radix;
  return {radix, operations, direct_variance, operations, true};
}

// How much longer a run of `run` elements takes that is covered by whole, overlapping vectors.
inline double overlap(std::size_t run, std::size_t lanes) {
  const std::size_t vectors = (run + lanes - 1) / lanes;
  return static_cast<double>(vectors * lanes) / static_cast<double>(run) - 1.0;
}

// What passes work on.
struct LineCost {
  std::size_t lanes = 1;
  HostLine line = HostLine::contiguous;
  Strategy strategy{};    // which says what radices there are
  std::size_t group = 0;  // so many elements stay next to each other in all passes, which memory is apart from; 0:
                          // lines from memory to memory
  bool halved_vectors = false;
  bool mapped = false;         // a map stands before or behind the passes
  bool maps_last = false;      // the last one carries it out, on the way to the spectrum (host_division.hpp)
  bool past_cache = false;     // lines, and results, are too many for the caches
  bool large_radices = false;  // there are such
  std::size_t scalar_bytes{};  // of the arithmetic
  std::size_t first_cache{};   // bytes
  std::size_t ways{};          // of that cache
  bool operator==(const LineCost&) const = default;
};

// What passes cost for each element of lines of one length. A search asks for hundreds of them, so that what depends on
// the radix or on the place alone is computed beforehand.
class PassCosts {
 public:
  PassCosts(std::size_t length, const LineCost& cost)
      : cost_(cost),
        length_(length),
        group_(std::max<std::size_t>(cost.group, 1)),
        waiting_part_(waiting_part_of(length, cost)),
        waiting_(waiting_part_ * pass(host_radix(8)).per_element[1]),
        beginning_(pass_weight * static_cast<double>(cost.lanes) / static_cast<double>(length * group_)) {}

  struct Pass {
    HostRadix entry;
    std::array<double, 2> operations;   // of the last pass, and of one that others follow
    std::array<double, 2> per_element;  // likewise
    std::array<double, 2> rows;         // likewise: what rows cost more, but those that a first pass reads
    double twiddle_variance;            // had all its roots to be rounded
  };
  [[nodiscard]] Pass pass(const HostRadix& entry) const {
    const double radix = entry.radix;
    const auto [last, root] = butterfly(entry);
    const double other = last + root * (radix - 1.0);
    const std::size_t columns = length_ / entry.radix;
    const double rows = read_rows(entry.radix, columns);
    return {entry,
            {last, other},
            {last / radix, other / radix},
            {rows + last_rows(entry.radix, columns), rows},
            twiddle_variance * (1.0 - 1.0 / radix)};
  }

  // The product of the radices before a pass, or of those behind it.
  struct Product {
    std::size_t value;
    double longer;  // how many times as long the vectors of such a run take
    double roots;   // other than 1
  };
  [[nodiscard]] Product product(std::size_t value) const {
    return {value, 1.0 + overlap(value * group_, cost_.lanes), 1.0 - 1.0 / static_cast<double>(value)};
  }

  [[nodiscard]] double operator()(const Pass& pass, const Product& before, const Product& after) const {
    return cost_.line == HostLine::strided ? strided(pass, before, after) : contiguous(pass, before, after);
  }

  // Well within the first-level cache contiguous lines gain nothing by large radices.
  [[nodiscard]] bool gains_by_large_radices() const {
    return cost_.large_radices && (cost_.line == HostLine::strided || waiting_part_ > 0);
  }

  // What so many operations cost for each element, waiting included.
  [[nodiscard]] double waited(double operations) const { return (1.0 - waiting_part_) * operations + waiting_; }

 private:
  [[nodiscard]] bool by_few_registers() const { return cost_.lanes * cost_.scalar_bytes == vector_of_few_registers; }

  // What a butterfly costs with its memory, and a root.
  struct Butterfly {
    double operations;
    double root;
  };
  [[nodiscard]] Butterfly butterfly(const HostRadix& entry) const {
    const double radix = entry.radix;
    if (cost_.line == HostLine::strided) {
      const double few = by_few_registers() ? butterfly_weight : 0;
      return {entry.strided + strided_memory_weight * 4.0 * radix + few, twiddle_operations};
    }
    double operations = entry.operations + memory_weight * 4.0 * radix;
    if (!by_few_registers()) return {operations, twiddle_operations};
    for (const NarrowRadix& narrow : narrow_radix_table) {
      if (narrow.radix == entry.radix) operations = narrow.per_element * radix;
    }
    return {operations, narrow_twiddle_operations};
  }

  // The first pass has columns in its lanes and transposes; all others, and those without a butterfly, have the
  // elements of a run, of which a first pass has one.
  [[nodiscard]] double contiguous(const Pass& pass, const Product& before, const Product& after) const {
    const bool followed = after.value > 1;
    const double rest = variance_weight * (pass.entry.variance + pass.twiddle_variance * after.roots);
    if (before.value > 1 || pass.entry.direct || cost_.group != 0) {
      const double large = pass.entry.large() && !followed ? large_last_weight : 0.0;
      const bool is_short = waiting_part_ > 0 && before.value < cost_.lanes;
      const double run = is_short ? short_run_weight * (before.longer - 1.0) : 0.0;
      const double rows = pass.rows[followed] + (followed ? rows_between(pass.entry.radix, before.value) : 0);
      return waited(pass.per_element[followed] * before.longer) + run + large + rows + beginning_ + rest;
    }
    const double radix = pass.entry.radix;
    const double operations = pass.operations[followed] + transpose_weight * 2.0 * radix;
    const double ragged = pass.entry.radix % cost_.lanes != 0 ? ragged_weight : 0.0;
    const double large = pass.entry.large() ? large_first_weight : 0.0;
    const double rows = first_rows(pass.entry.radix, after.value);
    const bool gains = by_few_registers() && !cost_.past_cache && pass.entry.radix > largest_small_first;
    const double gain = gains ? narrow_large_first_gain : 0.0;
    return waited(operations / radix * after.longer) + large + ragged + rows + beginning_ + rest - gain;
  }

  // Of contiguous lines whose two pairs of planes leave too little of the first-level cache.
  static double waiting_part_of(std::size_t length, const LineCost& cost) {
    const double filled = cost.mapped && cost.scalar_bytes > sizeof(float) ? 1.0 : filled_while_waiting;
    const double room = filled * static_cast<double>(cost.first_cache);
    const bool beyond = static_cast<double>(4 * length * cost.scalar_bytes) > room;
    return cost.large_radices && cost.line == HostLine::contiguous && beyond ? waiting_part : 0;
  }

  // Whether so many rows, so many bytes apart, push each other out of the first-level cache.
  [[nodiscard]] bool share_sets(std::size_t rows, std::size_t apart) const {
    return rows > cost_.ways && apart % bytes_of_a_way == 0;
  }

  // What the first pass costs more, `columns` being the elements of each of its rows.
  [[nodiscard]] double first_rows(unsigned radix, std::size_t columns) const {
    const std::size_t element = 2 * cost_.scalar_bytes;
    if (!share_sets(radix, columns * element)) return 0;
    if (by_few_registers()) return narrow_same_sets_read;
    const bool doubles = cost_.scalar_bytes > sizeof(float);
    const bool from_memory = cost_.past_cache && length_ * element > 2 * cost_.first_cache;
    return cost_.halved_vectors && doubles && from_memory ? same_sets_of_first : 0;
  }

  // What a pass over planes costs more for the rows that it reads.
  [[nodiscard]] double read_rows(unsigned radix, std::size_t columns) const {
    const bool same_sets = share_sets(radix, columns * cost_.scalar_bytes);
    return by_few_registers() && cost_.group == 0 && same_sets ? narrow_same_sets_read : 0;
  }

  // What the last pass costs more, `run` being the results of each of its rows. Before a map they are planar.
  [[nodiscard]] double last_rows(unsigned radix, std::size_t run) const {
    if (cost_.lanes == 1 || cost_.group != 0) return 0;
    if (cost_.maps_last) return mapped_last_rows(radix, run);
    const std::size_t apart = run * cost_.scalar_bytes * (cost_.mapped ? 1 : 2);
    if (by_few_registers()) return share_sets(2 * radix, apart) ? narrow_same_sets_stored : 0;
    const bool same_sets = share_sets(radix, apart);
    if (!cost_.halved_vectors) {
      if (!same_sets) return 0;
      if (cost_.scalar_bytes == sizeof(float)) return same_sets_of_floats;
      if (cost_.past_cache && !cost_.mapped) return 0;
      return cost_.large_radices ? same_sets_while_waiting : same_sets_of_doubles;
    }
    const double many = radix > largest_halved_last ? halved_last_weight * (radix - largest_halved_last) / radix : 0;
    return same_sets && !cost_.mapped ? many + same_sets_of_halves : many;
  }

  // What a pass costs more for the rows that it stores to planes, before a last one with the map.
  [[nodiscard]] double rows_between(unsigned radix, std::size_t run) const {
    if (!cost_.maps_last || cost_.scalar_bytes == sizeof(float)) return 0;
    return share_sets(radix, run * cost_.scalar_bytes) ? same_sets_between : 0;
  }

  // As last_rows, of a pass that carries out the map.
  [[nodiscard]] double mapped_last_rows(unsigned radix, std::size_t run) const {
    const bool doubles = cost_.scalar_bytes > sizeof(float);
    const double weight = doubles ? mapped_last_weight_of_doubles : mapped_last_weight_of_floats;
    const double many = radix > largest_mapped_last ? weight * (radix - largest_mapped_last) / radix : 0;
    const bool same_sets = share_sets(doubles ? 2 * radix : radix, run * 2 * cost_.scalar_bytes);
    return same_sets ? many + same_sets_of_halves : many;
  }

  // The lanes hold neighbouring lines and so are full.
  [[nodiscard]] double strided(const Pass& pass, const Product& before, const Product& after) const {
    const bool touches_memory = cost_.group == 0 && (before.value == 1 || after.value == 1);
    const bool conflicts = touches_memory && !cost_.large_radices && pass.entry.radix > largest_strided_radix;
    const double operations = pass.per_element[after.value > 1];
    return conflicts ? operations * conflict_weight : operations;
  }

  const LineCost& cost_;
  std::size_t length_;
  std::size_t group_;
  double waiting_part_;  // of a pass
  double waiting_;       // what it costs, for each element
  double beginning_;     // of a pass
};

}  // namespace twiddle::plan
