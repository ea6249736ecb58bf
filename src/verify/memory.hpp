// The elements of a view, one by one: reads them, writes them, and knows which bytes belong to none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plan/lower/view.hpp"
#include "verify/long_fourier.hpp"

namespace twiddle::verify {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

// Calls visit(index, position) for every element of the view in row-major order: `index` is the element's in an array
// of shape `full`, row-major, of which the view's extents are the first; `position` its place in memory, in elements.
template <class Visit>
void for_each_element(const plan::View& view, const std::vector<std::uint64_t>& full, Visit visit) {
  std::vector<std::uint64_t> at(view.extents.size());
  for (;;) {
    std::uint64_t index = 0;
    std::int64_t position = view.offset;
    for (std::size_t d = 0; d < at.size(); ++d) {
      index = index * full[d] + at[d];
      position += static_cast<std::int64_t>(at[d]) * view.strides[d];
    }
    visit(static_cast<std::size_t>(index), position);
    std::size_t d = at.size();
    while (d > 0 && ++at[d - 1] == view.extents[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

[[nodiscard]] Value load(ConstBytes memory, const plan::Storage& storage, std::int64_t position);
// Rounds to the precision of the storage; where it is real, the imaginary part is dropped.
void store(Bytes memory, const plan::Storage& storage, std::int64_t position, const Value& value);

// The array that the view shows, in its full shape, with zeros for what is not stored.
[[nodiscard]] std::vector<Value> load_array(ConstBytes memory, const plan::View& view,
                                            const std::vector<std::uint64_t>& full);

// For every scalar of a memory of so many bytes, whether it belongs to an element of the view.
[[nodiscard]] std::vector<bool> scalars_of(const plan::View& view, std::size_t memory_bytes);

// Whether two memories of scalars hold the same, bit by bit; bytes that only pad a scalar do not count. Looks only at
// scalars for which `counts` is true.
[[nodiscard]] bool same_bits(ConstBytes a, ConstBytes b, Precision precision, const std::vector<bool>& counts);

}  // namespace twiddle::verify
