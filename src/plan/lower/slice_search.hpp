// Axes cut into slices of their lines: the groups that place() gets for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/place.hpp"
#include "plan/lower/slice.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Of the larger of both sides, as scratch memory counts.
[[nodiscard]] std::uint64_t data_bytes(const Sides& sides);

struct SliceSize {
  std::uint64_t lines = 1;
  std::uint64_t places = 1;  // slices at once
};

// What else is in scratch memory.
enum class Where { alone, beside_all };

// How large slices are.
enum class Cut {
  few,             // as few as will do: each costs several launches, or tables of its own
  for_each_thread  // small enough for the cache of a thread, which has slices of its own
};

// How `all` lines that together need `bytes` between their stages are cut so that those at work at the same time need
// no more than `most`; pairs stay together. Nothing where there would be no slices.
[[nodiscard]] std::optional<SliceSize> slice_size(std::uint64_t all, std::uint64_t bytes, std::uint64_t most,
                                                  bool paired, Cut cut, const DeviceLimits& limits);

// The dimensions across which an axis may be cut, those of batches first.
[[nodiscard]] std::vector<std::size_t> dimensions_of_lines(const AxisTask& task);

// How much more a slice may need than its share of what all lines need: what is rounded up may be a little more, and
// two arrays take turns where the output is one of them else.
struct Guess {
  std::uint64_t spare_lines = 0;
  std::uint64_t arrays = 1;
  Where where = Where::alone;
};

// So many axes from one on.
struct AxisRun {
  std::size_t first = 0;
  std::size_t count = 0;
};

// What slices are made of.
struct SliceSearch {
  const std::vector<DraftGroup>& groups;
  const std::vector<AxisGroups>& axes;
  std::vector<std::uint64_t> scratch_after;  // behind each group, where nothing is sliced
  Precision precision = Precision::float32;  // of scratch memory
  std::uint64_t most = 0;
  const DeviceLimits& limits;
  bool hooked = false;
  std::uint64_t kept = 0;  // beside slices there is so much at least
  bool apart = false;      // numbers between axes may stand in place of halves (Spot::apart)

  // Hooks see where an element is, so that on the host each slice has tables of its own.
  [[nodiscard]] Cut cut() const;

  // Scratch memory between the stages of an axis.
  [[nodiscard]] std::uint64_t scratch_within(const AxisGroups& axis) const;

  // The largest array between so many groups from one on, without gaps.
  [[nodiscard]] std::uint64_t largest_array(std::size_t first, std::size_t count) const;

  // Scratch memory that the largest array between axes takes.
  [[nodiscard]] std::uint64_t kept_between_axes() const;

  // Every axis that needs more than `most`, or anything beside what all slices have, in slices across that one of its
  // dimensions.
  [[nodiscard]] std::vector<DraftGroup> sliced(std::size_t choice, const Guess& guess) const;

  // Axes that follow each other as one group, in slices across a dimension, and the other groups as they are; nothing
  // where one of these axes is transformed, or its lines are paired, along that dimension.
  [[nodiscard]] std::optional<std::vector<DraftGroup>> sliced_together(const AxisRun& run, std::size_t dimension,
                                                                       const SliceSize& size) const;
};

}  // namespace twiddle::plan
