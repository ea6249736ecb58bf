// By which radices a short line is computed on packed numbers.
#pragma once

#include <cstddef>
#include <optional>

namespace twiddle::backend::host {

struct PackedRadices {
  unsigned first = 0;  // 0: the line is a butterfly
  unsigned last = 0;
};

// Whether both passes are one call on vectors of so many numbers (PackedKind::both and both_narrow).
[[nodiscard]] bool are_one_call(PackedRadices radices, std::size_t numbers);

// The cheapest for vectors of `numbers`, of so many bytes together, if there are any; `passes`: that take two;
// `mapped`: between pairs of reals and their spectrum.
[[nodiscard]] std::optional<PackedRadices> packed_radices(std::size_t length, std::size_t numbers,
                                                          std::size_t vector_bytes, bool passes, bool mapped);

}  // namespace twiddle::backend::host
