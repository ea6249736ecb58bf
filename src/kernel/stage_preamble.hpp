// What stands ahead of a stage's kernel: what it is for, the dialect's words, and the functions that it calls.
#pragma once

#include <set>
#include <string_view>
#include <utility>

#include "kernel/dialect.hpp"
#include "kernel/stage_layout.hpp"
#include "kernel/stage_memory.hpp"
#include "kernel/text.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::kernel {

// "forward" or "inverse", as in the names of butterflies.
[[nodiscard]] std::string_view direction_name(Direction direction);

// The function `multiply` of two complex numbers.
[[nodiscard]] std::string_view product_function();

// What the passes call, each in its direction.
[[nodiscard]] std::set<std::pair<unsigned, Direction>> butterflies_of(const StageLayout& layout);

// Writes all of it; `dependent_launch` says whether the kernel waits for the one before.
void write_preamble(const plan::Stage& stage, const StageLayout& layout, const StageMemory& memory, Dialect dialect,
                    bool dependent_launch, Text& text);

}  // namespace twiddle::kernel
