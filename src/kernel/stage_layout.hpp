// What the text of a stage kernel is made from: its passes, who holds what in each, and its tables of constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/factor_text.hpp"
#include "kernel/line_map_text.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::kernel {

// One Stockham pass (decimation in frequency). Butterfly b of `butterflies` takes elements b + k * butterflies, and
// puts its output j at q + before * (radix * p + j), where q = b % before, p = b / before; output j is multiplied by
// exp(-+ 2 pi i p j / (points / before)), from the table at `constants` + (j - 1) * groups + p.
//
// A convolution, or a bank of filters, goes back by the same passes mirrored, in the other direction: each takes its
// elements from where the pass that it mirrors puts them, multiplies them by the conjugate twiddles, and puts its
// outputs where that one takes its elements. So both share their table, and every element ends where it began.
struct Pass {
  unsigned radix = 1;
  Direction direction = Direction::forward;
  bool mirrored = false;
  bool coprime = false;           // the points are ordered so that it needs no twiddles (point_order.hpp)
  bool line_order = false;        // of radix 1: b stands for element b + 1 of Rader's line, not for a position
  std::uint32_t before = 1;       // product of the radices of earlier passes
  std::uint32_t butterflies = 1;  // in the whole transform
  std::uint32_t groups = 1;       // values of p
  std::uint32_t rounds = 1;       // butterflies that one work-item does, some of them idle where `partial`
  // So many of these in turn are neighbours in memory: of the line or, where items take several lines, each of the
  // next.
  std::uint32_t vector = 1;
  bool partial = false;
  plan::KernelShape::Lanes lanes = plan::KernelShape::Lanes::elements;
  std::uint32_t constants = 0;  // where its twiddle table begins; unused where there is only one group
  // Where the groups of a cluster share the line, each takes runs of so many neighbouring butterflies, the others' runs
  // between them; 0: one group does all. `rounds` is a group's own.
  std::uint32_t run = 0;

  [[nodiscard]] bool has_twiddles() const { return groups > 1 && radix > 1 && !coprime; }
};

// A pass as a group of a cluster of so many sees it in its own local memory: one of a shorter line. There its
// butterflies are counted without the others' runs, and its elements without those that others hold.
[[nodiscard]] Pass within_group(Pass pass, std::uint32_t groups);

// A convolution on chip (plan/recipe/convolution.hpp): where its tables begin.
struct ConvolutionLayout {
  // In the constants, in the order in which the passes leave the frequencies. Where both ways are turns of a loop,
  // behind it as many factors for the way back: Bluestein's chirp, conjugate, then zeros, or Rader's ones.
  std::uint32_t spectrum = 0;
  std::uint32_t chirp = 0;  // Bluestein's, in the constants
  // Rader's, in the indices: the element of each position. Where loads are in the order of the line, the position of
  // each element but 0 instead; where stores are, one less.
  std::uint32_t load_order = 0;
  std::uint32_t store_order = 0;
};

// A stage twiddle by tables with an entry for each index of its loop, which neighbouring items read as neighbours: of
// the first output of each butterfly of the last pass, then of some steps from there. Of j steps the root is the
// product of that for j / few * few and that for j % few.
struct LineRoots {
  static constexpr std::uint32_t few = 4;
  std::uint32_t first = 0;  // where they begin in the constants
  std::uint32_t steps = 0;  // of 1, 2, 3, then of 4, 8, 12, ...
  std::uint32_t count = 0;  // of the loop
};

struct StageLayout {
  std::vector<Pass> passes;        // at least one; a copy has one of radix 1; a convolution's there and back
  std::size_t turn = 0;            // the first pass back, which finds its elements where the last one there left them
  std::size_t rows = 0;            // of a cluster: the first pass whose elements come from all groups; 0: no cluster
  std::uint32_t held = 1;          // complex elements that a work-item holds
  bool one_run = false;            // what passes through local memory is one run of memory
  bool transforms_inside = false;  // local memory keeps neighbouring transforms next to each other, not elements
  std::uint32_t pitch = 0;         // otherwise: slots from one transform to the next
  std::uint32_t slots = 0;         // of local memory that the exchange uses, scalars or complex as the shape says
  RootTables roots;                // of the stage twiddle
  std::optional<LineRoots> line_roots;  // likewise, instead of these
  std::uint32_t direct = 0;             // where all roots of a sum by the definition begin
  std::uint32_t line = 1;               // elements of such a sum
  FactorLayout load_factor;
  FactorLayout store_factor;
  std::optional<ConvolutionLayout> convolution;
  std::optional<MapLayout> load_map;
  std::optional<MapLayout> store_map;
  Tables tables;             // constants never empty
  bool wide_index = false;   // offsets or the number of transforms need 64 bits
  bool idle_return = false;  // work-items beyond the last transform end before they load anything

  // Of a convolution's last pass there and its first one back.
  [[nodiscard]] plan::KernelShape::Lanes middle_lanes() const { return passes[turn - 1].lanes; }
};

// Divides the passes of a line among the groups that share it, if several do. Throws Unsupported where the stage or its
// shape does not allow that.
void share_passes(const plan::Stage& stage, StageLayout& layout);

// Adds the tables of constants and indices, and where each begins; `line`: points of a sum by the definition.
void add_tables(const plan::Stage& stage, std::uint64_t line, StageLayout& layout);

// Throws Unsupported for convolutions and banks whose shape no kernel has: exchanges in rounds, lines in local memory
// and, for banks, several segments in a group, or work-items that are idle between the two ways.
[[nodiscard]] StageLayout lay_out(const plan::Stage& stage, std::uint64_t line);

// Makes the layout's twiddle one by LineRoots, where it is of outputs of one butterfly an item; else leaves it.
void add_line_roots(const plan::Stage& stage, StageLayout& layout);

// Whether the stage's points are in an order of their own: tables say which element each is.
[[nodiscard]] bool is_by_rader(const plan::Stage& stage);

// Whether the stage is but a map that makes the spectra of two lines: its kernel makes an element of both at a time.
[[nodiscard]] bool makes_spectra(const plan::Stage& stage);

// A stage as its kernel carries it out, which does the same: neighbouring reals taken as complex numbers are read and
// written as such where they are aligned to them; and a stage without a transform copies single elements, its loop over
// the elements of a line being `element_loop`, unless it moves blocks.
struct Prepared {
  plan::Stage stage;
  std::optional<std::size_t> element_loop{};
  std::uint64_t line = 1;  // points of the stage before that
};
// Throws Unsupported for arithmetic that devices do not have.
[[nodiscard]] Prepared prepare(plan::Stage stage);

}  // namespace twiddle::kernel
