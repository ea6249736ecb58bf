// Turns, and the rule by which one way is taken to be faster than another.
#include "tune/tournament.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "tune/contender.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tuning {
namespace {

constexpr double worthwhile = 0.97;          // of the time before: less is not told from noise
constexpr double hopeless = 1.10;            // times the best so far, in the first look
constexpr double measured_milliseconds = 3;  // of executions in a row, so that the clock counts for nothing
constexpr std::size_t most_repetitions = 10000;
constexpr std::size_t looks = 3;
constexpr std::size_t rounds = 9;
constexpr std::size_t final_rounds = 21;

}  // namespace

// Both in turns, so that what slows the machine down for a while slows both.
struct Tournament::Comparison {
  double first;      // median, milliseconds
  double ratio;      // median of second / first
  double spread;     // half the distance between its quartiles
  std::size_t wins;  // of the second
  std::size_t times;

  // On a busy machine the medians alone may be luck. So many wins are: once in 50 times, were both as fast.
  [[nodiscard]] bool second_is_better() const { return ratio < worthwhile && 4 * wins > 3 * times; }
};

Tournament::Tournament(const Device& device, Make make, Precision precision, double tolerance,
                       const TuneOptions& options)
    : options_(options),
      start_(std::chrono::steady_clock::now()),
      device_(device),
      make_(std::move(make)),
      precision_(precision),
      tolerance_(tolerance),
      original_(make_(device)),
      expected_(original_.results()) {
  if (const auto choices = device.limits().choices) stored_ = *choices;
  const double once = original_.milliseconds(1);
  repetitions_ = std::clamp<std::size_t>(static_cast<std::size_t>(measured_milliseconds / std::max(once, 1e-6)), 1,
                                         most_repetitions);
}

bool Tournament::out_of_time() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  return elapsed.count() > options_.seconds;
}

Device Tournament::device_with(const plan::ChoiceTable& found) const {
  plan::ChoiceTable all = stored_;
  all.merge(found);
  return device_.with_choices(std::make_shared<const plan::ChoiceTable>(std::move(all)));
}

void Tournament::try_all(const std::vector<Candidate>& candidates, TuneProgress& progress) {
  progress.of += candidates.size();
  for (const Candidate& candidate : candidates) {
    if (out_of_time()) {
      tuning_.complete = false;
      return;
    }
    attempt(candidate);
    ++progress.tried;
    progress.speedup = speedup_;
    if (options_.progress) options_.progress(progress);
  }
}

void Tournament::attempt(const Candidate& candidate) {
  plan::ChoiceTable found = found_;
  found.merge(candidate.choices);
  ++tuning_.tried;
  std::optional<Entrant> entrant;
  try {
    const Device device = device_with(found);
    if (candidate.takes_effect && !candidate.takes_effect(device.limits())) {
      ++tuning_.refused;
      return;
    }
    entrant = make_(device);
    if (!(distance(expected_, entrant->results(), precision_) <= tolerance_)) {
      ++tuning_.wrong;
      return;
    }
  } catch (const Unsupported&) {
    ++tuning_.refused;
    return;
  } catch (const DeviceError&) {  // more registers or local memory than the device has, for some drivers
    ++tuning_.refused;
    return;
  }
  const Entrant& best = best_ ? *best_ : original_;
  if (compare(best, *entrant, looks).ratio > hopeless) return;
  const Comparison comparison = compare(best, *entrant, rounds);
  if (!comparison.second_is_better()) return;
  speedup_ /= comparison.ratio;
  best_ = std::move(entrant);
  found_ = std::move(found);
}

Tournament::Comparison Tournament::compare(const Entrant& first, const Entrant& second, std::size_t times) const {
  std::vector<double> firsts;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < times; ++i) {
    firsts.push_back(first.milliseconds(repetitions_));
    ratios.push_back(second.milliseconds(repetitions_) / firsts.back());
  }
  std::sort(ratios.begin(), ratios.end());
  return {median(firsts), ratios[times / 2], (ratios[times * 3 / 4] - ratios[times / 4]) / 2,
          static_cast<std::size_t>(std::count_if(ratios.begin(), ratios.end(), [](double one) { return one < 1; })),
          times};
}

Tuning Tournament::outcome() {
  if (!best_) {
    const Comparison itself = compare(original_, original_, looks);
    tuning_.before_milliseconds = tuning_.after_milliseconds = itself.first;
    tuning_.spread = itself.spread;
    return tuning_;
  }
  const Comparison comparison = compare(original_, *best_, final_rounds);
  tuning_.before_milliseconds = comparison.first;
  tuning_.spread = comparison.spread;
  const bool better = comparison.second_is_better();
  tuning_.after_milliseconds = better ? comparison.first * comparison.ratio : comparison.first;
  if (better) tuning_.choices = std::make_shared<const plan::ChoiceTable>(found_);
  return tuning_;
}

}  // namespace twiddle::tuning
