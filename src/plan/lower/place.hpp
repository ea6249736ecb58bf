// Decides in which memory each stage of a program reads and writes, and so where its elements lie.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "plan/lower/draft.hpp"
#include "plan/lower/view.hpp"

namespace twiddle::plan {

struct PlaceRules {
  Sides sides;  // what the first stage reads and the last one writes
  Placement placement = Placement::out_of_place;
  bool overwrite_input = false;              // out of place, the input's memory may be used for anything
  Precision precision = Precision::float32;  // of arithmetic and of working memory
  bool planar = false;                       // complex numbers in working memory
  std::shared_ptr<const Hook> load_hook{};   // of the stages that read the input, and that write the output
  std::shared_ptr<const Hook> store_hook{};
  bool all_apart = false;  // working memory has floats only where a half of each is in place of halves (Spot::apart)
  // What is in place of halves lies there without gaps, in one layout for all frames, and not in the user's.
  bool packed_parts = false;
  // Beside copies that leave halves halves, hooks may be called by the stages that compute (moved_hook.hpp).
  bool hooks_beside_copies = true;
};

// Drafts between two frames: a single one; or those of an axis for a slice of its lines, which are carried out for one
// slice after the other.
struct DraftGroup {
  struct Slices {
    std::size_t dimension = 0;  // across which the lines are cut
    std::uint64_t lines = 1;    // of a slice
    std::uint64_t places = 1;   // slices that are carried out at once
    // What all slices read or write may be in scratch memory as well, and they are behind it, one at a time.
    bool beside_all = false;
    // What is between drafts is where the slice is read and written, which are one memory.
    bool in_place = false;
    // What is stored over the slice in pieces a multiple of 512 and at most so many bytes apart finds it in the caches;
    // whatever is stored does, if all_pieces.
    static constexpr std::uint64_t all_pieces = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t close_pieces = 0;
    std::vector<Draft> rest{};  // likewise, for the lines that are left over
  };
  std::vector<Draft> drafts;
  Frame source;  // of all lines
  Frame destination;
  std::optional<Slices> slices{};
  // Unless empty, drafts that are carried out instead, one list after the other: each reads what all of them may, and
  // writes a part of the destination, which is in another memory.
  std::vector<std::vector<Draft>> repeats{};
};
[[nodiscard]] DraftGroup group_of(Draft draft);

struct Placed {
  Program program;
  // For each group the bytes of scratch memory up to the end of what it leaves there.
  std::vector<std::uint64_t> scratch_after{};
};

// The groups, of which there is at least one, as stages with strides, storages and operands; copies are added where
// nothing else is possible. Working memory is found in this order of preference: the output as it is to be; the
// output's memory used otherwise, where the output fills it; scratch; a copy through scratch; a second piece of
// scratch. The input is never written out of place unless it may be overwritten; a stage works within one memory only
// where each of its transforms keeps to elements of its own. Slices are kept in scratch memory, and so is what stands
// between drafts that are repeated, behind what these read or leave there; the slices' group works within one memory
// only where each slice keeps to bytes of its own; what all of them read or write is elsewhere, unless they may be
// beside it. Nothing where no path leads to the output, which is for slices and repeats alone.
[[nodiscard]] std::optional<Placed> place(const std::vector<DraftGroup>& groups, const PlaceRules& rules);

}  // namespace twiddle::plan
