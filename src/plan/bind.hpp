// A draft with memory to read and write: strides, offsets and storages.
#pragma once

#include "plan/draft.hpp"
#include "plan/view.hpp"

namespace twiddle::plan {

// The stage that carries out `draft` on these views, whose dimensions are those of its frames. Operands, precision and
// kernel shape stay open.
[[nodiscard]] Stage bind(const Draft& draft, const View& source, const View& destination);

}  // namespace twiddle::plan
