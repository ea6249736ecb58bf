// twiddle plan: how a transform would be computed, for a device of this machine or for one that is only described.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "plan/limits.hpp"
#include "plan/lower.hpp"
#include "plan/recipe.hpp"
#include "report.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::tool {
namespace {

struct PlanOptions {
  std::string size;
  std::size_t batch = 1;
  std::vector<int> axes;
  std::string device;
  std::string limits;
  bool inverse = false;
  bool in_place = false;
  bool json = false;
};

nlohmann::ordered_json to_json(const plan::Stage& stage) {
  nlohmann::ordered_json loops = nlohmann::ordered_json::array();
  for (const plan::Loop& loop : stage.loops) {
    loops.push_back(
        {{"count", loop.count}, {"input_stride", loop.input_stride}, {"output_stride", loop.output_stride}});
  }
  return {{"step", stage.step},
          {"length", stage.length},
          {"radices", stage.radices},
          {"input_stride", stage.input_stride},
          {"output_stride", stage.output_stride},
          {"loops", loops},
          {"items_per_transform", stage.shape.items_per_transform},
          {"transforms_per_group", stage.shape.transforms_per_group},
          {"text", to_string(stage)}};
}

void run(const PlanOptions& options) {
  const std::vector<std::size_t> lengths = parse_lengths(options.size);
  const Transform transform{
      .lengths = lengths, .axes = resolve_axes(options.axes, lengths.size()), .batch = options.batch};
  validate(transform);
  std::string target;
  DeviceLimits limits;
  if (!options.limits.empty()) {
    limits = plan::named_limits(options.limits);
    target = fmt::format("limits '{}'", options.limits);
  } else {
    const Device device = open_device(options.device);
    limits = device.info().limits;
    target = fmt::format("{} ({})", device_name(device.info()), device.info().name);
  }
  const plan::Recipe recipe = plan::make_recipe(transform, limits);
  const plan::Program program =
      plan::lower(recipe, transform, options.inverse ? Direction::inverse : Direction::forward,
                  options.in_place ? plan::Placement::in_place : plan::Placement::out_of_place, limits);
  const std::uint64_t scratch_bytes = program.scratch_bytes;
  if (options.json) {
    nlohmann::ordered_json result = {{"transform", to_string(transform)},
                                     {"direction", options.inverse ? "inverse" : "forward"},
                                     {"placement", options.in_place ? "in place" : "out of place"},
                                     {"target", target},
                                     {"axes", nlohmann::ordered_json::array()},
                                     {"stages", nlohmann::ordered_json::array()},
                                     {"scratch_bytes", scratch_bytes}};
    for (const plan::Recipe::Axis& axis : recipe.axes) {
      result["axes"].push_back({{"axis", axis.axis}, {"recipe", to_string(axis.line)}});
    }
    for (const plan::Stage& stage : program.stages) result["stages"].push_back(to_json(stage));
    print_json(result);
    return;
  }
  fmt::print("{}, {}, {}, for {}\n", to_string(transform), options.inverse ? "inverse" : "forward",
             options.in_place ? "in place" : "out of place", target);
  fmt::print("recipe\n");
  for (const plan::Recipe::Axis& axis : recipe.axes) fmt::print("  axis {}: {}\n", axis.axis, to_string(axis.line));
  fmt::print("stages\n");
  for (std::size_t i = 0; i < program.stages.size(); ++i) {
    fmt::print("  {}. {}\n     {}\n", i + 1, program.stages[i].step, to_string(program.stages[i]));
  }
  fmt::print("scratch memory: {} bytes\n", scratch_bytes);
}

}  // namespace

void add_plan_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("plan", "Show how a transform is computed");
  const auto options = std::make_shared<PlanOptions>();
  command->add_option("SIZE", options->size, "Lengths joined by 'x', the contiguous one last: 1000, 1080x1920")
      ->required();
  command->add_option("--batch", options->batch, "Number of arrays")->check(CLI::PositiveNumber)->type_name("N");
  command->add_option("--axes", options->axes, "Axes to transform, such as 0 or 1,-1 (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  CLI::Option* limits = command->add_option(
      "--limits", options->limits,
      fmt::format("Plan for a device that need not be there: {}", fmt::join(plan::limit_names(), ", ")));
  limits->type_name("NAME");
  add_device_option(*command, options->device);
  limits->excludes(command->get_option("--device"));
  command->add_flag("--inverse", options->inverse, "The inverse transform");
  command->add_flag("--in-place", options->in_place, "Input and output are the same memory");
  add_json_option(*command, options->json);
  command->footer(
      "Examples:\n"
      "  twiddle plan 1080x1920\n"
      "  twiddle plan 1000 --batch 4096 --device opencl\n"
      "  twiddle plan 16777216 --limits nvidia-cuda --json");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
