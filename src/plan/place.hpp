// Decides in which buffer each stage of a program reads and writes.
#pragma once

#include <vector>

#include "plan/stage.hpp"

namespace twiddle::plan {

// A stage whose buffers are still open.
struct Draft {
  enum class Padded { no, entering, inside, leaving };  // Bluestein works in a larger layout, in scratch memory
  Stage stage;
  Padded padded = Padded::no;
};

// True where a transform writes other positions than it reads, so that source and destination must differ.
[[nodiscard]] bool moves_elements(const Stage& stage);

// The drafts with buffers, copies added only where nothing else is possible: starts from `input`, ends in `output`,
// never writes `input` out of place, no moving stage within one buffer, as little use of scratch as possible.
// `elements`: of the data; a copy moves that many.
[[nodiscard]] std::vector<Stage> place(const std::vector<Draft>& drafts, Placement placement, std::uint64_t elements);

}  // namespace twiddle::plan
