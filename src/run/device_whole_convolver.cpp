// Convolution by transforms of the whole signal, or of long segments, on devices: all signals forward at once; then the
// inverse for all filters, which multiplies by their spectra as it reads.
#include <algorithm>
#include <utility>
#include <vector>

#include "plan/convolution/lower_extension.hpp"
#include "plan/convolution/lower_results.hpp"
#include "plan/convolution/lower_sums.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/lower/view.hpp"
#include "plan/recipe/recipe.hpp"
#include "plan/shape/shape.hpp"
#include "run/compiled_program.hpp"
#include "run/convolver.hpp"
#include "run/execution.hpp"
#include "run/memory_pool.hpp"
#include "run/whole_geometry.hpp"
#include "run/whole_hooks.hpp"
#include "twiddle/error.hpp"

namespace twiddle::run {
namespace {

std::size_t scalar_bytes(const WholeGeometry& geometry) { return plan::scalar_bytes(geometry.convolution().precision); }

std::size_t spectrum_bytes(const WholeGeometry& geometry) { return 2 * geometry.points() * scalar_bytes(geometry); }

// What is between the stages of filters that are transformed together may be as large as the spectra of the signals,
// or as what keeps a device busy for longer than a launch takes: on an H200 4 MiB for 200 filters take 1.6 times as
// long as 32 MiB, 128 MiB 0.96 of it. On CPUs it should stay in a cache: 32 MiB take 1.2 times as long as 1 MiB.
std::uint64_t busy_bytes(const DeviceLimits& limits) {
  return (plan::is_like_cpu(limits) ? std::uint64_t{1} : std::uint64_t{32}) << 20;
}

// The filters' taps, for sums instead of results that are not finite.
class Taps {
 public:
  Taps(const Workspace& workspace, const Convolution& convolution)
      : Taps(workspace, plan::lower_sums(convolution, /*separable=*/false)) {}

  void keep(backend::Memory& filters) {
    backend::Operands operands;
    operands.input = &filters;
    operands.spectra = &kept_.memory();
    program_.run(operands, nullptr);
  }
  [[nodiscard]] backend::Memory& memory() const { return kept_.memory(); }
  [[nodiscard]] std::size_t bytes() const { return kept_.size_bytes(); }

 private:
  Taps(const Workspace& workspace, plan::BankPrograms programs)
      : kept_(workspace.device(), programs.spectra_bytes),
        program_(workspace.device().engine(), plan::shaped(std::move(programs.prepare), workspace.device().limits())) {
    program_.compile();
  }

  Buffer kept_;
  CompiledProgram program_;
};

// To the stages that write what the program ends with.
plan::Program with_repair(plan::Program program, const plan::Repair& repair) {
  for (plan::Stage& stage : program.stages) {
    if (!stage.ends) continue;
    if (stage.swaps || stage.on_host) {
      throw Unsupported("a transposition is where results that are not finite would be made anew; expected none");
    }
    stage.repair = repair;
  }
  return program;
}

class DeviceWholeConvolver : public Convolver {
 public:
  DeviceWholeConvolver(const Workspace& workspace, WholeGeometry geometry)
      : workspace_(workspace),
        geometry_(std::move(geometry)),
        spectra_(std::make_shared<const Buffer>(workspace.device(),
                                                geometry_.convolution().filters * spectrum_bytes(geometry_))),
        taps_(workspace, geometry_.convolution()) {
    const Convolution& convolution = geometry_.convolution();
    filters_ = execution(hooked(geometry_.filter_transform(), padded_filter_hook(geometry_)), Direction::forward, {});
    signal_ = execution(geometry_.signal_transform(), Direction::forward, {});
    if (geometry_.extends()) {
      extension_program_ = compiled(plan::lower_extension(convolution, geometry_.first_positions(), geometry_.given()));
    }
    if (!geometry_.stores_outputs()) results_program_ = compiled(plan::lower_results(convolution));
    const plan::Repair repair{std::make_shared<const Hook>(sum_hook(geometry_)), !convolution.complex};
    for (Transform& transform : geometry_.result_transforms()) {
      results_.push_back(
          execution(hooked(std::move(transform), product_hook(geometry_)), Direction::inverse, spectra_, &repair));
    }
  }

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
  static Transform hooked(Transform transform, Hook hook) {
    transform.load_hook = std::make_shared<const Hook>(std::move(hook));
    return transform;
  }

  void transform_filters(backend::Memory& filters) {
    filters_->run(filters, spectra_->memory(), nullptr);
    taps_.keep(filters);
  }

  [[nodiscard]] std::unique_ptr<Execution> execution(const Transform& transform, Direction direction,
                                                     std::shared_ptr<const Buffer> load_buffer,
                                                     const plan::Repair* repair = nullptr) const {
    const DeviceLimits limits = workspace_.device().limits();
    const std::uint64_t most_scratch = std::max<std::uint64_t>(spectra_of_signals(), busy_bytes(limits));
    const plan::Recipe recipe = plan::make_recipe(transform, limits);
    // A repair is for stages in launches of their own.
    plan::Program program =
        repair == nullptr ? plan::lower(recipe, transform, direction, Placement::out_of_place, limits, most_scratch)
                          : with_repair(plan::lower_apart(recipe, transform, direction, Placement::out_of_place, limits,
                                                          most_scratch),
                                        *repair);
    auto result = std::make_unique<Execution>(
        workspace_.device().engine(), workspace_.pool(), plan::sides_of(transform, direction, Placement::out_of_place),
        std::move(program), Placement::out_of_place, HookBuffers{std::move(load_buffer), nullptr});
    result->compile();
    return result;
  }

  [[nodiscard]] std::size_t spectra_of_signals() const {
    return geometry_.convolution().signals * geometry_.segments() * spectrum_bytes(geometry_);
  }
  [[nodiscard]] std::size_t extended_bytes() const {
    if (!geometry_.extends()) return 0;
    return geometry_.convolution().signals * element_count(geometry_.given()) * geometry_.scalars() *
           scalar_bytes(geometry_);
  }

  // Of results of which something is made before they are stored.
  [[nodiscard]] std::size_t convolved_bytes() const {
    if (geometry_.stores_outputs()) return 0;
    const Convolution& convolution = geometry_.convolution();
    return convolution.signals * convolution.filters * element_count(geometry_.outputs()) * geometry_.scalars() *
           scalar_bytes(geometry_);
  }

  void extend(backend::Memory& signal, backend::Memory& extended, Profile* profile) const {
    backend::Operands operands;
    operands.input = &signal;
    operands.store_user = &signal;
    operands.output = &extended;
    extension_program_->run(operands, profile);
  }

  [[nodiscard]] std::unique_ptr<CompiledProgram> compiled(plan::Program program) const {
    auto result = std::make_unique<CompiledProgram>(workspace_.device().engine(),
                                                    plan::shaped(std::move(program), workspace_.device().limits()));
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
  return std::make_unique<DeviceWholeConvolver>(workspace, std::move(geometry));
}

}  // namespace twiddle::run
