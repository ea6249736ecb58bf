// Into which columns and rows the host divides a long line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "plan/choice/measured_choices.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Beyond a second-level cache of this size the last one is that of a large mesh, from which a core reads slowly: there
// two stages are faster for some lines that one would hold. Measured on a Xeon (2 MiB, 300 MiB shared), 10 to 14
// processes at once; not so with 1 and 1.25 MiB (EPYC, Ice Lake).
inline constexpr std::uint64_t large_second_cache = std::uint64_t{2} << 20;

// Rows are transformed before the columns (AxisTask::rows_first) while the data is no larger than so many cores' own
// caches, so that it stays in the last one: that touches less memory, the other order reads it as it stands.
inline constexpr std::uint64_t host_rows_first_cores = 8;

// Whether so many complex lines, or of pairs of reals, are more than that.
[[nodiscard]] bool host_from_memory(std::size_t length, std::uint64_t lines, const DeviceLimits& limits);

// Whether the rows of a line of pairs of reals, transformed behind its columns, can make the reals' spectrum as well:
// in twos that mirror each other, and of whole cache lines, as what the columns leave goes past the caches (640 x 625
// doubles, which end within one, take 1.25 times as long as 625 x 640 with rows first, 500 x 800 take 0.79).
[[nodiscard]] bool host_maps_rows_last(std::size_t columns, std::size_t rows, Precision arithmetic);

// Whether a line is one stage, if threads share none of it: where the second-level cache holds it with its scratch.
// With vectors computed in halves also lines, but columns, that fill up to four such caches, whose passes go through
// the last one: complex doubles of 40000 to 131072 points take 0.70 to 0.86 of the time of two stages on an EPYC of Zen
// 4 (two cores, 1 MiB each and 32 MiB), floats of 80000 to 262144 0.54 to 0.86 (in batches beyond the last cache
// to 1.03), reals, twice as many, 0.57 to 0.97; of 262144 doubles 0.89 to 1.23, longer ones 1.5 to 2.1.
[[nodiscard]] bool host_keeps_whole(std::size_t length, LineUse use, const DeviceLimits& limits);

// Columns and rows (columns * rows == length) where the line is not kept whole, or would leave threads idle; else
// nothing. Those whose passes the model prices least, caches considered; as near to each other as the factors allow
// where none are held, of lines of reals from memory, and of columns.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> host_split(std::size_t length, LineUse use,
                                                                            std::uint64_t lines,
                                                                            const DeviceLimits& limits);

// The same whether or not a line is kept whole.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> host_division(std::size_t length, LineUse use,
                                                                               std::uint64_t lines,
                                                                               const DeviceLimits& limits);

// The same for lines that the host holds and yet transforms faster in two stages: where their planes leave too little
// of a large second-level cache. For complex lines and those of reals to or from half of their spectrum alone.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> host_faster_split(std::size_t length, LineUse use,
                                                                                   std::uint64_t lines,
                                                                                   const DeviceLimits& limits);

// Bytes of a line, as complex numbers, up to which the map between reals and their spectrum is a step of its own.
inline constexpr std::size_t host_longest_map_apart = 16384;

// Whether such a line ends with its map as part of the last pass, where vectors are computed in halves: while a core's
// cache holds it (row_worker.cpp).
[[nodiscard]] constexpr bool host_halves_map_last(std::size_t line_bytes, std::size_t core_cache) {
  return line_bytes > host_longest_map_apart && line_bytes <= core_cache;
}

}  // namespace twiddle::plan
