// How long such lines may be, and which of many are better off alone, as measured.
#include "backend/host/packed_line_choice.hpp"

#include <algorithm>

#include "backend/host/packed_passes.hpp"
#include "backend/host/packed_rows.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_loops.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/host_vectors.hpp"

namespace twiddle::backend::host {
namespace {

using plan::largest_packed_radix;

// Of a line beside whose rows and results there is room in the first-level cache; for what comes next, too; with a
// large second-level cache to read from and others to write, where lines of 8192 bytes take 1.06 to 1.26 times as long
// (a Xeon with 2 MiB; 0.86 to 0.92 on an EPYC of Zen 5), of 16384 1.31. In the caches or in place longer ones are
// better off so with such a cache: complex doubles of 630 to 1024 points take 0.68 to 1.10 of the time (mean 0.87) on a
// Xeon with 2 MiB, of 1080 to 2048 0.74 to 0.95, floats of 1250 to 4096 0.73 to 1.01.
constexpr std::size_t longest_bytes = 10000;
constexpr std::size_t longest_bytes_prefetched = 8192;
constexpr std::size_t longest_bytes_with_more = 8000;
constexpr std::size_t longest_bytes_in_large_core_cache = 32768;
// Of reals, beside whose passes the map is: 2000 to 2400 floats and 1024 to 1200 doubles take 0.77 to 1.19 (mean 0.93)
// of the time on a Xeon with 2 MiB, 2500 to 4096 floats back 1.0 to 1.2.
constexpr std::size_t longest_real_bytes = 9600;
// AVX2 has 16 registers, of which numbers apart take two each: passes on these take so much longer that packed lines
// are better off even where the first-level cache does not hold all of them. Complex doubles of 640 to 960 points take
// 0.63 to 1.01 of the time on an EPYC of Zen 3 (a Xeon 0.65 to 0.99), but 1024 points 1.04; on one of Zen 4 of 1000 to
// 2000 points 0.80 to 0.98, 2048 1.17; reals of 1080 to 1800 points 0.70 to 0.94 (0.82 to 1.24), of 1920 1.3. From
// memory longer ones than elsewhere lose: complex doubles of 720 to 2000 points 1.1 to 1.5, floats of 1600 and 1920
// 1.4 and 1.5, reals of 1500 to 1800 doubles and 3000 to 3600 floats 1.04 to 1.3.
constexpr std::size_t bytes_of_narrow_vectors = 32;
constexpr std::size_t longest_bytes_in_narrow = 15360;
constexpr std::size_t longest_doubles_in_narrow = 32000;
constexpr std::size_t longest_real_bytes_in_narrow = 14400;
// Where whole vectors are computed in halves, passes on these take longer as well. On an EPYC of Zen 4 complex doubles
// of 630 to 1600 points take 0.57 to 1.06 of the time (mean 0.87), from memory to 600 points 0.82 to 1.16 (0.95);
// floats of 1280 to 1600 0.77 to 1.08 (0.86), from memory of 1040 to 1400 0.75 to 1.04 (0.88); reals of 1260 to 1920
// doubles 0.67 to 1.37 (0.95).
constexpr std::size_t longest_doubles_by_halves = 25600;
constexpr std::size_t longest_floats_by_halves = 12800;
constexpr std::size_t longest_floats_by_halves_prefetched = 11200;
constexpr std::size_t longest_real_doubles_by_halves = 15360;

// Complex numbers of lines that are better off alone than side by side, as measured from 8 to 1000 lines.
constexpr std::size_t shortest_of_many = 36;
constexpr std::size_t longest_row_of_doubles = 32;  // from memory: 0.91 of the time on an EPYC of Zen 4, in place 0.68
constexpr std::size_t shortest_reals_of_many = 128;
// From memory, where side by side a core waits for a vector of lines at a time: 50 to 125 pairs of doubles take 0.55 to
// 0.80 of the time on an EPYC of Zen 4, of floats 0.85 to 1.0 (50: 1.08).
constexpr std::size_t shortest_doubles_from_memory = 48;
constexpr std::size_t shortest_floats_from_memory = 54;
constexpr std::size_t shortest_floats_over_memory = 72;  // reals that their spectrum is stored over; doubles always
// Whether many lines, of so many complex numbers each, are better off alone than side by side. Reals have the map as a
// step of its own then: where the passes are one call it pays from a few vectors on, and in the registers of one
// butterfly in doubles; else unless side by side a vector's lanes would go unused.
template <class T>
bool alone_among_many(std::size_t length, PackedRadices radices, std::uint64_t lines, std::uint64_t lanes, bool complex,
                      bool from_memory) {
  const std::size_t numbers = lanes / 2;
  const bool ragged = 4 * ((lines + lanes - 1) / lanes * lanes) >= 5 * lines;
  if (!complex && are_one_call(radices, numbers)) return ragged || length >= 4 * numbers;
  if (!complex && radices.first == 0) return sizeof(T) > sizeof(float);
  if (complex || ragged) return length >= shortest_of_many;
  if (!from_memory) return length >= shortest_reals_of_many;
  return length >= (sizeof(T) > sizeof(float) ? shortest_doubles_from_memory : shortest_floats_from_memory);
}

// As fits_caches, where vectors are computed in halves.
template <class T>
bool fits_caches_by_halves(std::size_t bytes, bool complex, bool halved, bool prefetched) {
  constexpr bool doubles = sizeof(T) > sizeof(float);
  if (!complex)
    return bytes <= (doubles && halved && !prefetched ? longest_real_doubles_by_halves : longest_real_bytes);
  if (prefetched) return bytes <= (doubles ? longest_bytes : longest_floats_by_halves_prefetched);
  return bytes <= (doubles ? longest_doubles_by_halves : longest_floats_by_halves);
}

// As fits_caches, in vectors of 32 bytes, but for reals of odd length.
template <class T>
bool fits_caches_in_narrow(std::size_t bytes, bool complex, bool prefetched) {
  if (!complex) return bytes <= (prefetched ? longest_real_bytes : longest_real_bytes_in_narrow);
  if (prefetched) return bytes <= longest_bytes;
  return bytes <= (sizeof(T) > sizeof(float) ? longest_doubles_in_narrow : longest_bytes_in_narrow);
}

// Whether a line of so many bytes is not too long to be computed as whole; `halved`: reals as half as many numbers.
template <class T>
bool fits_caches(std::size_t bytes, bool complex, bool halved, std::size_t vector_bytes, const WorkerOptions& options) {
  const bool narrow = vector_bytes == bytes_of_narrow_vectors;
  if (narrow && (complex || halved)) return fits_caches_in_narrow<T>(bytes, complex, options.prefetched);
  if (options.halved_vectors && !narrow) return fits_caches_by_halves<T>(bytes, complex, halved, options.prefetched);
  if (!complex) return bytes <= longest_real_bytes;
  if (options.over_memory && options.large_core_cache()) return bytes <= longest_bytes_prefetched;
  if (options.in_place) return bytes <= longest_bytes_in_large_core_cache;
  if (options.large_core_cache()) {
    return bytes <= (options.prefetched ? longest_bytes_with_more : longest_bytes_in_large_core_cache);
  }
  return bytes <= (options.prefetched ? longest_bytes_prefetched : longest_bytes);
}

// Long lines of floats that are whole vectors of numbers apart, but not of packed ones: 64 x 28 take 1.11 of the time
// of passes on these, 48 x 50 1.03, 64 x 50 1.22; doubles 0.80 to 1.00.
template <class T>
bool are_better_apart(std::size_t length, PackedRadices radices, std::uint64_t lanes) {
  const bool is_long = 2 * length * sizeof(T) > longest_bytes;
  return is_long && sizeof(T) == sizeof(float) && length % lanes == 0 && radices.last % (lanes / 2) != 0;
}

// Complex floats of AVX-512 that fill half of its vectors as well: few vectors wait for each other's exchanges. 16 to
// 33 numbers take 0.61 to 1.01 of the time in half of them (means of two Xeons 0.82 and 0.78) but for 25 (0.83 and
// 1.32), 35 to 64 0.80 to 1.23 (mean 1.0); doubles of 16 to 33 numbers 0.80 to 1.74.
// Where whole vectors are computed in halves, longer ones whose passes are one call in halves alone take 0.50 to 0.84
// of the time (36 to 108 numbers on an EPYC of Zen 4, but 66 0.95; from memory 0.47 to 0.98), others up to twice of it;
// of reals up to 60 pairs 0.69 to 1.01 (from memory 0.71 to 1.08), 100 pairs 0.73 to 0.93, but 1.19 from memory.
template <class T>
std::optional<PackedLineChoice> in_half_vectors(std::size_t length, PackedRadices whole, bool complex,
                                                const WorkerOptions& options) {
  constexpr std::size_t shortest = 16, longest = 33, slower_in_halves = 25, longest_pairs = 64;
  const std::int64_t narrower = without_widest(options.targets);
  if (sizeof(T) != sizeof(float) || length < shortest || length == slower_in_halves) return std::nullopt;
  if (narrower == 0 || (length > longest && !options.halved_vectors)) return std::nullopt;
  if (!complex && (length <= longest || length > longest_pairs)) return std::nullopt;
  const std::size_t widest = vector_lanes<T>(options.targets), lanes = vector_lanes<T>(narrower);
  if (widest * sizeof(T) != plan::long_vector_bytes || 2 * lanes != widest) return std::nullopt;
  const bool passes = find_packed<T>(PackedKind::first, 2, narrower) != nullptr;
  const auto radices = packed_radices({length, lanes / 2, lanes * sizeof(T), passes, !complex});
  const bool saves_call = radices && are_one_call(*radices, lanes / 2) && !are_one_call(whole, widest / 2);
  if (!radices || (length > longest && !saves_call)) return std::nullopt;
  return PackedLineChoice{*radices, narrower};
}

}  // namespace

template <class T>
std::optional<PackedLineChoice> choose_packed_line(const plan::Stage& stage, const ContiguousLine& line,
                                                   const WorkerOptions& options) {
  if (stage.radices.empty()) return std::nullopt;
  const bool restricted = *std::max_element(stage.radices.begin(), stage.radices.end()) <= 4;
  if (restricted && stage.radices.size() > 2) return std::nullopt;  // as few radices as a strategy allows
  const bool complex = line.kind == ShortRowsKind::complex;
  if (!complex && line.length <= largest_packed_radix) return std::nullopt;  // maps need a vector of them
  const std::uint64_t lines = plan::transform_count(stage);
  // Enough for a tile of packed rows are better off there.
  const std::size_t together = complex ? find_packed_rows<T>(line.length, options.targets).lines : 0;
  const bool long_vectors = vector_lanes<T>(options.targets) * sizeof(T) == plan::long_vector_bytes;
  const bool longest_row = sizeof(T) > sizeof(float) && complex && long_vectors && options.prefetched &&
                           line.length == longest_row_of_doubles;
  const bool tile = together != 0 && lines >= std::max<std::uint64_t>(together, 2);
  if (tile && !longest_row && are_rows(stage, line)) return std::nullopt;
  const bool odd = !complex && line.length % 2 == 1;
  if (odd && are_lone(lines, vector_lanes<T>(options.targets)) &&
      find_short_rows<T>(line.kind, line.length, options.targets).lone != nullptr) {
    return std::nullopt;
  }
  const std::size_t length = complex || odd ? line.length : line.length / 2;
  const std::uint64_t lanes = vector_lanes<T>(options.targets);
  // More lines that fit a tile (short_rows.hpp) are better off in one, even if it is not full; others side by side,
  // where they are short, or so many that fetching them ahead pays.
  const bool tiled = length <= largest_packed_radix && !odd;
  if (lanes < 2) return std::nullopt;
  const bool passes = find_packed<T>(PackedKind::first, 2, options.targets) != nullptr;
  if (!passes && (!complex || find_packed_line<T>(PackedLineKind::complex, 2, options.targets) == nullptr)) {
    return std::nullopt;
  }
  if (!fits_caches<T>(2 * length * sizeof(T), complex, !complex && !odd, lanes * sizeof(T), options))
    return std::nullopt;
  const auto radices = packed_radices({.length = length,
                                       .numbers = lanes / 2,
                                       .vector_bytes = lanes * sizeof(T),
                                       .passes = passes,
                                       .mapped = !complex && !odd,
                                       .fetched = options.prefetched,
                                       .streamed = options.streamed && complex && long_vectors});
  if (!radices || are_better_apart<T>(length, *radices, lanes)) return std::nullopt;
  // Side by side such rows take up to 2.5 times as long; on the way back, or out of place, they do not.
  const bool over_memory = options.over_memory && line.kind == ShortRowsKind::reals &&
                           (sizeof(T) > sizeof(float) || 2 * length >= shortest_floats_over_memory);
  const bool any =
      longest_row ||
      (!odd &&
       (over_memory || (!tiled && alone_among_many<T>(length, *radices, lines, lanes, complex, options.prefetched))));
  if (!any && lines > (tiled ? std::max<std::uint64_t>(lanes / 4, 1) : lanes / 2)) return std::nullopt;
  if (!odd) {
    if (auto halved = in_half_vectors<T>(length, *radices, complex, options)) return halved;
  }
  return PackedLineChoice{*radices, options.targets};
}

template std::optional<PackedLineChoice> choose_packed_line<float>(const plan::Stage&, const ContiguousLine&,
                                                                   const WorkerOptions&);
template std::optional<PackedLineChoice> choose_packed_line<double>(const plan::Stage&, const ContiguousLine&,
                                                                    const WorkerOptions&);
template std::optional<PackedLineChoice> choose_packed_line<long double>(const plan::Stage&, const ContiguousLine&,
                                                                         const WorkerOptions&);

}  // namespace twiddle::backend::host
