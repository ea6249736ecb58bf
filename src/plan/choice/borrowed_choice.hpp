// Choices for lines that were not tuned, from the nearest ones that were.
#pragma once

#include <optional>

#include "plan/choice/choice_table.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

inline constexpr double borrowing_agreement = 1.02;  // how much worse the model may think of what is borrowed

// What was found for lines of half or twice the length, of the same use and precision, for this length: one of its
// radices doubled or halved, as many elements for each work-item, and groups of rows as large or tiles of columns as
// wide as before. Such lengths have the same prime factors but for one 2, so that the same radices serve them and
// registers and local memory are as full.
//
// The model has to agree: beside its own choice for this length, the borrowed one may look at most 2 % worse than the
// tuned one does beside the model's choice for its length. Where the tuned one was better than the model knew, so is
// its neighbour; where the other length makes another shape fit better, the model sees that, and nothing is borrowed.
// Divisions of long lines are not borrowed, and nothing is from lines that borrowed themselves.
[[nodiscard]] std::optional<LineChoice> borrowed_choice(const LineKey& key, const DeviceLimits& limits);

}  // namespace twiddle::plan
