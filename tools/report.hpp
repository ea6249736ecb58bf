// What a command did and how long its steps took, for people and as JSON.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "twiddle/device.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::tool {

// Collects the steps of one command, those of the program beside those of the device.
class Report {
 public:
  // Runs `step` and appends its time under this name. Returns what the step returns.
  template <class Step>
  decltype(auto) timed(std::string name, Step step) {
    const Stopwatch stopwatch(*this, std::move(name));
    return step();
  }

  // Runs a step that the library profiles itself. What its entries leave of the time that has passed (kernels compiled
  // when first needed, memory allocated, waiting) becomes an entry of its own.
  template <class Step>
  void profiled(Step step) {
    const auto start = std::chrono::steady_clock::now();
    Profile entries;
    step(&entries);
    append(entries, milliseconds_since(start));
  }

  [[nodiscard]] const Profile& steps() const { return steps_; }
  // From the construction of the report until now.
  [[nodiscard]] double total_milliseconds() const { return milliseconds_since(start_); }

  // A table of the steps and their sum.
  [[nodiscard]] std::string table() const;
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  using Clock = std::chrono::steady_clock;

  static double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

  class Stopwatch {
   public:
    Stopwatch(Report& report, std::string name) : report_(report), name_(std::move(name)) {}
    ~Stopwatch() { report_.steps_.push_back({std::move(name_), milliseconds_since(start_)}); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

   private:
    Report& report_;
    std::string name_;
    Clock::time_point start_ = Clock::now();
  };

  void append(const Profile& entries, double elapsed);

  Clock::time_point start_ = Clock::now();
  Profile steps_;
};

// "host (AMD EPYC 9B14, AVX-512)"
[[nodiscard]] std::string describe(const DeviceInfo& info);
// Name, backend, index and driver, as commands report the device they used.
[[nodiscard]] nlohmann::ordered_json summary_json(const DeviceInfo& info);

// To standard output. File names need not be UTF-8; what is not is replaced.
void print_json(const nlohmann::ordered_json& value);

}  // namespace twiddle::tool
