// Executes stages with a filter bank as plan/convolution/filter_bank.hpp reads, in long double and on no device.
#pragma once

#include "support/stage_interpreter.hpp"

namespace twiddle::test {

// As interpret() does, for a stage whose bank is cyclic or direct. In `spectra`, those of the cyclic kind stand in the
// order of frequencies, where a stage that makes spectra leaves them when it is interpreted. Throws std::runtime_error
// beside what interpret() throws for where an output would be an aliased one, or its neighbours are.
void interpret_bank(const plan::Stage& stage, const ScalarMemory& source, const ScalarMemory& spectra,
                    ScalarMemory& destination);

}  // namespace twiddle::test
