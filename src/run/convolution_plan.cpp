// A convolution plan: the method chosen, its convolver, and operands checked.
#include "twiddle/convolution_plan.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "plan/convolution/convolution_recipe.hpp"
#include "plan/convolution/separation.hpp"
#include "run/byte_spans.hpp"
#include "run/convolver.hpp"
#include "run/memory_pool.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

std::unique_ptr<run::Convolver> make_convolver(const Workspace& workspace, const Convolution& convolution,
                                               const plan::ConvolutionRecipe& recipe) {
  if (!recipe.padded.empty()) return run::make_whole_convolver(workspace, convolution, recipe);
  return run::make_bank_convolver(workspace, convolution, recipe.bank);
}

}  // namespace

struct ConvolutionPlan::Implementation {
  Implementation(Workspace plan_workspace, Convolution plan_convolution)
      : workspace(std::move(plan_workspace)),
        convolution(std::move(plan_convolution)),
        recipe(plan::make_convolution_recipe(convolution, workspace.device().limits())),
        convolver(recipe.separable ? run::make_bank_convolver(workspace, convolution, *recipe.separable)
                                   : make_convolver(workspace, convolution, recipe)),
        separable(recipe.separable.has_value()) {}

  void set_filters(backend::Memory& filters) {
    choose_convolver(filters);
    convolver->set_filters(filters);
    has_filters = true;
  }

  void execute_with_filters(backend::Memory& filters, backend::Memory& signal, backend::Memory& output) {
    choose_convolver(filters);
    convolver->execute_with_filters(filters, signal, output);
    has_filters = true;
  }

  // By columns and rows where that is cheaper and the filters are products of them, else by the recipe's method.
  void choose_convolver(backend::Memory& filters) {
    has_filters = false;
    if (recipe.separable) {
      const std::optional<std::size_t> first = convolution.precision == Precision::float64
                                                   ? first_inseparable<double>(filters)
                                                   : first_inseparable<float>(filters);
      if (separable == first.has_value()) {
        convolver = first ? make_convolver(workspace, convolution, recipe)
                          : run::make_bank_convolver(workspace, convolution, *recipe.separable);
        separable = !first;
      }
      inseparable = first;
    }
  }

  template <class T>
  [[nodiscard]] std::optional<std::size_t> first_inseparable(backend::Memory& filters) const {
    std::vector<T> values(filter_bytes() / sizeof(T));
    filters.read(values.data(), filter_bytes());
    return plan::separate_filters(convolution, std::span<const T>(values)).inseparable;
  }

  // The method that is used, and what decides it where the filters do.
  [[nodiscard]] std::string method() const {
    std::string text = plan::to_string(recipe);
    if (!recipe.separable) return text;
    if (separable) text = "separable";
    if (!has_filters) return text + " unless a filter is no product of a column and a row";
    if (inseparable) text += fmt::format(" (filter {} is not separable)", *inseparable);
    return text;
  }

  [[nodiscard]] std::size_t element_bytes(bool complex) const {
    return plan::scalar_bytes(convolution.precision) * (complex ? 2 : 1);
  }
  [[nodiscard]] std::size_t signal_bytes() const {
    return signal_elements(convolution) * element_bytes(convolution.complex);
  }
  [[nodiscard]] std::size_t filter_bytes() const {
    return filter_elements(convolution) * element_bytes(convolution.complex);
  }
  [[nodiscard]] std::size_t output_bytes() const {
    return output_elements(convolution) * element_bytes(has_complex_output(convolution));
  }

  void check_size(std::size_t size, const char* role, std::size_t expected) const {
    if (size != expected) {
      throw InvalidArgument(fmt::format("the {} is {} bytes long; expected {}, for the convolution '{}'", role, size,
                                        expected, to_string(convolution)));
    }
  }

  void check_buffer(const Buffer& buffer, const char* role, std::size_t expected) const {
    if (&buffer.device().engine() != &workspace.device().engine()) {
      throw InvalidArgument(fmt::format("the {} is a buffer of {}; expected one of {}, the device of the plan", role,
                                        device_name(buffer.device().info()), device_name(workspace.device().info())));
    }
    check_size(buffer.size_bytes(), role, expected);
  }

  void check_operands(const Buffer& signal, const Buffer& output) const {
    check_buffer(signal, "signal", signal_bytes());
    check_buffer(output, "output", output_bytes());
    if (&signal.memory() == &output.memory()) {
      throw InvalidArgument("signal and output are the same buffer; expected two");
    }
  }

  void check_ready() const {
    if (!has_filters) throw InvalidArgument("a convolution is executed before its filters are set; call set_filters()");
  }

  Workspace workspace;
  Convolution convolution;
  plan::ConvolutionRecipe recipe;
  std::unique_ptr<run::Convolver> convolver;
  bool separable = false;                  // what the convolver is, where the filters decide it
  std::optional<std::size_t> inseparable;  // the first filter that is none
  bool has_filters = false;
};

ConvolutionPlan::ConvolutionPlan(Device device, Convolution convolution)
    : ConvolutionPlan(Workspace(std::move(device)), std::move(convolution)) {}
ConvolutionPlan::ConvolutionPlan(Workspace workspace, Convolution convolution)
    : implementation_(std::make_unique<Implementation>(std::move(workspace), std::move(convolution))) {}
ConvolutionPlan::~ConvolutionPlan() = default;
ConvolutionPlan::ConvolutionPlan(ConvolutionPlan&&) noexcept = default;
ConvolutionPlan& ConvolutionPlan::operator=(ConvolutionPlan&&) noexcept = default;

const Convolution& ConvolutionPlan::convolution() const { return implementation_->convolution; }
const Device& ConvolutionPlan::device() const { return implementation_->workspace.device(); }
std::size_t ConvolutionPlan::signal_bytes() const { return implementation_->signal_bytes(); }
std::size_t ConvolutionPlan::filter_bytes() const { return implementation_->filter_bytes(); }
std::size_t ConvolutionPlan::output_bytes() const { return implementation_->output_bytes(); }

void ConvolutionPlan::check_precision(Precision precision) const {
  if (precision != implementation_->convolution.precision) {
    throw InvalidArgument(fmt::format("elements of precision {} were given; expected {}, for the convolution '{}'",
                                      to_string(precision), to_string(implementation_->convolution.precision),
                                      to_string(implementation_->convolution)));
  }
}

void ConvolutionPlan::set_filters(const Buffer& filters) {
  implementation_->check_buffer(filters, "filter bank", filter_bytes());
  implementation_->set_filters(filters.memory());
}

void ConvolutionPlan::set_filters_bytes(std::span<const std::byte> filters) {
  implementation_->check_size(filters.size(), "filter bank", filter_bytes());
  Buffer copy(device(), filters.size());
  copy.write_bytes(filters);
  set_filters(copy);
}

void ConvolutionPlan::execute(const Buffer& signal, Buffer& output, Profile* profile) const {
  implementation_->check_operands(signal, output);
  implementation_->check_ready();
  implementation_->convolver->execute(signal.memory(), output.memory(), profile);
}

void ConvolutionPlan::execute_with_filters(const Buffer& filters, const Buffer& signal, Buffer& output) {
  implementation_->check_buffer(filters, "filter bank", filter_bytes());
  implementation_->check_operands(signal, output);
  if (&filters.memory() == &output.memory()) {
    throw InvalidArgument("filter bank and output are the same buffer; expected two");
  }
  implementation_->execute_with_filters(filters.memory(), signal.memory(), output.memory());
}

void ConvolutionPlan::execute_bytes(std::span<const std::byte> signal, std::span<std::byte> output,
                                    Profile* profile) const {
  implementation_->check_size(signal.size(), "signal", signal_bytes());
  implementation_->check_size(output.size(), "output", output_bytes());
  implementation_->check_ready();
  if (run::overlap(signal, output)) throw InvalidArgument("signal and output overlap in memory; expected memory apart");
  if (device().engine().works_on_host_memory()) {
    // Convolvers do not write their input.
    backend::HostSpan from(const_cast<std::byte*>(signal.data()));
    backend::HostSpan to(output.data());
    return implementation_->convolver->execute(from, to, profile);
  }
  const auto signal_copy = implementation_->workspace.pool().borrow(signal.size());
  const auto output_copy = implementation_->workspace.pool().borrow(output.size());
  signal_copy.get()->write(signal.data(), signal.size());
  implementation_->convolver->execute(*signal_copy.get(), *output_copy.get(), profile);
  output_copy.get()->read(output.data(), output.size());
}

std::size_t ConvolutionPlan::scratch_bytes() const { return implementation_->convolver->scratch_bytes(); }
std::size_t ConvolutionPlan::spectra_bytes() const { return implementation_->convolver->spectra_bytes(); }

std::string ConvolutionPlan::describe() const {
  std::string text =
      fmt::format("{} on {} ({})\nmethod: {}{}\n", to_string(convolution()), device_name(device().info()),
                  device().info().name, implementation_->method(),
                  convolution().method == Convolution::Method::automatic ? ", the cheapest of:" : ", as asked; of:");
  for (const plan::MethodCost& cost : implementation_->recipe.compared) {
    text +=
        fmt::format("  {}{}: {:.3g} ms estimated\n", to_string(cost.method),
                    cost.segment != 0 ? fmt::format(" in segments of {}", cost.segment) : "", cost.nanoseconds * 1e-6);
  }
  return text + implementation_->convolver->describe() +
         fmt::format(
             "a sample that is not finite spoils the results that it touches\nkept of the filters: {} bytes, scratch: "
             "{} bytes\n",
             spectra_bytes(), scratch_bytes());
}

}  // namespace twiddle
