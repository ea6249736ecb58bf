// How a tile, as many short lines as a vector has lanes, one after the other without gaps, is sorted in registers into
// vectors that hold one scalar of every line each: the places, for permutations of two vectors each. Sources: rotating
// columns by selections, B. Catanzaro, A. Keller, M. Garland, A decomposition for in-place matrix transposition, 2014;
// the rest is a transposition by swapping bits of indices (C. Van Loan, Computational Frameworks for the FFT, 1992).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace twiddle::backend::host {

// Lines of kLength elements, each of kParts scalars, in vectors of kLanes scalars. A line is `vectors` units of
// `together` neighbouring elements; there are `sets` of `vectors` vectors with `units` lines each.
//   1. Vector i of a set is renamed place(i). Then unit s of vector k is one of element-unit k + s, so that
//   2. `rotations` selections gather those of each element-unit, mask(bit) saying where vector k - 2^bit is taken.
//   3. The vectors of one element-unit in all sets exchange halves in pairs, log2(sets) times, by index(); the last
//   time
//      puts the lines in order.
template <std::size_t kLanes, std::size_t kLength, std::size_t kParts>
struct TileNetwork {
  static constexpr std::size_t elements = kLanes / kParts;  // of a vector
  static constexpr std::size_t together = std::gcd(kLength, elements);
  static constexpr std::size_t units = elements / together;
  static constexpr std::size_t vectors = kLength / together;
  static constexpr std::size_t sets = kParts * together;
  static constexpr std::size_t unit_lanes = together * kParts;
  static constexpr unsigned rotations = std::bit_width(std::min(units, vectors) - 1);
  static constexpr unsigned stages = std::bit_width(sets) - 1;

  static constexpr std::size_t place(std::size_t i) { return units * i % vectors; }

  static constexpr std::uint32_t mask(unsigned bit) {
    std::uint32_t result = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      result |= static_cast<std::uint32_t>(lane / unit_lanes % vectors >> bit & 1) << lane;
    }
    return result;
  }

  // Places are lanes of a first vector, then (from kLanes on) of a second one. In stage `t` the new vector of set j
  // takes from those of sets j without and with bit t, and `there` says which; the way back, the old one takes by
  // `back` from the same new ones.
  template <class Index>
  struct Exchange {
    alignas(64) std::array<std::array<Index, kLanes>, sets> there{};
    alignas(64) std::array<std::array<Index, kLanes>, sets> back{};
  };

  template <class Index>
  static constexpr Exchange<Index> exchange(std::size_t unit, unsigned stage) {
    struct Goal {
      std::size_t vector = 0;
      std::size_t lane = 0;
    };
    using Vectors = std::array<std::array<Goal, kLanes>, sets>;
    Vectors now{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t s = lane / unit_lanes;
      std::size_t source = 0;  // the vector of the set that this lane came from
      while (place(source) != (unit + vectors - s % vectors) % vectors) ++source;
      for (std::size_t set = 0; set < sets; ++set) {
        now[set][lane] = {lane % unit_lanes, set * units + (units * source + s) / vectors};
      }
    }
    Exchange<Index> result;
    if (stages == 0) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        result.there[0][now[0][lane].lane] = static_cast<Index>(lane);
        result.back[0][lane] = static_cast<Index>(now[0][lane].lane);
      }
    }
    for (unsigned t = 0; t < stages; ++t) {
      Vectors next{};
      const std::size_t bit = std::size_t{1} << t;
      for (std::size_t set = 0; set < sets; ++set) {
        std::size_t filled = 0;
        for (const std::size_t from : {set & ~bit, set | bit}) {
          for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const Goal& goal = now[from][lane];
            if ((goal.vector & bit) != (set & bit)) continue;
            const std::size_t to = t + 1 == stages ? goal.lane : filled++;
            next[set][to] = goal;
            result.there[set][to] = static_cast<Index>(lane + (from & bit ? kLanes : 0));
            result.back[from][lane] = static_cast<Index>(to + (set & bit ? kLanes : 0));
          }
        }
      }
      now = next;
      if (t == stage) break;
    }
    return result;
  }
};

}  // namespace twiddle::backend::host
