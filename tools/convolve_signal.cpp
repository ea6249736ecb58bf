// Signals from files through filters from files: what is done in which order, and what is said about it.
#include "convolve_signal.hpp"

#include <fmt/format.h>

#include <cmath>

#include "errors.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "signal_problem.hpp"
#include "twiddle/convolution_text.hpp"

namespace twiddle::tool {
namespace {

constexpr std::size_t progress_steps = 100;

void check_post(const SignalConvolutionOptions& options, const SignalProblem& problem, bool npy) {
  const Convolution& convolution = problem.convolution;
  if (convolution.post.maximum && problem.pairing == Pairing::channel_by_channel) {
    throw UsageError(
        "--maximum compares filters, but every channel meets a filter of its own: give signal or filters with "
        "one channel");
  }
  if (!npy && convolution.signal_lengths.size() > 1) {
    throw UsageError(fmt::format("'{}': arrays of several dimensions are no sound; choose .npy", options.output));
  }
  if (!npy && (convolution.post.maximum || output_lengths(convolution) != convolved_lengths(convolution))) {
    throw UsageError(
        fmt::format("'{}': maxima and decimated or interbinned results are no sound at the signal's rate; "
                    "choose .npy",
                    options.output));
  }
}

}  // namespace

void convolve_signal(const SignalConvolutionOptions& options) {
  if (!(std::abs(options.gain) <= 1e9)) {
    throw UsageError(fmt::format("--gain is {}; expected a number between -1e9 and 1e9", options.gain));
  }
  const bool npy = is_npy_name(options.output);
  Report report;
  Progress progress(progress_steps);
  progress.step("reading " + options.filters);
  const SignalProblem problem = report.timed("open files and device", [&] { return make_problem(options); });
  check_post(options, problem, npy);
  const SignalShape shape = output_shape(problem, npy);
  const auto sink = create_signal(options.output, shape);
  std::size_t steps = 1;
  const auto advance = [&](double done) {
    for (; static_cast<double>(steps) < done * progress_steps; ++steps) progress.step("convolving " + options.signal);
  };
  const std::string method = report.timed("read, convolve, write", [&] {
    return (problem.streamed ? stream_signal : plan_signal)(options, problem, *sink, advance);
  });
  const std::string note = report.timed("finish file", [&] { return sink->commit(); });
  progress.finish();

  if (!note.empty()) fmt::print(stderr, "twiddle: note: {}\n", note);
  if (options.compute.json) {
    const auto [pair, pairs] = separate(problem.convolution, problem.pairing);
    return print_json({{"signal", options.signal},
                       {"filters", options.filters},
                       {"output", options.output},
                       {"problem", convolution_text(pair)},
                       {"pairs", pairs},  // of a channel and its filter, which are such a problem each
                       {"convolution", to_string(problem.convolution)},
                       {"method", method},
                       {"shape", shape.shape},
                       {"device", summary_json(problem.device.info())},
                       {"steps", report.json()},
                       {"total_milliseconds", report.total_milliseconds()}});
  }
  fmt::print("{}: {}, on {}\n{}\n", options.output, to_string(problem.convolution), describe(problem.device.info()),
             method);
  if (options.compute.profile) fmt::print("{}", report.table());
}

}  // namespace twiddle::tool
