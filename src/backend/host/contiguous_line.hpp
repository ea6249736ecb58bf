// Stages that transform whole lines of adjacent numbers and do nothing else: what the lines are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/short_rows.hpp"
#include "backend/host/spread_lines.hpp"
#include "plan/lower/line_map.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

struct ContiguousLine {
  ShortRowsKind kind = ShortRowsKind::complex;  // complex, reals or reals_back
  std::size_t length = 1;                       // numbers, complex or real
  std::size_t read = 1;                         // scalars of a line in memory
  std::size_t written = 1;
};

// Of a stage in scalars; nothing for others. Where there are several lines, they may lie anywhere.
[[nodiscard]] std::optional<ContiguousLine> contiguous_line(const plan::Stage& stage);

// So many lines of a stage in scalars, of adjacent elements and so far apart in scalars: itself not in scalars.
[[nodiscard]] plan::Stage adjacent_lines(const plan::Stage& stage, std::uint64_t lines, std::int64_t read_apart,
                                         std::int64_t written_apart);

// What the lines of a stage in scalars would be if their numbers were adjacent, wherever these are.
[[nodiscard]] std::optional<ContiguousLine> line_if_adjacent(const plan::Stage& stage);

// Where the numbers of such lines are on both sides: nothing for those of another precision, with a part in other
// memory, and for reals that are not equally far apart.
struct SpreadSides {
  SpreadSide from;
  SpreadSide to;
};
[[nodiscard]] std::optional<SpreadSides> spread_sides(const plan::Stage& stage, ShortRowsKind kind);

// Whether the lines of the stage follow each other, with gaps or without.
[[nodiscard]] bool are_rows(const plan::Stage& stage, const ContiguousLine& line);

// Whether the map of a real line is that by half its points, which has one line on either side.
[[nodiscard]] inline bool is_half_spectrum(const std::optional<plan::LineMap>& map) {
  return map && plan::is_half_spectrum(map->rule);
}

// Whether a half spectrum is loaded whose two ends share a place.
[[nodiscard]] inline bool has_packed_ends(const std::optional<plan::LineMap>& map) {
  return map && map->rule == plan::LineMap::Rule::half_spectrum_load;
}

// Whether so few lines are better off one after the other, in one lane, where there are kernels for that.
[[nodiscard]] constexpr bool are_lone(std::uint64_t lines, std::size_t vector) {
  return lines == 1 || 4 * lines <= vector;
}

}  // namespace twiddle::backend::host
