// The steps of a placed program, and what its ends have that stages between do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/lower/place.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::plan {

// Stages that are carried out in order, for each of so many slices.
struct Part {
  std::vector<Stage> stages;
  std::uint64_t turns = 1;
  std::uint64_t places = 1;  // slices at once, of so many bytes each
  std::uint64_t slice_bytes = 0;
  std::uint64_t slices_begin = 0;
  std::size_t reading = 1;  // so many of the stages read what the group reads, and write what it leaves
  std::size_t writing = 1;
};
using Steps = std::vector<std::vector<Part>>;  // the last one first

// Marks the stages that write what the program ends with, and binds hooks to those that read the user's elements, or
// write them: where the outermost step only moves halves, to those of the step beside it (moved_hook.hpp). False where
// that can't be.
[[nodiscard]] bool mark_ends(Steps& steps, const PlaceRules& rules);

}  // namespace twiddle::plan
