// Executes a plan's stages as their documentation in plan/stage.hpp reads, in long double and on no device.
#pragma once

#include "plan/stage.hpp"
#include "support/reference.hpp"

namespace twiddle::test {

// What `program` makes of `input`, with as many elements. Throws std::runtime_error, naming the stage, where the
// program breaks a rule that every engine relies on: an access outside a buffer or of an element that nothing has
// written, two transforms that write the same element or read what another one writes, a write to the input out of
// place, radices whose product is not the length, a twiddle over a loop that does not exist.
[[nodiscard]] Spectrum interpret(const plan::Program& program, plan::Placement placement, const Spectrum& input);

// The largest |a - b| relative to the Euclidean norm of b per element; not a number where sizes differ.
[[nodiscard]] long double relative_difference(const Spectrum& a, const Spectrum& b);

}  // namespace twiddle::test
