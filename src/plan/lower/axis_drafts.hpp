// What the drafts of all algorithms of an axis have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/lower/draft.hpp"
#include "plan/lower/emit.hpp"
#include "plan/lower/leaves.hpp"

namespace twiddle::plan {

inline std::int64_t as_weight(std::uint64_t n) { return static_cast<std::int64_t>(n); }

// A digit of the position along the dimension: a loop whose turns lie apart by these weights.
struct Digit {
  std::uint64_t count;
  std::int64_t input_weight;
  std::int64_t output_weight;
};

class AxisDrafts {
 public:
  explicit AxisDrafts(const AxisTask& task)
      : task_(task),
        points_(task.rule.points),
        direction_(task.rule.direction),
        prefix_(task.name),
        extents_(task.source.extents) {
    if (task.paired) extents_[*task.paired] = (extents_[*task.paired] + 1) / 2;
  }

 protected:
  // The part as a stage, without positions.
  [[nodiscard]] Draft draft(Leaf leaf, Direction direction) const;
  // The loops over the other dimensions, which no stage of an axis changes.
  void add_other_dimensions(Draft& draft) const;
  void add_digit(Draft& draft, const Digit& digit) const;
  // That of a side of which `count` elements of the axis exist.
  [[nodiscard]] Bound bound(const Draft& draft, std::uint64_t count, std::int64_t DraftLoop::*weight) const;
  // That of the data of an even or odd line, of which memory holds `count` elements: it begins with element 0 of an
  // even line, and with element 1 of an odd one.
  [[nodiscard]] Bound symmetric_bound(const Draft& draft, std::uint64_t count, std::int64_t DraftLoop::*weight) const;
  // Of columns of reals, whose twiddle is known, the lower half of what they become is stored: as it is, or the mean of
  // both halves (AxisTask::means).
  void keep_lower_half(Draft& columns) const;
  // The data with so many complex elements along the axis.
  [[nodiscard]] Frame complex_frame(std::uint64_t length) const;

  const AxisTask& task_;
  std::uint64_t points_;  // of the transform at hand: inside Bluestein's, the padded one
  Direction direction_;
  std::string prefix_;
  std::vector<std::uint64_t> extents_;  // of the lines that are transformed: pairs count once
};

}  // namespace twiddle::plan
