// Convolution by transforms of the whole signal, or of long segments, on devices: all signals forward at once; then the
// inverse for all filters, which multiplies by their spectra as it reads.
#include <algorithm>
#include <utility>
#include <vector>

#include "plan/lower/view.hpp"
#include "run/compiled_program.hpp"
#include "run/convolver.hpp"
#include "run/execution.hpp"
#include "run/memory_pool.hpp"
#include "run/whole_geometry.hpp"
#include "run/whole_programs.hpp"

namespace twiddle::run {
namespace {

// The filters' taps, for sums instead of results that are not finite.
class Taps {
 public:
  Taps(const Workspace& workspace, plan::Program program, std::size_t bytes)
      : kept_(workspace.device(), bytes), program_(workspace.device().engine(), std::move(program)) {
    program_.compile();
  }

  void keep(backend::Memory& filters) {
    backend::Operands operands;
    operands.input = &filters;
    operands.spectra = &kept_.memory();
    program_.run(operands, nullptr);
  }
  [[nodiscard]] backend::Memory& memory() const { return kept_.memory(); }
  [[nodiscard]] std::size_t bytes() const { return kept_.size_bytes(); }

 private:
  Buffer kept_;
  CompiledProgram program_;
};

class DeviceWholeConvolver : public Convolver {
 public:
  DeviceWholeConvolver(const Workspace& workspace, const WholeGeometry& geometry)
      : DeviceWholeConvolver(workspace, geometry, lower_whole(geometry, workspace.device().limits())) {}

  void set_filters(backend::Memory& filters) override {
    transform_filters(filters);
    workspace_.device().synchronize();  // the filters may change from here on
  }

  void execute_with_filters(backend::Memory& filters, backend::Memory& signal, backend::Memory& output) override {
    transform_filters(filters);
    execute(signal, output, nullptr);
  }

  void execute(backend::Memory& signal, backend::Memory& output, Profile* profile) const override {
    const MemoryPool::Loan spectrum = workspace_.pool().borrow(spectra_of_signals());
    const MemoryPool::Loan extended = workspace_.pool().borrow(extended_bytes());
    const MemoryPool::Loan convolved = workspace_.pool().borrow(convolved_bytes());
    backend::Memory& results = results_program_ ? *convolved.get() : output;
    if (geometry_.extends()) extend(signal, *extended.get(), profile);
    backend::Memory& given = geometry_.extends() ? *extended.get() : signal;
    signal_->run(given, *spectrum.get(), profile);
    backend::Operands operands;
    operands.input = spectrum.get();
    operands.output = &results;
    operands.store_user = &given;
    operands.spectra = &taps_.memory();
    for (const auto& result : results_) result->run(operands, profile);
    if (!results_program_) return;
    operands = {};
    operands.input = &results;
    operands.load_user = &results;
    operands.output = &output;
    results_program_->run(operands, profile);
  }

  std::size_t scratch_bytes() const override {
    return spectra_of_signals() + extended_bytes() + convolved_bytes() +
           std::max({filters_->scratch_bytes(), signal_->scratch_bytes(), results_.front()->scratch_bytes(),
                     results_.back()->scratch_bytes()});
  }
  std::size_t spectra_bytes() const override { return spectra_->size_bytes() + taps_.bytes(); }
  std::string describe() const override {
    return (extension_program_ ? "signals beyond their ends:\n" + program_text(extension_program_->program()) : "") +
           "signals:\n" + program_text(signal_->program()) + "all filters:\n" +
           program_text(results_.front()->program()) +
           (geometry_.segments() > 1 ? "all filters, the last segment:\n" + program_text(results_.back()->program())
                                     : "") +
           (results_program_ ? "results:\n" + program_text(results_program_->program()) : "");
  }

 private:
  DeviceWholeConvolver(const Workspace& workspace, const WholeGeometry& geometry, WholePrograms programs)
      : workspace_(workspace),
        geometry_(geometry),
        spectra_(std::make_shared<const Buffer>(workspace.device(), filter_spectra_bytes(geometry))),
        taps_(workspace, std::move(programs.taps), programs.taps_bytes) {
    filters_ = execution(std::move(programs.filters), Direction::forward, {});
    signal_ = execution(std::move(programs.signal), Direction::forward, {});
    if (programs.extension) extension_program_ = compiled(std::move(*programs.extension));
    if (programs.made) results_program_ = compiled(std::move(*programs.made));
    for (LoweredTransform& result : programs.results) {
      results_.push_back(execution(std::move(result), Direction::inverse, spectra_));
    }
  }

  void transform_filters(backend::Memory& filters) {
    filters_->run(filters, spectra_->memory(), nullptr);
    taps_.keep(filters);
  }

  [[nodiscard]] std::unique_ptr<Execution> execution(LoweredTransform lowered, Direction direction,
                                                     std::shared_ptr<const Buffer> load_buffer) const {
    auto result = std::make_unique<Execution>(workspace_.device().engine(), workspace_.pool(),
                                              plan::sides_of(lowered.transform, direction, Placement::out_of_place),
                                              std::move(lowered.program), Placement::out_of_place,
                                              HookBuffers{std::move(load_buffer), nullptr});
    result->compile();
    return result;
  }

  [[nodiscard]] std::size_t spectra_of_signals() const { return signal_spectra_bytes(geometry_); }
  [[nodiscard]] std::size_t extended_bytes() const {
    if (!geometry_.extends()) return 0;
    return geometry_.convolution().signals * element_count(geometry_.given()) * geometry_.scalars() *
           plan::scalar_bytes(geometry_.convolution().precision);
  }

  // Of results of which something is made before they are stored.
  [[nodiscard]] std::size_t convolved_bytes() const {
    if (geometry_.stores_outputs()) return 0;
    const Convolution& convolution = geometry_.convolution();
    return convolution.signals * convolution.filters * element_count(geometry_.outputs()) * geometry_.scalars() *
           plan::scalar_bytes(geometry_.convolution().precision);
  }

  void extend(backend::Memory& signal, backend::Memory& extended, Profile* profile) const {
    backend::Operands operands;
    operands.input = &signal;
    operands.store_user = &signal;
    operands.output = &extended;
    extension_program_->run(operands, profile);
  }

  [[nodiscard]] std::unique_ptr<CompiledProgram> compiled(plan::Program program) const {
    auto result = std::make_unique<CompiledProgram>(workspace_.device().engine(), std::move(program));
    result->compile();
    return result;
  }

  Workspace workspace_;
  WholeGeometry geometry_;
  std::shared_ptr<const Buffer> spectra_;  // of the filters
  Taps taps_;
  std::unique_ptr<Execution> filters_;
  std::unique_ptr<Execution> signal_;
  std::vector<std::unique_ptr<Execution>> results_;     // of all segments but the last, and of that
  std::unique_ptr<CompiledProgram> extension_program_;  // signals with what stands beyond their ends
  std::unique_ptr<CompiledProgram> results_program_;    // post-processing and hooks, where there are any
};

}  // namespace

std::unique_ptr<Convolver> make_device_whole_convolver(const Workspace& workspace, WholeGeometry geometry) {
  return std::make_unique<DeviceWholeConvolver>(workspace, geometry);
}

}  // namespace twiddle::run
