// The methods by which a ConvolutionPlan convolves, behind one face.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "backend/engine.hpp"
#include "plan/convolution/convolution_recipe.hpp"
#include "run/whole_geometry.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/plan.hpp"
#include "twiddle/workspace.hpp"

namespace twiddle::run {

// Executions may run in several threads, but not beside set_filters().
class Convolver {
 public:
  virtual ~Convolver() = default;
  // Memories are of the workspace's device; operands as convolution.hpp says.
  virtual void set_filters(backend::Memory& filters) = 0;
  virtual void execute(backend::Memory& signal, backend::Memory& output, Profile* profile) const = 0;
  // Both, waiting for nothing in between where that can be.
  virtual void execute_with_filters(backend::Memory& filters, backend::Memory& signal, backend::Memory& output) {
    set_filters(filters);
    execute(signal, output, nullptr);
  }
  [[nodiscard]] virtual std::size_t scratch_bytes() const = 0;
  [[nodiscard]] virtual std::size_t spectra_bytes() const = 0;
  [[nodiscard]] virtual std::string describe() const = 0;
};

// By a stage with a filter bank: direct sums, those of columns and rows, and overlap-save.
[[nodiscard]] std::unique_ptr<Convolver> make_bank_convolver(const Workspace& workspace, const Convolution& convolution,
                                                             const plan::BankRecipe& recipe);

// By transforms of the whole padded signal, or of its segments through memory; the second one on devices that do not
// work on host memory.
[[nodiscard]] std::unique_ptr<Convolver> make_whole_convolver(const Workspace& workspace,
                                                              const Convolution& convolution,
                                                              const plan::ConvolutionRecipe& recipe);

[[nodiscard]] std::unique_ptr<Convolver> make_device_whole_convolver(const Workspace& workspace,
                                                                     WholeGeometry geometry);

}  // namespace twiddle::run
