// A draft with memory to read and write: strides, offsets and storages.
#pragma once

#include <memory>

#include "plan/lower/draft.hpp"
#include "plan/lower/view.hpp"

namespace twiddle::plan {

// The stage that carries out `draft` on these views, whose dimensions are those of its frames. Operands, precision and
// kernel shape stay open.
[[nodiscard]] Stage bind(const Draft& draft, const View& source, const View& destination);

// A hook on all that the stage reads, which are elements of `source`, or on all that it writes, of `destination`. It sees
// them one by one: neighbouring reals that are complex numbers to the stage become planar ones.
void bind_load_hook(Stage& stage, std::shared_ptr<const Hook> hook, const View& source);
void bind_store_hook(Stage& stage, std::shared_ptr<const Hook> hook, const View& destination);

// So many lines along a dimension, from one on.
[[nodiscard]] View slice_of(View view, std::size_t dimension, std::uint64_t from, std::uint64_t lines);

// The draft of a slice in so many turns, by a launched loop, each of which reads and writes so many lines further along
// the dimension.
[[nodiscard]] Draft in_turns(Draft draft, std::uint64_t turns, std::size_t dimension, std::uint64_t read_step,
                             std::uint64_t written_step);

}  // namespace twiddle::plan
