// Stages as the workers see them: everything counted in scalars, so that one address arithmetic serves every storage.
#pragma once

#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// The stage with its strides and offsets in scalars, an interleaved complex number being two scalars that are planar
// parts one apart.
[[nodiscard]] plan::Stage in_scalars(plan::Stage stage);

// One of the stage's transforms without all that is around it, of adjacent interleaved numbers (not in scalars).
[[nodiscard]] plan::Stage line_by_itself(const plan::Stage& stage, Direction direction, long double scale);

// Whether complex numbers of that precision stand as std::complex lays them out, in a stage that is in scalars.
[[nodiscard]] bool is_interleaved(const plan::Storage& storage, Precision precision);

// Whether loading, or storing, is nothing but moving numbers, whatever their storage; a twiddle on storing aside.
[[nodiscard]] bool only_loads(const plan::Stage& stage);
[[nodiscard]] bool only_stores(const plan::Stage& stage);

// Whether a stage in scalars loads, or stores, interleaved numbers of its own precision and nothing else; a twiddle on
// storing aside.
[[nodiscard]] bool is_plain_load(const plan::Stage& stage);
[[nodiscard]] bool is_plain_store(const plan::Stage& stage);

}  // namespace twiddle::backend::host
