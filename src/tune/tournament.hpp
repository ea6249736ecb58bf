// A search among ways to compute one thing on one device: each is checked, then measured in turns with the best so far.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "twiddle/device.hpp"
#include "twiddle/tune.hpp"

namespace twiddle::tuning {

class Tournament {
 public:
  // One way, ready to be executed.
  struct Entrant {
    std::function<std::vector<std::byte>()> results;              // for samples that are the same for all
    std::function<double(std::size_t repetitions)> milliseconds;  // of one execution, from so many in a row
  };
  // What plans for a device with certain choices do. Throws Unsupported or DeviceError where that is nothing.
  using Make = std::function<Entrant(const Device&)>;

  // What is to be tried beside all that was found so far.
  struct Candidate {
    plan::ChoiceTable choices;
    std::function<bool(const DeviceLimits&)> takes_effect{};  // whether plans by these limits, its own, follow it
  };

  // Results are scalars of that precision, whose relative L2 distance from the present ones may be as large as
  // `tolerance`. Begins with the choices of the device. `options` must outlive the tournament.
  Tournament(const Device& device, Make make, Precision precision, double tolerance, const TuneOptions& options);

  // In order, until time runs out.
  void try_all(const std::vector<Candidate>& candidates, TuneProgress& progress);

  // The device with the best choices so far, and what is new among these.
  [[nodiscard]] Device best_device() const { return device_with(found_); }
  [[nodiscard]] const plan::ChoiceTable& found() const { return found_; }

  // The best beside the beginning. The whole gain counts: steps that were only just worthwhile may have been noise.
  [[nodiscard]] Tuning outcome();

 private:
  struct Comparison;

  [[nodiscard]] bool out_of_time() const;
  [[nodiscard]] Device device_with(const plan::ChoiceTable& found) const;
  void attempt(const Candidate& candidate);
  [[nodiscard]] Comparison compare(const Entrant& first, const Entrant& second, std::size_t times) const;

  const TuneOptions& options_;
  std::chrono::steady_clock::time_point start_;
  Device device_;
  plan::ChoiceTable stored_;
  Make make_;
  Precision precision_;
  double tolerance_;
  Entrant original_;
  std::vector<std::byte> expected_;
  std::size_t repetitions_ = 1;
  plan::ChoiceTable found_;
  std::optional<Entrant> best_;
  double speedup_ = 1;
  Tuning tuning_;
};

}  // namespace twiddle::tuning
