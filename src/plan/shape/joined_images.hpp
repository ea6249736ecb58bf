// Both stages of images, or of two dimensions of volumes, in one launch: groups draw tickets as those of joined lines
// do (joined.hpp), and an image stays where its first stage leaves it, in the cache that all of a device shares if not
// too much is on its way. Scratch memory holds counters and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"
#include "plan/shape/joined.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

struct ImageChoice {
  JoinedPart first;
  JoinedPart second;                // of as many work-items in a group
  std::uint32_t registers = 0;      // as KernelShape's
  std::uint32_t groups_a_unit = 0;  // that each compute unit has room for
  std::uint32_t ahead = 0;          // KiB of what the first stage writes before the second begins, an image at least
};

// The program with its stages `first` and `first` + 1 as one launch, whatever was measured. Both are transforms along
// one dimension each of the same images, which nothing is folded into but the scale and the maps between reals and
// their spectrum, and the second one writes where it reads; within one memory so does the first one. Nothing where they
// are not, or no group of the device holds its part.
[[nodiscard]] std::optional<Program> with_joined_images(Program program, Placement placement, std::size_t first,
                                                        const ImageChoice& choice, const DeviceLimits& limits);

// The same of the stages of images, or the first two of volumes, where that was measured to be faster on devices like
// this one (measured_device.hpp). Else as it was.
[[nodiscard]] Program with_measured_images(Program program, Placement placement, const DeviceLimits& limits);

// Of the two stages, what one image has of them: their only loop is that over the lines of an image, which begins at
// the distance that the others say.
struct ImageStages {
  Stage first;
  Stage second;
  std::vector<Loop> outer{};         // of the first stage over the images
  std::vector<Loop> second_outer{};  // likewise
};
[[nodiscard]] ImageStages image_stages(const Program& program);

}  // namespace twiddle::plan
