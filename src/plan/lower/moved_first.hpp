// Programs that move elements before anything else is done to them, so that all stages keep to their places: those of
// halves, whose floats have room in place of them and as much scratch memory (Spot::apart), but not twice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/leaves.hpp"
#include "plan/lower/place.hpp"
#include "plan/lower/slice.hpp"

namespace twiddle::plan {

// What moves elements.
enum class Mover {
  copy,        // a stage of its own, which halves remain halves in
  first_stage  // that which computes first
};

// The groups, of which complex lines in several stages are decimated in time: their elements are put in the order of
// reversed digits before, along all such axes at once; by a copy in blocks of so many neighbours. Nothing where there
// is no such line, or where one in several stages has a map beside it, or is pruned, in pairs or by Bluestein's
// algorithm through memory.
[[nodiscard]] std::optional<std::vector<DraftGroup>> with_elements_moved_first(const std::vector<DraftGroup>& groups,
                                                                               const std::vector<AxisGroups>& axes,
                                                                               Mover mover, std::uint64_t block);

// Whether the axis is one of complex lines as they are on both sides, all of which is there and wanted.
[[nodiscard]] bool has_plain_lines(const AxisTask& task);

// The stages of decimation in frequency the other way round: from reversed digits to results in order.
[[nodiscard]] std::vector<Draft> decimated_in_time(AxisTask task, const LineRecipe& line);

// Reads the lines of another dimension than the draft's own, or those that it moves, in order, and leaves them by
// reversed digits; what is beside the draft as well.
void reverse_digits(Draft& draft, std::size_t dimension, const std::vector<ReversedDigit>& digits);

// The same the other way round.
void put_in_order(Draft& draft, std::size_t dimension, const std::vector<ReversedDigit>& digits);

// Of the first of these, which transforms the last digit's elements, and whose first loops are the other digits': reads
// its dimension in order.
void reverse_own_digits(Draft& draft, const std::vector<ReversedDigit>& digits);

// Of a copy that moves elements: neighbours that are read together, and are none any more when they are written, go in
// blocks of so many.
void move_neighbours_in_blocks(Draft& copy, std::uint64_t block);

}  // namespace twiddle::plan
