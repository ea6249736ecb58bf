// One side of a transform in memory: which elements there are and where, with defaults filled in.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// The batch is the first dimension. Strides and the offset count elements, as Storage says.
struct View {
  Storage storage;
  std::vector<std::uint64_t> extents;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
  bool operator==(const View&) const = default;
};

struct Sides {
  View read;
  View written;
};

// What a transform reads and writes. Throws InvalidArgument where elements lie before the start of the memory, where
// written elements overlap each other, or where they could not be addressed.
[[nodiscard]] Sides sides_of(const Transform& transform, Direction direction, Placement placement);

// Extents of the two sides where nothing is pruned, batch first: differ on the last transformed axis of r2c.
[[nodiscard]] std::vector<std::uint64_t> full_extents(const Transform& transform, bool frequencies);

// Row-major without gaps.
[[nodiscard]] View packed_view(const Storage& storage, std::vector<std::uint64_t> extents);

[[nodiscard]] std::uint64_t element_count(const View& view);
// Bytes of one element: of a complex number where interleaved, of a scalar otherwise.
[[nodiscard]] std::uint64_t element_bytes(const Storage& storage);
// Bytes from the start of the memory to the end of the last element.
[[nodiscard]] std::uint64_t memory_bytes(const View& view);
// Whether several elements share a place, or their imaginary parts do (or might, where that is too long to find out).
[[nodiscard]] bool overlaps(const View& view);
// Whether the elements fill the memory from its start without gaps.
[[nodiscard]] bool fills_memory(const View& view);

}  // namespace twiddle::plan
