// twiddle plan: how a transform or a convolution would be computed, a transform also for a device that is only
// described.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "problem_options.hpp"
#include "report.hpp"
#include "twiddle/automatic.hpp"
#include "twiddle/convolution_plan.hpp"
#include "twiddle/convolution_text.hpp"

namespace twiddle::tool {
namespace {

struct PlanOptions {
  ProblemOptions problem;
  std::string device;
  std::string data;
  std::string limits;
  Strategy strategy;
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
          {"vector", stage.shape.vector},
          {"groups_per_transform", stage.shape.groups_per_transform},
          {"prefetch", stage.shape.prefetch},
          {"text", to_string(stage)}};
}

nlohmann::ordered_json to_json(const DeviceComparison& comparison) {
  nlohmann::ordered_json costs = nlohmann::ordered_json::array();
  for (const DeviceCost& cost : comparison.costs) {
    nlohmann::ordered_json entry = {{"device", cost.device}, {"name", cost.name}, {"possible", cost.possible}};
    if (cost.compared) {
      entry["transfer_milliseconds"] = cost.transfer_milliseconds;
      entry["execution_milliseconds"] = cost.execution_milliseconds;
    }
    if (!cost.note.empty()) entry["note"] = cost.note;
    costs.push_back(std::move(entry));
  }
  return {{"measured", comparison.measured}, {"notes", comparison.notes}, {"devices", costs}};
}

void print(const DeviceComparison& comparison) {
  fmt::print("{}\n", comparison.measured ? "devices, by the time that they are estimated to take"
                                         : "devices, by the rule for those that were not measured");
  for (const DeviceCost& cost : comparison.costs) {
    std::string text = cost.note;
    if (cost.compared) {
      text = fmt::format("{:.4g} ms: {:.4g} computing, {:.4g} moving data",
                         cost.execution_milliseconds + cost.transfer_milliseconds, cost.execution_milliseconds,
                         cost.transfer_milliseconds);
    } else if (!cost.possible) {
      text = "impossible: " + text;
    }
    fmt::print("  {} ({}){}{}\n", cost.device, cost.name, text.empty() ? "" : ": ", text);
  }
  for (const std::string& note : comparison.notes) fmt::print("note: {}\n", note);
}

AutomaticOptions automatic_options(const PlanOptions& options) {
  AutomaticOptions result;
  if (!options.data.empty()) result.data = Device::open(options.data);
  return result;
}

// Which method convolves, and what the others would take. Compiles what the device needs.
void run_convolution(const PlanOptions& options) {
  const ProblemOptions& problem = options.problem;
  if (problem.batch != 1 || !problem.axes.empty() || problem.inverse || problem.in_place || !options.limits.empty() ||
      !options.data.empty() || options.strategy != Strategy{}) {
    throw UsageError(
        fmt::format("of a convolution such as '{}' only --device and --json may be said; its other options "
                    "are parts of the text, see docs/convolution.md",
                    problem.text));
  }
  const std::vector<std::string> described = plan::limit_names();
  if (std::find(described.begin(), described.end(), options.device) != described.end() && options.device != "host") {
    throw UsageError(
        fmt::format("device '{}' is only described; a convolution's plan needs one that is there, or '{}' "
                    "behind the name of one, such as opencl@{}",
                    options.device, options.device, options.device));
  }
  const Convolution convolution = parse_convolution(problem.text);
  const ConvolutionPlan plan(open_device(options.device, convolution), convolution);
  if (!options.json) return fmt::print("{}", plan.describe());
  print_json({{"problem", problem.text},
              {"convolution", to_string(convolution)},
              {"target", describe(plan.device().info())},
              {"text", plan.describe()},
              {"spectra_bytes", plan.spectra_bytes()},
              {"scratch_bytes", plan.scratch_bytes()}});
}

void run(const PlanOptions& options) {
  if (is_convolution_text(options.problem.text)) return run_convolution(options);
  const Problem problem = problem_of(options.problem);
  const auto& [transform, direction, placement] = problem;
  if (!options.data.empty() && !is_automatic(options.device)) throw UsageError("--data is for --device auto");
  std::optional<DeviceComparison> comparison;
  PlanningTarget planning;
  if (!options.limits.empty()) {
    planning = {fmt::format("limits '{}'", options.limits), plan::named_limits(options.limits)};
  } else if (is_automatic(options.device)) {
    comparison = compare_devices(problem, automatic_options(options));
    planning = planning_target(Device::automatic(problem, automatic_options(options)));
  } else {
    planning = planning_target(options.device);
  }
  planning.limits.strategy = options.strategy;
  const auto& [target, limits] = planning;
  const plan::Recipe recipe = plan::make_recipe(transform, limits);
  const plan::Program program = plan::lower(recipe, transform, direction, placement, limits);
  const char* direction_name = direction == Direction::inverse ? "inverse" : "forward";
  const char* placement_name = placement == Placement::in_place ? "in place" : "out of place";
  const std::uint64_t scratch_bytes = program.scratch_bytes;
  if (options.json) {
    nlohmann::ordered_json result = {{"problem", to_string(problem)},
                                     {"transform", to_string(transform)},
                                     {"direction", direction_name},
                                     {"placement", placement_name},
                                     {"target", target},
                                     {"axes", nlohmann::ordered_json::array()},
                                     {"stages", nlohmann::ordered_json::array()},
                                     {"scratch_bytes", scratch_bytes}};
    for (const plan::Recipe::Axis& axis : recipe.axes) {
      result["axes"].push_back({{"axis", axis.axis}, {"recipe", to_string(axis)}});
    }
    for (const plan::Stage& stage : program.stages) result["stages"].push_back(to_json(stage));
    for (const plan::Program::Turns& turns : program.turns) {
      result["slices"].push_back({{"first_stage", turns.first},
                                  {"stages", turns.stages},
                                  {"count", plan::launch_count(program.stages[turns.first])}});
    }
    if (program.joined) {
      result["joined"] = {{"first_stage", program.joined->first},
                          {"lines", program.joined->lines},
                          {"lines_in_scratch", program.joined->ring}};
    }
    if (program.planes) {
      result["planes"] = {{"first_stage", program.planes->first}, {"count", program.planes->count}};
    }
    if (comparison) result["comparison"] = to_json(*comparison);
    print_json(result);
    return;
  }
  fmt::print("{}, {}, {}, for {}\n", to_string(transform), direction_name, placement_name, target);
  if (comparison) print(*comparison);
  fmt::print("recipe\n");
  for (const plan::Recipe::Axis& axis : recipe.axes) fmt::print("  axis {}: {}\n", axis.axis, to_string(axis));
  fmt::print("stages\n");
  for (std::size_t i = 0; i < program.stages.size(); ++i) {
    if (const auto turns = plan::turns_text(program, i)) fmt::print("  {}\n", *turns);
    if (const auto joined = plan::joined_text(program, i)) fmt::print("  {}\n", *joined);
    fmt::print("  {}. {}\n     {}\n", i + 1, program.stages[i].step, to_string(program.stages[i]));
  }
  fmt::print("scratch memory: {} bytes\n", scratch_bytes);
}

}  // namespace

void add_plan_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("plan", "Show how a transform or a convolution is computed");
  const auto options = std::make_shared<PlanOptions>();
  add_problem_options(*command, options->problem);
  CLI::Option* limits = command->add_option(
      "--limits", options->limits,
      fmt::format("Plan for a device that need not be there: {}", fmt::join(plan::limit_names(), ", ")));
  limits->type_name("NAME");
  add_device_option(*command, options->device);
  command->get_option("--device")
      ->description(command->get_option("--device")->get_description() + "; or, as --limits, what need not be there");
  limits->excludes(command->get_option("--device"));
  command->add_option("--data", options->data, "With --device auto: the device that has the data (default: host)")
      ->type_name("NAME");
  add_strategy_option(*command, options->strategy);
  add_json_option(*command, options->json);
  command->footer(
      "Examples:\n"
      "  twiddle plan 1080x1920\n"
      "  twiddle plan 1000 --batch 4096 --device opencl\n"
      "  twiddle plan 4096 --limits nvidia-opencl --strategy radices=2,staging=memory\n"
      "  twiddle plan r2c:f64:16*1080x1920:axes=1\n"
      "  twiddle plan 1080x1920 --device auto --data opencl\n"
      "  twiddle plan conv:real:f32:1048576:32*257 --device host\n"
      "  twiddle plan 16777216 --limits nvidia-cuda --json");
  command->callback([options] { run(*options); });
}

}  // namespace twiddle::tool
