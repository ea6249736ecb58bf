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

// Columns and rows (columns * rows == length) where the host does not hold the line, or would leave threads idle; else
// nothing. Those whose passes the model prices least, caches considered; as near to each other as the factors allow
// where none are held, of lines of reals from memory, and of columns.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> host_split(std::size_t length, LineUse use,
                                                                            std::uint64_t lines,
                                                                            const DeviceLimits& limits);

// The same for lines that the host holds and yet transforms faster in two stages: where their planes leave too little
// of a large second-level cache. For complex lines and those of reals to or from half of their spectrum alone.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> host_faster_split(std::size_t length, LineUse use,
                                                                                   std::uint64_t lines,
                                                                                   const DeviceLimits& limits);

}  // namespace twiddle::plan
