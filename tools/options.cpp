// Shared options and the strict parsing of their values.
#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "errors.hpp"
#include "plan/device/limits.hpp"
#include "twiddle/automatic.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

std::size_t parse_length(std::string_view text, std::string_view whole) {
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error == std::errc::result_out_of_range) {
    throw UsageError(fmt::format("length {} in size '{}' is too large", text, whole));
  }
  if (error != std::errc() || end != text.data() + text.size() || length == 0) {
    throw UsageError(
        fmt::format("'{}' in size '{}' is no length: expected positive whole numbers joined by 'x', such as "
                    "1024 or 1080x1920",
                    text, whole));
  }
  return length;
}

}  // namespace

CLI::Validator positive_number() {
  const auto complaint = [](const std::string& text) {
    double number = 0;
    if (CLI::detail::lexical_cast(text, number) && number > 0) return std::string();
    return fmt::format("'{}' is no number above 0", text);
  };
  return {complaint, "POSITIVE"};
}

void add_device_option(CLI::App& command, std::string& device, const std::string& otherwise) {
  command
      .add_option("--device", device,
                  "Where to compute: host, opencl[:n], cuda[:n], or auto, which measures the devices once and takes "
                  "the one that is soonest done (default: " +
                      otherwise + ")")
      ->type_name("NAME");
}

void add_strategy_option(CLI::App& command, Strategy& strategy) {
  const auto parse = [&strategy](const std::string& text) {
    try {
      strategy = parse_strategy(text);
    } catch (const InvalidArgument& error) {
      throw CLI::ValidationError("--strategy", error.what());
    }
  };
  command
      .add_option_function<std::string>("--strategy", parse,
                                        "Compute another way than twiddle chooses, such as radices=2,staging=memory")
      ->type_name("CHOICES");
}

void add_json_option(CLI::App& command, bool& json) { command.add_flag("--json", json, "Print the result as JSON"); }

void add_compute_options(CLI::App& command, ComputeOptions& options, const std::string& otherwise) {
  add_device_option(command, options.device, otherwise);
  command.add_flag("--profile", options.profile, "Print how long each step took");
  command.add_flag("--json", options.json, "Print what was done, and how long each step took, as JSON");
}

Device open_device(const std::string& name) {
  if (is_automatic(name)) throw UsageError("--device auto chooses for a problem; expected the name of a device here");
  return name.empty() ? Device::best() : Device::open(name);
}

Device open_device(const std::string& name, const Problem& problem, double executions) {
  return is_automatic(name) ? Device::automatic(problem, {.executions = executions}) : open_device(name);
}

Device open_device(const std::string& name, const Convolution& convolution) {
  return is_automatic(name) ? Device::automatic(convolution) : open_device(name);
}

PlanningTarget planning_target(const Device& device) {
  return {fmt::format("{} ({})", device_name(device.info()), device.info().name), device.limits()};
}

PlanningTarget planning_target(const std::string& name) {
  const std::vector<std::string> names = plan::limit_names();
  if (name == "host" || std::find(names.begin(), names.end(), name) == names.end()) {
    return planning_target(open_device(name));
  }
  return {fmt::format("limits '{}'", name), plan::named_limits(name)};
}

std::vector<std::size_t> parse_lengths(std::string_view text) {
  std::vector<std::size_t> lengths;
  std::string_view rest = text;
  for (;;) {
    const auto end = rest.find('x');
    lengths.push_back(parse_length(rest.substr(0, end), text));
    if (end == std::string_view::npos) return lengths;
    rest.remove_prefix(end + 1);
  }
}

std::vector<std::size_t> resolve_axes(const std::vector<int>& axes, std::size_t rank) {
  std::vector<std::size_t> resolved;
  for (const int axis : axes) {
    const auto limit = static_cast<long long>(rank);
    if (axis < -limit || axis >= limit) {
      throw UsageError(fmt::format("axis {} is out of range: an array of {} dimension{} has axes {}..{}", axis, rank,
                                   rank == 1 ? "" : "s", -limit, limit - 1));
    }
    resolved.push_back(static_cast<std::size_t>(axis < 0 ? axis + limit : axis));
  }
  return resolved;
}

}  // namespace twiddle::tool
