// What several commands understand alike: devices, sizes, reports.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::tool {

// Accepts numbers above 0. (CLI11's own says what it expects by writing out the largest double.)
[[nodiscard]] CLI::Validator positive_number();

// Options of every command that computes.
struct ComputeOptions {
  std::string device{};  // empty: the best there is
  bool profile = false;
  bool json = false;
};

// The help says where is computed without the option.
void add_device_option(CLI::App& command, std::string& device, const std::string& otherwise = "a GPU if there is one");
// A strategy in the grammar of strategy.hpp.
void add_strategy_option(CLI::App& command, Strategy& strategy);
void add_json_option(CLI::App& command, bool& json);
void add_compute_options(CLI::App& command, ComputeOptions& options,
                         const std::string& otherwise = "a GPU if there is one");

// An option that takes one of several words. `value` keeps what it holds where the option is not given.
template <class Value>
void add_choice_option(CLI::App& command, const std::string& name, Value& value,
                       const std::vector<std::pair<std::string, Value>>& choices, const std::string& help) {
  const auto parse = [name, &value, choices](const std::string& word) {
    std::string words;
    for (const auto& [choice, meaning] : choices) {
      if (word == choice) {
        value = meaning;
        return;
      }
      words += (words.empty() ? "" : ", ") + choice;
    }
    throw CLI::ValidationError(name, "'" + word + "' is unknown; expected one of " + words);
  };
  command.add_option_function<std::string>(name, parse, help)->type_name("NAME");
}

// Device::open, or Device::best for an empty name. UsageError for "auto", which needs something to compute.
[[nodiscard]] Device open_device(const std::string& name);

// The same, with "auto" for the device that computes the problem soonest from and to the host's memory; executed so many
// times between the two.
[[nodiscard]] Device open_device(const std::string& name, const Problem& problem, double executions = 1);
[[nodiscard]] Device open_device(const std::string& name, const Convolution& convolution);

// What planning needs of a device: one of this machine, or one of which only the limits are known ("mali").
struct PlanningTarget {
  std::string text;  // "host (AMD EPYC 9B14)"
  DeviceLimits limits;
};
[[nodiscard]] PlanningTarget planning_target(const Device& device);
[[nodiscard]] PlanningTarget planning_target(const std::string& name);

// Whether the name stands for another device for every problem.
[[nodiscard]] inline bool is_automatic(std::string_view name) { return name == "auto"; }

// "1080x1920" -> {1080, 1920}. Throws UsageError for anything but positive whole numbers joined by 'x'.
[[nodiscard]] std::vector<std::size_t> parse_lengths(std::string_view text);

// Axes as NumPy counts them, negative ones from the end, to indices below `rank`. Throws UsageError.
[[nodiscard]] std::vector<std::size_t> resolve_axes(const std::vector<int>& axes, std::size_t rank);

}  // namespace twiddle::tool
