// Hooks beside stages that only move halves: these would round what a hook makes, or is to see, so that the stage which
// computes with the elements calls it instead.
#pragma once

#include <memory>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::plan {

// Whether all of these only move elements as they are, or their conjugates or negatives.
[[nodiscard]] bool only_move(const std::vector<Stage>& stages);

// What one stage calls for elements that it reads where `copies` left them (`loads`), or writes where these find them:
// `hook`, with the element's index in the user's memory, which the copies read, or write. Elements that no copy moves
// are left as they are. `real`: the user's elements are reals, and positions on either side count these. Nothing where
// positions do not tell which element is meant, or not what the user's memory would hold of it.
[[nodiscard]] std::shared_ptr<const Hook> hook_beside_copies(const std::shared_ptr<const Hook>& hook,
                                                             const std::vector<Stage>& copies, bool loads, bool real);

}  // namespace twiddle::plan
