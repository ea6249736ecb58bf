// By which radices a short line is computed on packed numbers.
#pragma once

#include <cstddef>
#include <optional>

namespace twiddle::backend::host {

struct PackedRadices {
  unsigned first = 0;  // 0: the line is a butterfly
  unsigned last = 0;
};

// Rows between two passes are whole vectors, as many as whole vectors of columns, and no more bytes: 50 x 40 doubles
// are 52 x 40, by AVX-512.
inline constexpr std::size_t most_packed_row_bytes = 36864;
[[nodiscard]] bool have_room(PackedRadices radices, std::size_t numbers, std::size_t scalar_bytes);

// Whether both passes are one call on vectors of so many numbers (PackedKind::both and both_narrow).
[[nodiscard]] bool are_one_call(PackedRadices radices, std::size_t numbers);

struct PackedLineShape {
  std::size_t length = 1;        // complex numbers
  std::size_t numbers = 1;       // of a vector
  std::size_t vector_bytes = 0;  // which these take
  bool passes = false;           // there are such that take two
  bool mapped = false;           // between pairs of reals and their spectrum
  bool fetched = false;          // beside what comes later, from memory
  bool streamed = false;         // past the cache, from registers where rows of results are whole vectors
};

// The cheapest, if there are any.
[[nodiscard]] std::optional<PackedRadices> packed_radices(const PackedLineShape& line);

}  // namespace twiddle::backend::host
