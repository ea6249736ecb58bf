// A convolution made ready for a device: its filters are transformed once, any number of signals follow.
#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <string>

#include "twiddle/buffer.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"
#include "twiddle/plan.hpp"
#include "twiddle/workspace.hpp"

namespace twiddle {

// Executions may run in several threads at once, each on memory of its own, but not beside set_filters().
class ConvolutionPlan {
 public:
  // Throws InvalidArgument for a malformed convolution, Unsupported for what this device or the chosen method cannot
  // compute.
  ConvolutionPlan(Device device, Convolution convolution);
  // With working memory that several plans of a device share.
  ConvolutionPlan(Workspace workspace, Convolution convolution);
  ~ConvolutionPlan();
  ConvolutionPlan(ConvolutionPlan&&) noexcept;
  ConvolutionPlan& operator=(ConvolutionPlan&&) noexcept;

  [[nodiscard]] const Convolution& convolution() const;
  [[nodiscard]] const Device& device() const;

  // Bytes of the operands, whose shapes convolution.hpp gives.
  [[nodiscard]] std::size_t signal_bytes() const;
  [[nodiscard]] std::size_t filter_bytes() const;
  [[nodiscard]] std::size_t output_bytes() const;

  // Prepares the filters, from host memory or a buffer of the device, and keeps what is made of them; may be called
  // again. Where sums of columns and rows are cheapest, the filters decide whether these are used. Throws
  // InvalidArgument for a wrong size or precision, or where Method::separable was asked for and a filter is none.
  template <std::ranges::contiguous_range Filters>
  void set_filters(const Filters& filters) {
    check_precision(precision_of<std::ranges::range_value_t<Filters>>);
    set_filters_bytes(std::as_bytes(std::span(filters)));
  }
  void set_filters(const Buffer& filters);
  void set_filters_bytes(std::span<const std::byte> filters);

  // Convolves. Signal and output must not overlap, and have exactly signal_bytes() and output_bytes(). On host memory
  // returns when the result is there; on buffers once the work is submitted, with a profile when it is done. Throws
  // InvalidArgument before the filters are set.
  template <std::ranges::contiguous_range Signal, std::ranges::contiguous_range Output>
  void execute(const Signal& signal, Output&& output, Profile* profile = nullptr) const {
    check_precision(precision_of<std::ranges::range_value_t<Signal>>);
    check_precision(precision_of<std::ranges::range_value_t<Output>>);
    execute_bytes(std::as_bytes(std::span(signal)), std::as_writable_bytes(std::span(output)), profile);
  }
  void execute(const Buffer& signal, Buffer& output, Profile* profile = nullptr) const;
  void execute_bytes(std::span<const std::byte> signal, std::span<std::byte> output, Profile* profile = nullptr) const;

  // Sets the filters and convolves, as set_filters() and execute() do, but waits for nothing in between, where the
  // filters need not be read back (two dimensions, which may be separable) and overlap-save serves: for filters that
  // change with every signal. The filters must not change before the device is done (Device::synchronize()). On
  // GPUs with dependent launches segments are read while the filters are still transformed.
  void execute_with_filters(const Buffer& filters, const Buffer& signal, Buffer& output);

  // Working memory of one execution, in bytes, and what the plan keeps of the filters; as these were set last.
  [[nodiscard]] std::size_t scratch_bytes() const;
  [[nodiscard]] std::size_t spectra_bytes() const;

  // The method, the costs that were compared to choose it, and its passes, for people.
  [[nodiscard]] std::string describe() const;

 private:
  void check_precision(Precision precision) const;
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace twiddle
