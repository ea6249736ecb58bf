// Convolution by transforms of the whole signal, or of long segments, on devices: all signals forward at once; then for
// each filter the inverse, which multiplies by the filter's spectrum as it reads.
#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <utility>
#include <vector>

#include "plan/lower.hpp"
#include "plan/lower_extension.hpp"
#include "plan/lower_results.hpp"
#include "plan/recipe.hpp"
#include "plan/shape.hpp"
#include "plan/view.hpp"
#include "run/compiled_program.hpp"
#include "run/convolver.hpp"
#include "run/execution.hpp"
#include "run/memory_pool.hpp"
#include "run/whole_geometry.hpp"

namespace twiddle::run {
namespace {

std::size_t scalar_bytes(const WholeGeometry& geometry) { return plan::scalar_bytes(geometry.convolution().precision); }

std::size_t spectrum_bytes(const WholeGeometry& geometry) { return 2 * geometry.points() * scalar_bytes(geometry); }

class DeviceWholeConvolver : public Convolver {
 public:
  DeviceWholeConvolver(const Workspace& workspace, WholeGeometry geometry)
      : workspace_(workspace), geometry_(std::move(geometry)), hook_(std::make_shared<const Hook>(product_hook())) {
    const Convolution& convolution = geometry_.convolution();
    filter_ = execution(geometry_.transform(geometry_.padded()), Direction::forward, {});
    signal_ = execution(geometry_.signal_transform(), Direction::forward, {});
    if (geometry_.extends()) {
      extension_program_ = compiled(plan::lower_extension(convolution, geometry_.first_positions(), geometry_.given()));
    }
    if (!geometry_.stores_outputs()) results_program_ = compiled(plan::lower_results(convolution));
    for (std::size_t filter = 0; filter < convolution.filters; ++filter) {
      spectra_.push_back(std::make_shared<const Buffer>(workspace.device(), spectrum_bytes(geometry_)));
      for (Transform transform : geometry_.result_transforms(filter)) {
        transform.load_hook = hook_;
        results_.push_back(execution(transform, Direction::inverse, {spectra_.back(), nullptr}));
      }
    }
  }

  void set_filters(backend::Memory& filters) override {
    if (geometry_.convolution().precision == Precision::float64) {
      place_filters<double>(filters);
    } else {
      place_filters<float>(filters);
    }
  }

  void execute(backend::Memory& signal, backend::Memory& output, Profile* profile) const override {
    const MemoryPool::Loan spectrum = workspace_.pool().borrow(spectra_of_signals());
    const MemoryPool::Loan extended = workspace_.pool().borrow(extended_bytes());
    const MemoryPool::Loan convolved = workspace_.pool().borrow(convolved_bytes());
    backend::Memory& results = results_program_ ? *convolved.get() : output;
    if (geometry_.extends()) extend(signal, *extended.get(), profile);
    signal_->run(geometry_.extends() ? *extended.get() : signal, *spectrum.get(), profile);
    for (const auto& result : results_) result->run(*spectrum.get(), results, profile);
    if (!results_program_) return;
    backend::Operands operands;
    operands.input = &results;
    operands.load_user = &results;
    operands.output = &output;
    results_program_->run(operands, profile);
  }

  std::size_t scratch_bytes() const override {
    return spectra_of_signals() + extended_bytes() + convolved_bytes() +
           std::max({signal_->scratch_bytes(), results_.front()->scratch_bytes(), results_.back()->scratch_bytes()});
  }
  std::size_t spectra_bytes() const override { return spectra_.size() * spectrum_bytes(geometry_); }
  std::string describe() const override {
    return (extension_program_ ? "signals beyond their ends:\n" + program_text(extension_program_->program()) : "") +
           "signals:\n" + program_text(signal_->program()) + "each filter:\n" +
           program_text(results_.front()->program()) +
           (geometry_.segments() > 1 ? "each filter, the last segment:\n" + program_text(results_.back()->program())
                                     : "") +
           (results_program_ ? "results:\n" + program_text(results_program_->program()) : "");
  }

 private:
  // The spectra of all signals and segments lie one after the other; each meets the same filter.
  [[nodiscard]] Hook product_hook() const {
    Hook hook;
    hook.source = fmt::format(
        "const TW_COMPLEX factor = ((TW_GLOBAL const TW_COMPLEX*)user)[index % {}];\n"
        "const TW_REAL re = value.x * factor.x - value.y * factor.y;\n"
        "value.y = value.x * factor.y + value.y * factor.x;\n"
        "value.x = re;",
        geometry_.points());
    return hook;
  }

  [[nodiscard]] std::unique_ptr<Execution> execution(const Transform& transform, Direction direction,
                                                     HookBuffers buffers) const {
    const DeviceLimits limits = workspace_.device().limits();
    auto result = std::make_unique<Execution>(
        workspace_.device().engine(), workspace_.pool(), plan::sides_of(transform, direction, Placement::out_of_place),
        plan::lower(plan::make_recipe(transform, limits), transform, direction, Placement::out_of_place, limits),
        std::move(buffers));
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

  template <class T>
  void place_filters(backend::Memory& filters) {
    const Convolution& convolution = geometry_.convolution();
    const std::size_t taps = element_count(convolution.kernel_lengths) * geometry_.scalars();
    std::vector<T> all(taps * convolution.filters);
    filters.read(all.data(), all.size() * sizeof(T));
    std::vector<T> padded(element_count(geometry_.padded()) * geometry_.scalars());
    const MemoryPool::Loan loan = workspace_.pool().borrow(padded.size() * sizeof(T));
    for (std::size_t filter = 0; filter < convolution.filters; ++filter) {
      std::fill(padded.begin(), padded.end(), T{0});
      geometry_.place_filter(all.data() + filter * taps, padded.data());
      loan.get()->write(padded.data(), padded.size() * sizeof(T));
      filter_->run(*loan.get(), spectra_[filter]->memory(), nullptr);
    }
    workspace_.device().synchronize();
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
  std::shared_ptr<const Hook> hook_;
  std::unique_ptr<Execution> filter_;
  std::unique_ptr<Execution> signal_;
  // For each filter and part: they differ in where they read and write.
  std::vector<std::unique_ptr<Execution>> results_;
  std::vector<std::shared_ptr<const Buffer>> spectra_;
  std::unique_ptr<CompiledProgram> extension_program_;  // signals with what stands beyond their ends
  std::unique_ptr<CompiledProgram> results_program_;    // post-processing and hooks, where there are any
};

}  // namespace

std::unique_ptr<Convolver> make_device_whole_convolver(const Workspace& workspace, WholeGeometry geometry) {
  return std::make_unique<DeviceWholeConvolver>(workspace, std::move(geometry));
}

}  // namespace twiddle::run
