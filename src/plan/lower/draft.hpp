// Stages before memory is decided: positions as multiples of dimensions of the data, buffers open.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"

namespace twiddle::plan {

// The array that stands between two stages: how many elements each dimension has (batch first).
struct Frame {
  std::vector<std::uint64_t> extents;
  bool real = false;
  std::vector<std::size_t> order{};  // the dimensions from the outermost to the innermost in memory; empty: as they are
  bool operator==(const Frame&) const = default;
};

// One turn moves the read position by `input_weight` elements along `dimension`, the written one by `output_weight`.
struct DraftLoop {
  std::uint64_t count = 1;
  std::size_t dimension = 0;
  std::int64_t input_weight = 1;
  std::int64_t output_weight = 1;
};

// Where the first transform's first element is along a dimension.
struct DraftBegin {
  std::size_t dimension = 0;
  std::int64_t input = 0;
  std::int64_t output = 0;
};

struct Draft {
  Stage stage;                // without strides, offsets, storages, operands and shape
  std::size_t dimension = 0;  // along which the transforms run
  std::int64_t input_weight = 1;
  std::int64_t output_weight = 1;
  DraftBegin begin{};
  std::vector<DraftLoop> loops;
  Frame source;
  Frame destination;
  bool packed_input = false;  // two neighbouring reals of the source are one complex number; weights count pairs
  bool packed_output = false;
  // Not 0: of reals, one so many places further along the dimension is the imaginary part; weights count reals.
  std::int64_t input_part = 0;
  std::int64_t output_part = 0;
  std::optional<std::size_t> parts_along{};  // instead of the transforms' own dimension
  bool reorders = false;  // each transform leaves its results in places of its elements, in an order of their own
  // Lines along this dimension, half of all apart, are the real and the imaginary parts of what the stage transforms:
  // on the one side there are twice as many as loops say, as reals or as two spectra, or one less.
  std::optional<std::size_t> pairs_in_source{};
  std::optional<std::size_t> pairs_in_destination{};
  std::vector<Draft> beside{};  // other transforms between the same frames, each of elements of its own
};

// The dimension whose lines are paired on one side and leave one over, if there is such a one.
[[nodiscard]] std::optional<std::size_t> leaves_line(const Draft& draft);
// The stage for all pairs but the last one, and for the line that is left over: it begins at the last index of the
// dimension on either side.
[[nodiscard]] Draft without_last_pair(Draft draft);
[[nodiscard]] Draft for_last_line(Draft draft);

// One more loop, on which no position beside memory depends.
void add_loop(Draft& draft, const DraftLoop& loop);

// The one loop along a dimension as several.
void split_loop(Draft& draft, std::size_t dimension, const std::vector<DraftLoop>& loops);

// The bound of a side of which the first `count` elements along a dimension exist: `weight` says which side.
[[nodiscard]] Bound bound_along(const Draft& draft, std::size_t dimension, std::uint64_t count,
                                std::int64_t DraftLoop::*weight);

// Of a draft that only moves elements: so many neighbours of what a loop walks over go together, as one transform's.
void move_in_blocks(Draft& draft, std::size_t loop, std::uint64_t block);

// Every element of the frame moved as it is.
[[nodiscard]] Draft copy_draft(const Frame& frame);

// How many lines a frame has along a dimension.
[[nodiscard]] std::uint64_t lines_along(const Frame& frame, std::size_t dimension);

// The frame with its lines along a dimension as rows: that dimension is the innermost in memory.
[[nodiscard]] Frame rows_along(Frame frame, std::size_t dimension);

// The elements of one frame, all of them, moved to where another one has them: a transposition. `block`: so many
// neighbours of the source, and of the destination, go together; 1: each element goes by itself.
[[nodiscard]] Draft transposition_draft(const Frame& source, const Frame& destination, std::uint64_t block);

// True where a transform writes other positions than it reads.
[[nodiscard]] bool moves_elements(const Draft& draft);

}  // namespace twiddle::plan
