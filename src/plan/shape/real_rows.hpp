// Rows of reals in other passes there than back: what is fastest on the way to spectra may be slow on the way back, and
// a recipe serves both.
#pragma once

#include <optional>

#include "plan/choice/measured_choices.hpp"
#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// The passes and the shape measured for rows that the stage makes spectra of, or makes of such, one way alone; nothing
// for any other stage, for less data than was measured (most of all, what a cache holds), on devices unlike the
// measured one, and where lines of this length were tuned.
[[nodiscard]] std::optional<MeasuredChoice> real_row_choice(const Stage& stage, const DeviceLimits& limits);

// The stage in these passes, or as it was.
[[nodiscard]] Stage in_measured_passes(Stage stage, const DeviceLimits& limits);

}  // namespace twiddle::plan
