// Signals through filters in one go, by any method, on any device, with post-processing: all of it in memory.
#include <algorithm>

#include "signal_problem.hpp"
#include "twiddle/convolution_plan.hpp"

namespace twiddle::tool {

std::string plan_signal(const SignalConvolutionOptions& options, const SignalProblem& problem, SignalSink& sink) {
  SignalSource& source = *problem.signal;
  std::vector<std::byte> signal(source.rows() * source.samples() * element_bytes(problem.type));
  source.read(0, source.samples(), problem.type, signal);
  const std::vector<std::byte> filters = read_filters(*problem.filters, problem.type, options.gain, false);

  Convolution convolution = problem.convolution;
  const std::size_t parts = problem.pairing == Pairing::channel_by_channel ? convolution.signals : 1;
  if (parts > 1) convolution.signals = convolution.filters = 1;
  ConvolutionPlan plan(problem.device, convolution);
  std::vector<std::byte> output(parts * plan.output_bytes());
  for (std::size_t part = 0; part < parts; ++part) {
    plan.set_filters_bytes(std::span(filters).subspan(part * plan.filter_bytes(), plan.filter_bytes()));
    plan.execute_bytes(std::span(signal).subspan(part * plan.signal_bytes(), plan.signal_bytes()),
                       std::span(output).subspan(part * plan.output_bytes(), plan.output_bytes()));
  }
  sink.write(output, output_lengths(convolution).back());
  // The method and why; its passes are more than a reader of results wants to know.
  const std::string description = plan.describe();
  const std::size_t begin = std::min(description.find("method: "), description.size());
  std::string method = description.substr(begin, description.find('\n', begin) - begin);
  if (method.ends_with("of:")) method.erase(method.find_last_of(",;"));  // a list of what was compared follows there
  return method;
}

}  // namespace twiddle::tool
