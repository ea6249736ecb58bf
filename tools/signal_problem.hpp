// A convolution of files, ready to be computed by a stream or by a plan.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "convolve_signal.hpp"
#include "signal_files.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"

namespace twiddle::tool {

// Which rows of signal and filters meet.
enum class Pairing { every_filter, channel_by_channel };

// What is computed for itself: one convolution of all rows, or as many as there are channels.
struct Separate {
  Convolution each{};
  std::size_t count = 1;
};
[[nodiscard]] Separate separate(Convolution convolution, Pairing pairing);

struct SignalProblem {
  std::unique_ptr<SignalSource> signal;
  std::unique_ptr<SignalSource> filters;
  ElementType type{};  // that is computed in
  Pairing pairing = Pairing::every_filter;
  Convolution convolution{};  // of all rows
  Device device = Device::host();
  bool streamed = false;  // no method, device, post-processing or dimensions ask for all of it at once
};

// Opens the files. FileError, UsageError and InvalidArgument for what does not fit together.
[[nodiscard]] SignalProblem make_problem(const SignalConvolutionOptions& options);

// The filters times a gain, [filter][sample]; turned around and conjugated for a correlation by convolving.
[[nodiscard]] std::vector<std::byte> read_filters(SignalSource& source, ElementType type, double gain,
                                                  bool turned_around);

[[nodiscard]] SignalShape output_shape(const SignalProblem& problem, bool npy);

// Both return how it was done, for people. `progress` hears which part is done, from 0 to 1.
std::string stream_signal(const SignalConvolutionOptions& options, const SignalProblem& problem, SignalSink& sink,
                          const std::function<void(double)>& progress);
std::string plan_signal(const SignalConvolutionOptions& options, const SignalProblem& problem, SignalSink& sink,
                        const std::function<void(double)>& progress);

}  // namespace twiddle::tool
