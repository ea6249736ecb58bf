// What the passes of a packed line cost.
#include "backend/host/packed_radices.hpp"

#include <algorithm>
#include <array>

#include "backend/host/packed_passes.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/host_vectors.hpp"

namespace twiddle::backend::host {
namespace {

// Vector operations of a packed butterfly, exchanges of parts included; 0: there is none.
constexpr auto operations = [] {
  std::array<unsigned, plan::packed_line_radices.back() + 1> each = {
      0, 0,   2, 7,   8,   18,  20, 36,  33,  52,  46,  82,  55, 101, 86, 97, 89,
      0, 122, 0, 133, 172, 200, 0,  164, 250, 232, 292, 219, 0,  227, 0,  247};
  each[36] = 315;
  each[40] = 320;
  each[48] = 420;
  each[50] = 560;
  each[64] = 650;
  return each;
}();
constexpr std::size_t longest_lone_butterfly = 20;  // that a line alone may be
// What costs as much as so many operations: beginning a pass, both passes as one call, and the map of reals, which
// lines of one butterfly have in registers.
constexpr unsigned begin_operations = 55;
constexpr unsigned call_operations = 20;
constexpr unsigned map_operations = 90;
// A vector of results that is put together with others first, to be stored past the cache.
constexpr unsigned copy_operations = 6;
// Of more rows in one vector of columns, a pass waits for what is fetched meanwhile: in place, from memory, 64 x 8
// floats take 1.22 and 64 x 4 doubles 1.37 of the time of other passes, 4 x 50 out of place 1.16.
constexpr unsigned most_rows_at_once = 32;
// Of so many vectors that are cache lines on, results that lie across these wait: 40 x 20 floats take 0.88 of the time
// of 20 x 40, 40 x 30 doubles 0.69 of that of 30 x 40; shorter lines 0.91 to 1.09 (mean 1.0).
constexpr std::size_t many_vectors = 100;

}  // namespace

bool have_room(PackedRadices radices, std::size_t numbers, std::size_t scalar_bytes) {
  const auto whole = [&](std::size_t count) { return (count + numbers - 1) / numbers * numbers; };
  return 2 * scalar_bytes * whole(radices.first) * whole(radices.last) <= most_packed_row_bytes;
}

bool are_one_call(PackedRadices radices, std::size_t numbers) {
  const bool fits_narrow = radices.first > 2 && radices.first <= largest_beside_narrow;  // 2 x 7 floats take 1.22
  const bool narrow = numbers > 2 && radices.last + 1 == numbers && fits_narrow;
  return radices.first != 0 && (radices.last == numbers || narrow);
}

std::optional<PackedRadices> packed_radices(const PackedLineShape& line) {
  const auto& [length, numbers, vector_bytes, passes, mapped, fetched, streamed] = line;
  std::optional<PackedRadices> best;
  std::size_t least = ~std::size_t{0};
  const auto consider = [&](PackedRadices radices, std::size_t cost) {
    if (cost >= least) return;
    least = cost;
    best = radices;
  };
  if (length <= longest_lone_butterfly && operations[length] != 0) {
    consider({0, static_cast<unsigned>(length)}, operations[length] + 3 * length);
    if (best && mapped) least -= std::min<std::size_t>(least, map_operations);
  }
  for (unsigned first = 2; passes && first < operations.size(); ++first) {
    if (length % first != 0) continue;
    const auto last = static_cast<unsigned>(length / first);
    if (last >= operations.size() || operations[first] == 0 || operations[last] == 0) continue;
    const auto vectors = [&line](std::size_t count) { return (count + line.numbers - 1) / line.numbers; };
    const bool all_at_once =
        (first > most_rows_at_once && vectors(last) == 1) || (last > most_rows_at_once && vectors(first) == 1);
    if (fetched && all_at_once) continue;
    std::size_t transposition = vectors(first) * numbers;
    for (std::size_t side = 1; side < numbers; side *= 2) transposition += vectors(first) * numbers;
    const std::size_t copied = streamed && first % numbers != 0 ? copy_operations * vectors(length) : 0;
    if (are_one_call({first, last}, numbers)) {
      consider({first, last}, copied + call_operations + operations[first] + 4 * first + transposition -
                                  vectors(first) * numbers + vectors(first) * (operations[last] + 3 * last));
      continue;
    }
    const std::size_t stored = vectors(first) * last;
    const bool across =
        vector_bytes == plan::long_vector_bytes && length >= many_vectors * numbers && first % numbers != 0;
    const std::size_t cost = copied + 2 * begin_operations +
                             vectors(last) * (operations[first] + 4 * first + transposition) +
                             vectors(first) * operations[last] + (across ? 4 : 3) * stored;
    consider({first, last}, cost);
  }
  return best;
}

}  // namespace twiddle::backend::host
