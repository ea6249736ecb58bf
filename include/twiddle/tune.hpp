// Better choices by measuring: which radices, work-groups and divisions a device computes a transform fastest with, and
// which segments a bank of filters.
// Planning reads what was found and measures nothing itself, so plans are as fast to make as ever.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle {

struct TuneProgress {
  std::string line;       // "1000, rows, f32"
  std::size_t tried = 0;  // of the ways to compute it
  std::size_t of = 0;
  double speedup = 1;  // so far
};

struct TuneOptions {
  double seconds = 30;          // after which nothing new is tried; compiling and checking count
  std::size_t candidates = 40;  // tried for each line, at most; likely good ones come first
  std::function<void(const TuneProgress&)> progress{};
};

struct Tuning {
  double before_milliseconds = 0;  // of one execution by the choices so far: median of executions in turns with `after`
  double after_milliseconds = 0;   // by `choices`; the same as before where nothing better was found
  double spread = 0;               // half the distance between the quartiles of the ratio of the two
  std::size_t tried = 0;
  std::size_t refused = 0;                           // by the device or its compiler, or without effect on the problem
  std::size_t wrong = 0;                             // results off by more than rounding: never chosen
  bool complete = true;                              // false where time ran out
  std::shared_ptr<const plan::ChoiceTable> choices;  // what is new; null where nothing was at least 3 % faster

  [[nodiscard]] double speedup() const { return after_milliseconds > 0 ? before_milliseconds / after_milliseconds : 1; }
};

// Measures other ways to compute the lines of this problem on the device, one line after the other, beside the device's
// choices. Results of each are compared with those of the present one before it is timed. Nothing is stored; for the
// use of what was found, see remember_choices and Device::with_choices. Throws what a plan of the problem throws.
[[nodiscard]] Tuning tune(const Device& device, const Problem& problem, const TuneOptions& options = {});

// The same for a convolution by overlap-save of one dimension whose segments are left open: on the host which segments,
// on devices also by which passes and groups of work-items. Nothing is tried where another method is chosen for it.
// What is found serves all banks with as many taps, about as many filters (one, up to 15, more), real or complex alike,
// in that precision, for signals of at least a few segments.
[[nodiscard]] Tuning tune(const Device& device, const Convolution& convolution, const TuneOptions& options = {});

// Adds choices to the file that devices read by default: $TWIDDLE_CHOICES, else $XDG_CONFIG_HOME/twiddle/choices.json,
// else ~/.config/twiddle/choices.json. They hold for devices of the same name (on the host also: SIMD target). Safe
// between processes. Throws InvalidArgument where the file holds something else, Unsupported where TWIDDLE_CHOICES is
// "off", DeviceError where it cannot be written; then the file is as it was.
void remember_choices(const Device& device, const plan::ChoiceTable& choices);

// One line for each choice: "1000, rows, f32: 10.10.10, 100 items x 2", and then
// "bank of many x 257 taps, real, f32: segments of 1024 = 32.32, 32 items".
[[nodiscard]] std::vector<std::string> describe_choices(const plan::ChoiceTable& choices);

}  // namespace twiddle
