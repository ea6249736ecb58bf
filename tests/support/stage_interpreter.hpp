// Executes a plan's stages as their documentation in plan/lower/stage.hpp reads, in long double and on no device.
#pragma once

#include <vector>

#include "plan/lower/stage.hpp"
#include "support/reference.hpp"

namespace twiddle::test {

// Memory as scalars, whatever their precision: an interleaved complex number is two of them. All storages that share a
// memory must have scalars of one size, but for floats where there are halves: real parts that are apart, and what else
// is in scratch memory. Each float has the first of the two scalars that it covers, and leaves nothing in the second.
struct ScalarMemory {
  std::vector<long double> values;
  std::vector<bool> written;
  bool of_halves = false;  // floats cover two scalars

  explicit ScalarMemory(std::size_t count) : values(count), written(count, false) {}
  // Memory whose contents are given.
  explicit ScalarMemory(std::vector<long double> given) : values(std::move(given)), written(values.size(), true) {}
};

// Carries out one stage. `source` and `destination` may be the same object, and either may be `scratch`, which has
// imaginary parts that are apart, and lower words. Throws std::runtime_error, naming the stage, where it breaks a rule
// that every engine relies on: an access outside the memory or to something that nothing has written, two transforms
// that write the same scalar or read what another one writes, radices whose product is not the length, a twiddle over a
// loop that does not exist.
void interpret(const plan::Stage& stage, ScalarMemory& source, ScalarMemory& destination,
               ScalarMemory* scratch = nullptr);

// What `program` leaves in the memory of its output. In place, `output` is not used: input and output are the same
// memory. Throws as above, and where a stage writes the input out of place although `may_write_input` is false.
[[nodiscard]] ScalarMemory interpret(const plan::Program& program, plan::Placement placement, ScalarMemory input,
                                     ScalarMemory output, bool may_write_input = false);

// The same for complex arrays without gaps, of equal size on both sides, every element of which must be written.
[[nodiscard]] Spectrum interpret(const plan::Program& program, plan::Placement placement, const Spectrum& input);

// The largest |a - b| relative to the Euclidean norm of b per element; not a number where sizes differ.
[[nodiscard]] long double relative_difference(const Spectrum& a, const Spectrum& b);

}  // namespace twiddle::test
