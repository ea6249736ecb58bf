// Convolution by stages with a filter bank: one program makes the filters' spectra, another one convolves.
#include <fmt/format.h>

#include <utility>

#include "plan/convolution/separation.hpp"
#include "plan/shape/shape.hpp"
#include "run/compiled_program.hpp"
#include "run/convolution_programs.hpp"
#include "run/convolver.hpp"
#include "run/memory_pool.hpp"
#include "twiddle/error.hpp"

namespace twiddle::run {
namespace {

class BankConvolver : public Convolver {
 public:
  BankConvolver(const Workspace& workspace, plan::BankPrograms programs)
      : BankConvolver(workspace, std::move(programs), workspace.device().limits()) {}

  void set_filters(backend::Memory& filters) override {
    prepare_.run(operands(&filters, nullptr), nullptr);
    engine().synchronize();  // the filters may change from here on
  }

  void execute(backend::Memory& signal, backend::Memory& output, Profile* profile) const override {
    const MemoryPool::Loan convolved = workspace_.pool().borrow(convolved_bytes_);
    apply(signal, convolved.get(), output, false, profile);
  }

  void execute_with_filters(backend::Memory& filters, backend::Memory& signal, backend::Memory& output) override {
    const MemoryPool::Loan convolved = workspace_.pool().borrow(convolved_bytes_);
    prepare_.run(operands(&filters, nullptr), nullptr);
    apply(signal, convolved.get(), output, true, nullptr);
  }

  std::size_t scratch_bytes() const override { return convolved_bytes_; }
  std::size_t spectra_bytes() const override { return spectra_.size_bytes(); }
  std::string describe() const override {
    return (prepare_.program().stages.empty() ? "" : "filters:\n" + program_text(prepare_.program())) + "signals:\n" +
           program_text(apply_.program()) +
           (convolved_bytes_ == 0 ? "" : "results:\n" + program_text(results_.program()));
  }

 protected:
  [[nodiscard]] backend::Memory& spectra() { return spectra_.memory(); }

 private:
  // `convolved` is null where results are stored as they are; `follows_filters` as of Operands.
  void apply(backend::Memory& signal, backend::Memory* convolved, backend::Memory& output, bool follows_filters,
             Profile* profile) const {
    backend::Operands segments = operands(&signal, convolved == nullptr ? &output : convolved);
    segments.follows_filters = follows_filters;
    apply_.run(segments, profile);
    if (convolved == nullptr) return;
    backend::Operands results = operands(convolved, &output);
    results.load_user = convolved;
    results_.run(results, profile);
  }

  // Choices may be stored meanwhile; both programs are shaped by the same ones.
  BankConvolver(const Workspace& workspace, plan::BankPrograms programs, const DeviceLimits& limits)
      : workspace_(workspace),
        spectra_(workspace.device(), plan::filter_bytes(programs, limits)),
        convolved_bytes_(programs.convolved_bytes),
        prepare_(engine(), plan::shaped(std::move(programs.prepare), limits)),
        apply_(engine(), plan::shaped(std::move(programs.apply), limits)),
        results_(engine(), plan::shaped(std::move(programs.results), limits)) {
    for (CompiledProgram* program : {&prepare_, &apply_, &results_}) program->compile();
  }

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
  std::size_t convolved_bytes_;
  mutable CompiledProgram prepare_;
  mutable CompiledProgram apply_;
  mutable CompiledProgram results_;
};

plan::BankPrograms programs(const Workspace& workspace, const Convolution& convolution,
                            const plan::BankRecipe& recipe) {
  return bank_programs(convolution, recipe, workspace.device().info().backend == BackendKind::host);
}

// Columns and rows, which the host finds.
template <class T>
class SeparableConvolver : public BankConvolver {
 public:
  SeparableConvolver(const Workspace& workspace, const Convolution& convolution, const plan::BankRecipe& recipe)
      : BankConvolver(workspace, programs(workspace, convolution, recipe)), convolution_(convolution) {}

  void set_filters(backend::Memory& filters) override {
    std::vector<T> values(filter_elements(convolution_) * (convolution_.complex ? 2 : 1));
    filters.read(values.data(), values.size() * sizeof(T));
    const auto found = plan::separate_filters(convolution_, std::span<const T>(values));
    if (found.inseparable) {
      throw InvalidArgument(
          fmt::format("filter {} is not the product of a column and a row; expected such filters for the method "
                      "separable, of '{}'; use automatic or direct",
                      *found.inseparable, to_string(convolution_)));
    }
    spectra().write(found.taps.data(), found.taps.size() * sizeof(T));
  }
  void execute_with_filters(backend::Memory& filters, backend::Memory& signal, backend::Memory& output) override {
    Convolver::execute_with_filters(filters, signal, output);
  }

 private:
  Convolution convolution_;
};

}  // namespace

std::unique_ptr<Convolver> make_bank_convolver(const Workspace& workspace, const Convolution& convolution,
                                               const plan::BankRecipe& recipe) {
  if (!recipe.separable) return std::make_unique<BankConvolver>(workspace, programs(workspace, convolution, recipe));
  if (convolution.precision == Precision::float64) {
    return std::make_unique<SeparableConvolver<double>>(workspace, convolution, recipe);
  }
  return std::make_unique<SeparableConvolver<float>>(workspace, convolution, recipe);
}

}  // namespace twiddle::run
