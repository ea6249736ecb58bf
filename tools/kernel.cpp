// twiddle kernel: the text of the kernels that a transform or a convolution is computed with. No device is needed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "commands.hpp"
#include "errors.hpp"
#include "kernel/kernel_source.hpp"
#include "options.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "plan/shape/joined.hpp"
#include "problem_options.hpp"
#include "run/convolution_programs.hpp"
#include "twiddle/convolution_text.hpp"

namespace twiddle::tool {
namespace {

struct KernelOptions {
  ProblemOptions problem;
  std::string limits;
  std::string device;
  Strategy strategy;
  kernel::Dialect dialect = kernel::Dialect::opencl;
};

// Of the limits that have names, those of devices that run kernels.
std::vector<std::string> limit_names() {
  std::vector<std::string> names = plan::limit_names();
  std::erase_if(names,
                [](const std::string& name) { return plan::named_limits(name).shape == DeviceLimits::Shape::owned; });
  return names;
}

// Those that --limits or --device names, as the dialect has words for.
DeviceLimits limits_of(const KernelOptions& options) {
  const std::string name = !options.limits.empty()                      ? options.limits
                           : !options.device.empty()                    ? options.device
                           : options.dialect == kernel::Dialect::opencl ? "nvidia-opencl"
                                                                        : "nvidia-cuda";
  DeviceLimits limits = options.limits.empty() ? planning_target(name).limits : plan::named_limits(name);
  limits.strategy = options.strategy;
  if (options.dialect == kernel::Dialect::opencl) {  // has no words for these
    limits.largest_cluster = 1;
    limits.bulk_copies = false;
  }
  if (limits.shape == DeviceLimits::Shape::owned) {
    throw UsageError(
        fmt::format("'{}' is a CPU, whose transforms are native code: choose a device that runs kernels, "
                    "or the limits of one: {}",
                    name, fmt::join(limit_names(), ", ")));
  }
  return limits;
}

void print(const plan::Program& program, kernel::Dialect dialect) {
  for (std::size_t i = 0; i < program.stages.size(); ++i) {
    if (plan::are_one_launch(program, i)) {
      const kernel::KernelSource source = kernel::two_stage_kernel(program, dialect);
      fmt::print(
          "// Stages {} and {} of {}, {}\n// {}\n// {}\n// Launch {} in {} groups of {} work-items for {} {}; {} "
          "bytes of local memory.{}\n{}",
          i + 1, i + 2, program.stages.size(), plan::joined_text(program, i).value(), to_string(program.stages[i]),
          to_string(program.stages[i + 1]), source.entry, source.groups, source.group_size, source.transforms,
          program.planes              ? "planes"
          : program.joined->ring == 0 ? "images"
                                      : "lines",
          source.local_memory,
          source.counter_bytes == 0 ? ""
                                    : fmt::format(" Of scratch memory, {} bytes behind the first {} are zero.",
                                                  source.counter_bytes, source.ring_bytes),
          source.text);
      ++i;
      continue;
    }
    const kernel::KernelSource source = kernel::stage_kernel(program.stages[i], dialect);
    if (const auto turns = plan::turns_text(program, i)) fmt::print("// {}\n", *turns);
    fmt::print(
        "// Stage {} of {}: {}\n// {}\n// Launch {} in {} groups of {} work-items for {} transforms; {} bytes of local "
        "memory.\n{}{}",
        i + 1, program.stages.size(), program.stages[i].step, to_string(program.stages[i]), source.entry, source.groups,
        source.group_size, source.transforms, source.local_memory, source.text,
        source.text.ends_with('\n') ? "" : "\n");
  }
}

// A convolution's programs, one after the other.
void run_convolution(const KernelOptions& options) {
  const ProblemOptions& problem = options.problem;
  if (problem.batch != 1 || !problem.axes.empty() || problem.inverse || problem.in_place) {
    throw UsageError(
        fmt::format("of a convolution such as '{}' only the device and the dialect may be said; its other options "
                    "are parts of the text, see docs/convolution.md",
                    problem.text));
  }
  for (const run::NamedProgram& named :
       run::convolution_programs(parse_convolution(problem.text), limits_of(options))) {
    fmt::print("// {}\n", named.name);
    print(named.program, options.dialect);
  }
}

void run_command(const KernelOptions& options) {
  if (is_convolution_text(options.problem.text)) return run_convolution(options);
  const auto [transform, direction, placement] = problem_of(options.problem);
  const DeviceLimits limits = limits_of(options);
  const plan::Recipe recipe = plan::make_recipe(transform, limits);
  print(plan::lower(recipe, transform, direction, placement, limits), options.dialect);
}

}  // namespace

void add_kernel_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("kernel", "Print the kernels of a transform or a convolution");
  const auto options = std::make_shared<KernelOptions>();
  add_problem_options(*command, options->problem);
  add_choice_option<kernel::Dialect>(*command, "--dialect", options->dialect,
                                     {{"opencl", kernel::Dialect::opencl}, {"cuda", kernel::Dialect::cuda}},
                                     "opencl (OpenCL C; the default) or cuda (CUDA C++)");
  CLI::Option* limits =
      command
          ->add_option("--limits", options->limits,
                       fmt::format("The device to write for: {} (default: nvidia-opencl or nvidia-cuda)",
                                   fmt::join(limit_names(), ", ")))
          ->type_name("NAME");
  command
      ->add_option("--device", options->device,
                   "The same, or a device of this machine: opencl[:n], cuda[:n], opencl@mali (as if it were a Mali)")
      ->type_name("NAME")
      ->excludes(limits);
  add_strategy_option(*command, options->strategy);
  command->footer(
      "Each stage is a complete program, after a comment that says how to launch it.\n\n"
      "Examples:\n"
      "  twiddle kernel 1000\n"
      "  twiddle kernel 1080x1920 --dialect cuda --inverse\n"
      "  twiddle kernel c2r:f32:1000:in=planar --dialect cuda\n"
      "  twiddle kernel 4096 --device mali\n"
      "  twiddle kernel conv:real:f32:1048576:32*257 --dialect cuda");
  command->callback([options] { run_command(*options); });
}

}  // namespace twiddle::tool
