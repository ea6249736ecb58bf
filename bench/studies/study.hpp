// A study: what one published piece of work measured, measured again on a device of the user's. Values only: studies
// are listed, run, printed and drawn elsewhere.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measurement.hpp"
#include "twiddle/device.hpp"

namespace twiddle::studies {

// Where, and how thoroughly.
struct Setting {
  Device device;
  bool quick = false;  // fewer sizes and rounds: all studies in two minutes
};

// What is measured together, its ways taking turns: one row of one table.
struct Trial {
  std::string part;  // which table: "8 filters"
  double x = 0;      // where in it: points, pixels, work-items
  bool operator==(const Trial&) const = default;
};

// One way's time in a trial.
struct Sample {
  std::string part;
  double x = 0;
  std::string series;            // which column: "radix 2 only"
  bench::Spread microseconds{};  // median and quartiles
  std::string complaint{};       // why there is no time
};

// A published figure beside what was found here.
struct Comparison {
  std::string what;
  std::string published;
  std::string here;
  bool operator==(const Comparison&) const = default;
};

struct Study {
  std::string name;      // as the command takes it: "overlap-save"
  std::string title;     // "Segment length of overlap-save"
  std::string shows;     // what to look for, one or two sentences
  std::string source;    // where it was published
  std::string quantity;  // what is timed: "one transform"
  std::string x_name;    // "points"
  // Why a device cannot have this study; nothing where it can.
  std::function<std::optional<std::string>(const Device&)> obstacle = [](const Device&) { return std::nullopt; };
  std::function<std::vector<Trial>(const Setting&)> trials;
  // Throws Unsupported for what the device cannot do, DeviceError for a result that is wrong.
  std::function<std::vector<Sample>(const Setting&, const Trial&)> measure;
  // Both computed from the samples, and able to say so where too few are there.
  std::function<std::vector<Comparison>(const std::vector<Sample>&)> comparisons;
  std::function<std::string(const std::vector<Sample>&)> reading;  // one sentence
};

// All of them, in the order in which they are run.
[[nodiscard]] const std::vector<Study>& all_studies();

// Throws InvalidArgument, naming all, where there is none of this name.
[[nodiscard]] const Study& find_study(const std::string& name);

// How the complaint about a wrong result begins.
inline constexpr const char* wrong_result = "wrong result";
[[nodiscard]] bool is_wrong(const Sample& sample);

}  // namespace twiddle::studies
