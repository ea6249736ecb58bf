// Measured kernel shapes: data that overrides the cost model where a device of the same class was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "twiddle/device.hpp"

namespace twiddle::plan {

// What a line's elements are beside it.
enum class LineUse {
  rows,              // neighbours in memory
  mapped_rows,       // the same, made from others or into others in the same stage
  columns,           // neighbours on one side at most: a group takes a tile of lines
  few_columns,       // parts of a long line, so few that whole tiles would leave compute units idle
  twiddled_columns,  // the same, multiplied by a twiddle for each line
  convolved_rows,    // rows by an on-chip convolution: what is said is for its points
  convolved_columns
};

struct MeasuredChoice {
  std::vector<unsigned> radices;
  std::uint32_t items = 0;       // work-items per transform
  std::uint32_t transforms = 0;  // per group; 0: as the rules of choose_shape say
  std::uint32_t registers = 0;   // that a work-item may use in a stage without more in it than its use says; 0: any
  bool split = false;            // real and imaginary parts are exchanged apart although both fit
  std::uint32_t vector = 1;      // complex numbers that an item moves at once, where the stage may (vectors.hpp)
  bool beyond_cache = false;     // `transforms` holds for more data than a cache does; else as the rules say
  std::uint64_t fewest_elements = 0;  // of all lines together, that it is faster for than what the model says
  bool operator==(const MeasuredChoice&) const = default;
};

// "rows", "mapped_rows", "columns", ...
[[nodiscard]] std::string_view to_string(LineUse use);

// The use of the parts of long lines where `lines` of them lie side by side: columns or few columns.
[[nodiscard]] LineUse part_use(std::uint64_t lines, const DeviceLimits& limits);

// Whether lines of this use are not neighbours in memory.
[[nodiscard]] bool are_columns(LineUse use);

// Whether they are transformed by an on-chip convolution, and the use of lines that are.
[[nodiscard]] bool are_convolved(LineUse use);
[[nodiscard]] LineUse convolved_use(bool columns);

// The best shape measured for lines of this length, in the precision that the limits are for, on this device
// (limits.choices) or else on devices like it, for this use or else for the plainer one, or else what is borrowed from
// a neighbour that was (borrowed_choice.hpp); nothing where none was. The radices of both kinds of columns are equal,
// as those of a recipe serve both.
[[nodiscard]] std::optional<MeasuredChoice> measured_choice(std::uint64_t length, LineUse use,
                                                            const DeviceLimits& limits);

// The same for so many lines: nothing where they have too few elements for it.
[[nodiscard]] std::optional<MeasuredChoice> measured_choice(std::uint64_t length, LineUse use, std::uint64_t lines,
                                                            const DeviceLimits& limits);

// Into how many columns `lines` lines of this length are best divided, as measured on devices like this one; nothing
// where that was not measured, or something was tuned, or the lines are so few that another division is better.
[[nodiscard]] std::optional<std::uint64_t> measured_division(std::uint64_t length, LineUse use, std::uint64_t lines,
                                                             const DeviceLimits& limits);

}  // namespace twiddle::plan
