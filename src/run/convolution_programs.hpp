// All that a device with work-groups runs for a convolution, by the method that is chosen for it: values alone, for
// what shows kernels without a device.
#pragma once

#include <string>
#include <vector>

#include "plan/convolution/convolution_recipe.hpp"
#include "plan/lower/stage.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"

namespace twiddle::run {

struct NamedProgram {
  std::string name;  // "spectra of the filters"
  plan::Program program;
};

// In the order in which they run; stages have shapes. Where filters that are products of a column and a row are
// convolved by these, the programs for such are first. Throws InvalidArgument for a malformed convolution, Unsupported
// where no method serves it on such a device.
[[nodiscard]] std::vector<NamedProgram> convolution_programs(const Convolution& convolution,
                                                             const DeviceLimits& limits);

// Of direct sums, columns and rows, and overlap-save in segments that a stage holds; shapes are left open.
[[nodiscard]] plan::BankPrograms bank_programs(const Convolution& convolution, const plan::BankRecipe& recipe,
                                               bool on_host);

}  // namespace twiddle::run
