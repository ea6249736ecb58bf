// twiddle fft: the transform of a NumPy array, with the conventions of numpy.fft.fftn.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "npy.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::tool {
namespace {

struct FftOptions {
  std::string input;
  std::string output;
  bool inverse = false;
  std::vector<int> axes;
  Normalization normalization = Normalization::backward;
  ComputeOptions compute;
};

// An array in Fortran order is the array of reversed shape in C order, its axes counted from the other end.
Transform transform_of(const FftOptions& options, const NpyArray& array) {
  Transform transform{.lengths = array.shape,
                      .axes = resolve_axes(options.axes, array.shape.size()),
                      .normalization = options.normalization};
  if (array.fortran_order) {
    std::reverse(transform.lengths.begin(), transform.lengths.end());
    for (std::size_t& axis : transform.axes) axis = array.shape.size() - 1 - axis;
  }
  std::sort(transform.axes.begin(), transform.axes.end());
  return transform;
}

void run(const FftOptions& options) {
  Report report;
  Progress progress(4);
  progress.step("reading " + options.input);
  NpyArray array = report.timed("read array", [&] { return read_npy(options.input); });
  const Transform transform = transform_of(options, array);
  progress.step("planning");
  const Device device = report.timed("open device", [&] { return open_device(options.compute.device); });
  const Plan plan = report.timed("plan", [&] { return Plan(device, transform); });
  progress.step("transforming");
  const Direction direction = options.inverse ? Direction::inverse : Direction::forward;
  if (options.compute.profile || options.compute.json) {
    report.profiled([&](Profile* profile) { plan.execute(direction, array.values, profile); });
  } else {
    plan.execute(direction, array.values);
  }
  progress.step("writing " + options.output);
  report.timed("write array", [&] { write_npy(options.output, array); });
  progress.finish();

  if (options.compute.json) {
    const nlohmann::ordered_json result = {{"input", options.input},
                                           {"output", options.output},
                                           {"shape", array.shape},
                                           {"direction", options.inverse ? "inverse" : "forward"},
                                           {"device", summary_json(device.info())},
                                           {"steps", report.json()},
                                           {"total_milliseconds", report.total_milliseconds()}};
    print_json(result);
    return;
  }
  fmt::print("{}: {} transform of {} ({}), on {}\n", options.output, options.inverse ? "inverse" : "forward",
             options.input, fmt::join(array.shape, " x "), describe(device.info()));
  if (options.compute.profile) fmt::print("{}", report.table());
}

}  // namespace

void add_fft_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("fft", "Transform a NumPy array");
  const auto options = std::make_shared<FftOptions>();
  command->add_option("IN", options->input, "Array of complex64: a .npy file of any shape")->required();
  command->add_option("OUT", options->output, "The transform: complex64, the same shape and order")->required();
  command->add_flag("--inverse", options->inverse, "The inverse transform");
  command->add_option("--axes", options->axes, "Axes to transform, such as 0 or 1,-1 (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  add_choice_option<Normalization>(
      *command, "--norm", options->normalization,
      {{"backward", Normalization::backward}, {"ortho", Normalization::ortho}, {"forward", Normalization::forward}},
      "Which direction is scaled by 1/N: backward (the inverse; the default) or forward; ortho: both by 1/sqrt(N)");
  add_compute_options(*command, options->compute);
  command->footer(
      "Conventions are those of numpy.fft.fftn and ifftn.\n\n"
      "Examples:\n"
      "  twiddle fft signal.npy spectrum.npy\n"
      "  twiddle fft spectrum.npy signal.npy --inverse\n"
      "  twiddle fft stack.npy rows.npy --axes -1 --norm ortho --device opencl --profile");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
