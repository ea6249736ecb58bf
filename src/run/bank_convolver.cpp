// Convolution by stages with a filter bank: one program makes the filters' spectra, another one convolves.
#include <utility>

#include "plan/shape.hpp"
#include "run/compiled_program.hpp"
#include "run/convolver.hpp"

namespace twiddle::run {
namespace {

plan::Program shaped(plan::Program program, const DeviceLimits& limits) {
  for (plan::Stage& stage : program.stages) stage.shape = plan::choose_shape(stage, limits);
  return program;
}

class BankConvolver : public Convolver {
 public:
  BankConvolver(const Workspace& workspace, plan::BankPrograms programs)
      : workspace_(workspace),
        spectra_(workspace.device(), programs.spectra_bytes),
        prepare_(engine(), shaped(std::move(programs.prepare), workspace.device().limits())),
        apply_(engine(), shaped(std::move(programs.apply), workspace.device().limits())) {
    prepare_.compile();
    apply_.compile();
  }

  void set_filters(backend::Memory& filters) override {
    prepare_.run(operands(&filters, nullptr), nullptr);
    engine().synchronize();  // the filters may change from here on
  }

  void execute(backend::Memory& signal, backend::Memory& output, Profile* profile) const override {
    apply_.run(operands(&signal, &output), profile);
  }

  std::size_t scratch_bytes() const override { return 0; }
  std::size_t spectra_bytes() const override { return spectra_.size_bytes(); }
  std::string describe() const override {
    return "filters:\n" + program_text(prepare_.program()) + "signals:\n" + program_text(apply_.program());
  }

 private:
  [[nodiscard]] backend::Engine& engine() const { return workspace_.device().engine(); }
  [[nodiscard]] backend::Operands operands(backend::Memory* input, backend::Memory* output) const {
    backend::Operands result;
    result.input = input;
    result.output = output;
    result.spectra = &spectra_.memory();
    return result;
  }

  Workspace workspace_;
  Buffer spectra_;
  mutable CompiledProgram prepare_;
  mutable CompiledProgram apply_;
};

}  // namespace

std::unique_ptr<Convolver> make_bank_convolver(const Workspace& workspace, const Convolution& convolution,
                                               const plan::BankRecipe& recipe) {
  return std::make_unique<BankConvolver>(workspace, plan::lower_bank(convolution, recipe));
}

}  // namespace twiddle::run
