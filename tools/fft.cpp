// twiddle fft: the transform of a NumPy array, with the conventions of numpy.fft and scipy.fft.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <span>

#include "array_problem.hpp"
#include "commands.hpp"
#include "errors.hpp"
#include "npy.hpp"
#include "npy_types.hpp"
#include "options.hpp"
#include "problem_options.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::tool {
namespace {

struct FftOptions {
  std::string input;
  std::string output;
  KindChoice kind;
  bool inverse = false;
  ArrayOptions array;
  ComputeOptions compute;
  Strategy strategy;
};

void convert(NpyArray& array, ElementType type) {
  if (array.type == type) return;
  std::vector<std::byte> converted(array.bytes.size() / element_bytes(array.type) * element_bytes(type));
  convert_elements(array.bytes, array.type, converted, type);
  array.bytes = std::move(converted);
  array.type = type;
}

// Replaces the elements, which must be of the problem's type, by their transform.
void execute(const Plan& plan, const ArrayProblem& array_problem, NpyArray& array, Profile* profile) {
  const auto& [transform, direction, placement] = array_problem.problem;
  if (array.bytes.empty()) {
    // Nothing is transformed.
  } else if (placement == Placement::in_place) {
    plan.execute_bytes(direction, array.bytes, profile);
  } else {
    std::vector<std::byte> result(plan.output_bytes(direction, placement));
    plan.execute_bytes(direction, std::span<const std::byte>(array.bytes).first(plan.input_bytes(direction, placement)),
                       result, profile);
    array.bytes = std::move(result);
  }
  array.type = array_problem.output;
  array.shape = array_problem.output_shape;
}

std::string array_text(const NpyArray& array) {
  return fmt::format("{} {}", fmt::join(array.shape, " x "), type_name(array.type));
}

void run(FftOptions options) {
  if (options.kind.inverse && options.inverse) {
    throw UsageError("--kind c2r is the inverse of r2c already; expected no --inverse beside it");
  }
  options.array.kind = options.kind.kind;
  options.array.inverse = options.inverse || options.kind.inverse;
  Report report;
  Progress progress(4);
  progress.step("reading " + options.input);
  NpyArray array = report.timed("read array", [&] { return read_npy(options.input); });
  const ArrayProblem task = make_array_problem(options.array, array.shape, array.fortran_order, array.type);
  const std::string input_text = array_text(array);
  progress.step("planning");
  const Device device = report.timed("open device", [&] {
    return open_device(options.compute.device, task.problem).with_strategy(options.strategy);
  });
  const Plan plan = report.timed("plan", [&] { return Plan(device, task.problem.transform); });
  progress.step("transforming");
  report.timed("convert elements", [&] { convert(array, task.input); });
  if (options.compute.profile || options.compute.json) {
    report.profiled([&](Profile* profile) { execute(plan, task, array, profile); });
  } else {
    execute(plan, task, array, nullptr);
  }
  progress.step("writing " + options.output);
  // NumPy has no complex numbers of half precision.
  if (array.type == ElementType{Precision::float16, true}) convert(array, {Precision::float32, true});
  report.timed("write array", [&] { write_npy(options.output, array); });
  progress.finish();

  if (options.compute.json) {
    const nlohmann::ordered_json result = {{"input", options.input},
                                           {"output", options.output},
                                           {"shape", array.shape},
                                           {"type", type_name(array.type)},
                                           {"problem", to_string(task.problem)},
                                           {"direction", options.array.inverse ? "inverse" : "forward"},
                                           {"device", summary_json(device.info())},
                                           {"steps", report.json()},
                                           {"total_milliseconds", report.total_milliseconds()}};
    print_json(result);
    return;
  }
  fmt::print("{} ({}): {} transform of {} ({}), on {}\n", options.output, array_text(array),
             options.array.inverse ? "inverse" : "forward", options.input, input_text, describe(device.info()));
  if (options.compute.profile) fmt::print("{}", report.table());
}

void add_lengths_option(CLI::App& command, const std::string& name, std::vector<std::size_t>& lengths,
                        const std::string& help) {
  command.add_option(name, lengths, help)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(positive_number())
      ->type_name("N,M");
}

void add_array_options(CLI::App& command, FftOptions& options) {
  add_kind_option(command, options.kind);
  command.add_flag("--inverse", options.inverse, "The inverse transform");
  command
      .add_option("--axes", options.array.axes,
                  "Axes to transform, such as 0 or 1,-1 (default: all); r2c and c2r halve the last one named")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  add_choice_option<Normalization>(
      command, "--norm", options.array.normalization,
      {{"backward", Normalization::backward},
       {"ortho", Normalization::ortho},
       {"forward", Normalization::forward},
       {"none", Normalization::none}},
      "Which direction is scaled by 1/N: backward (the inverse; the default) or forward; ortho: both by 1/sqrt(N); "
      "none: neither");
  add_choice_option<std::optional<Precision>>(
      command, "--precision", options.array.precision,
      {{"f16", Precision::float16},
       {"f32", Precision::float32},
       {"f64", Precision::float64},
       {"f80", Precision::extended}},
      "Of computation and result: f16, f32, f64 or f80 (default: the array's; f32 for float16)");
  add_lengths_option(command, "--zero-pad", options.array.zero_pad,
                     "Append zeros to each transformed axis, up to this length");
  add_lengths_option(command, "--crop", options.array.crop, "Use only so many elements of each transformed axis");
  command
      .add_option("--length", options.array.length,
                  "c2r: elements of the result's last axis (default: 2 (m - 1) for m frequencies)")
      ->check(positive_number())
      ->type_name("N");
}

}  // namespace

void add_fft_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("fft", "Transform a NumPy array");
  const auto options = std::make_shared<FftOptions>();
  command->add_option("IN", options->input, "A .npy file of any shape: floating-point, complex or integer")->required();
  command->add_option("OUT", options->output, "The transform, in the same order of elements")->required();
  add_array_options(*command, *options);
  add_compute_options(*command, options->compute);
  add_strategy_option(*command, options->strategy);
  command->footer(
      "Conventions are those of numpy.fft.fftn, rfftn and irfftn and of scipy.fft.dctn and dstn, and their inverses. "
      "As scipy.fft, it computes in the array's precision, and float16 in float32; integers become float64. --crop and "
      "--zero-pad are s= of fftn: crop comes first, both count elements of the input, and without --axes they are "
      "those "
      "of the last axes.\n\n"
      "Examples:\n"
      "  twiddle fft signal.npy spectrum.npy\n"
      "  twiddle fft spectrum.npy signal.npy --inverse\n"
      "  twiddle fft stack.npy rows.npy --axes -1 --norm ortho --device opencl --profile\n"
      "  twiddle fft recording.npy frequencies.npy --kind r2c --zero-pad 65536\n"
      "  twiddle fft frequencies.npy recording.npy --kind c2r --length 65536\n"
      "  twiddle fft picture.npy coefficients.npy --kind dct2 --norm ortho --precision f64");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
