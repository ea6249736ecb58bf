// Decides in which memory each stage of a program reads and writes, and so where its elements lie.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/draft.hpp"
#include "plan/view.hpp"

namespace twiddle::plan {

struct PlaceRules {
  Sides sides;                   // what the first stage reads and the last one writes
  Placement placement = Placement::out_of_place;
  bool overwrite_input = false;  // out of place, the input's memory may be used for anything
  Precision precision = Precision::float32;  // of arithmetic and of working memory
  bool planar = false;                       // complex numbers in working memory
};

// The drafts, of which there is at least one, as stages with strides, storages and operands; copies are added where
// nothing else is possible. Working memory is found in this order of preference: the output as it is to be; the output's
// memory used otherwise, where the output fills it; scratch; a copy through scratch; a second piece of scratch. The input
// is never written out of place unless it may be overwritten; a stage works within one memory only where each of its
// transforms keeps to elements of its own.
[[nodiscard]] Program place(std::vector<Draft> drafts, const PlaceRules& rules);

// True where the transforms of a stage whose source and destination are the same memory do not disturb each other. The
// views say which elements there are.
[[nodiscard]] bool works_in_place(const Stage& stage, const View& read, const View& written);

}  // namespace twiddle::plan
