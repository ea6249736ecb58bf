// The search: one line after the other, each candidate beside the best so far, the outcome beside where it began.
#include "twiddle/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "plan/limits.hpp"
#include "plan/recipe.hpp"
#include "plan/stage.hpp"
#include "tune/candidates.hpp"
#include "tune/choice_store.hpp"
#include "tune/contender.hpp"
#include "twiddle/error.hpp"
#include "verify/bound.hpp"

namespace twiddle {
namespace {

using tuning::Contender;

constexpr double worthwhile = 0.97;          // of the time before: less is not told from noise
constexpr double hopeless = 1.10;            // times the best so far, in the first look
constexpr double measured_milliseconds = 3;  // of executions in a row, so that the clock counts for nothing
constexpr std::size_t most_repetitions = 10000;
constexpr std::size_t looks = 3;
constexpr std::size_t rounds = 9;
constexpr std::size_t final_rounds = 21;

// Both in turns, so that what slows the machine down for a while slows both.
struct Comparison {
  double first;  // medians, milliseconds
  double second;
  double ratio;      // median of second / first
  double spread;     // half the distance between its quartiles
  std::size_t wins;  // of the second
  std::size_t times;

  // On a busy machine the medians alone may be luck. So many wins are: once in 50 times, were both as fast.
  [[nodiscard]] bool second_is_better() const { return ratio < worthwhile && 4 * wins > 3 * times; }
};

class Search {
 public:
  Search(const Device& device, const Problem& problem, const TuneOptions& options)
      : problem_(problem),
        options_(options),
        device_(device),
        limits_(plan::limits_for(device.limits(), problem.transform.precision)),
        start_(std::chrono::steady_clock::now()),
        original_(device, problem),
        arena_(device, original_.plan(), problem),
        expected_(original_.results(arena_)),
        tolerance_(2 * verify::arithmetic_bound(problem) +
                   (problem.transform.precision == Precision::float16 ? 0x1p-10 : 0)) {
    if (device.limits().choices) stored_ = *device.limits().choices;
    const double once = original_.milliseconds(arena_, 1);
    repetitions_ = std::clamp<std::size_t>(static_cast<std::size_t>(measured_milliseconds / std::max(once, 1e-6)), 1,
                                           most_repetitions);
  }

  Tuning run() {
    const plan::Recipe recipe = plan::make_recipe(problem_.transform, device_.limits());
    std::vector<plan::LineKey> open = tuning::tunable_lines(recipe, problem_.transform, limits_);
    std::vector<plan::LineKey> done;
    while (!open.empty()) {
      const plan::LineKey key = open.front();
      done.push_back(key);
      improve(key);
      // Another division brings other parts.
      const Device best = device_with(found_);
      open = tuning::tunable_lines(plan::make_recipe(problem_.transform, best.limits()), problem_.transform, limits_);
      std::erase_if(open, [&](const plan::LineKey& line) { return std::count(done.begin(), done.end(), line) > 0; });
    }
    return outcome();
  }

 private:
  [[nodiscard]] bool out_of_time() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return elapsed.count() > options_.seconds;
  }

  [[nodiscard]] Device device_with(const plan::ChoiceTable& found) const {
    plan::ChoiceTable all = stored_;
    all.merge(found);
    return device_.with_choices(std::make_shared<const plan::ChoiceTable>(std::move(all)));
  }

  void improve(const plan::LineKey& key) {
    TuneProgress progress{fmt::format("{}, {}, {}", key.length, to_string(key.use), to_string(key.arithmetic)), 0, 0,
                          1};
    try_all(key, tuning::candidates(key, limits_, options_.candidates), progress);
    // What is there is refined as well where nothing else was faster.
    std::optional<plan::LineChoice> refined = present(key);
    while (refined) {
      try_all(key, tuning::refinements(key, *refined, limits_), progress);
      std::optional<plan::LineChoice> best = present(key);
      if (best == refined) break;
      refined = std::move(best);
    }
  }

  // By what such lines are computed so far, where something was measured for them.
  [[nodiscard]] std::optional<plan::LineChoice> present(const plan::LineKey& key) const {
    if (const plan::LineChoice* best = found_.find(key)) return *best;
    const auto measured = plan::measured_choice(key.length, key.use, limits_);
    return measured ? std::optional(plan::LineChoice{0, *measured}) : std::nullopt;
  }

  void try_all(const plan::LineKey& key, const std::vector<plan::LineChoice>& choices, TuneProgress& progress) {
    progress.of += choices.size();
    for (const plan::LineChoice& choice : choices) {
      if (out_of_time()) {
        tuning_.complete = false;
        return;
      }
      attempt(key, choice);
      ++progress.tried;
      progress.speedup = speedup_;
      if (options_.progress) options_.progress(progress);
    }
  }

  void attempt(const plan::LineKey& key, const plan::LineChoice& choice) {
    plan::ChoiceTable found = found_;
    found.set(key, choice);
    ++tuning_.tried;
    std::optional<Contender> contender;
    try {
      const Device device = device_with(found);
      if (!tuning::takes_effect(key, choice, problem_, device.limits())) {
        ++tuning_.refused;
        return;
      }
      contender.emplace(device, problem_);
      if (!(tuning::distance(expected_, contender->results(arena_), problem_.transform.precision) <= tolerance_)) {
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
    const Contender& best = best_ ? *best_ : original_;
    if (compare(best, *contender, looks).ratio > hopeless) return;
    const Comparison comparison = compare(best, *contender, rounds);
    if (!comparison.second_is_better()) return;
    speedup_ /= comparison.ratio;
    best_ = std::move(contender);
    found_ = std::move(found);
  }

  Comparison compare(const Contender& first, const Contender& second, std::size_t times) {
    std::vector<double> firsts;
    std::vector<double> seconds;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < times; ++i) {
      firsts.push_back(first.milliseconds(arena_, repetitions_));
      seconds.push_back(second.milliseconds(arena_, repetitions_));
      ratios.push_back(seconds.back() / firsts.back());
    }
    std::sort(ratios.begin(), ratios.end());
    return {tuning::median(firsts),
            tuning::median(seconds),
            ratios[times / 2],
            (ratios[times * 3 / 4] - ratios[times / 4]) / 2,
            static_cast<std::size_t>(std::count_if(ratios.begin(), ratios.end(), [](double one) { return one < 1; })),
            times};
  }

  // The whole gain counts: steps that were only just worthwhile may have been noise.
  Tuning outcome() {
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

  Problem problem_;
  const TuneOptions& options_;
  Device device_;
  DeviceLimits limits_;
  std::chrono::steady_clock::time_point start_;
  Contender original_;
  tuning::Arena arena_;
  std::vector<std::byte> expected_;
  double tolerance_;
  std::size_t repetitions_ = 1;
  plan::ChoiceTable stored_;
  plan::ChoiceTable found_;
  std::optional<Contender> best_;
  double speedup_ = 1;
  Tuning tuning_;
};

}  // namespace

Tuning tune(const Device& device, const Problem& problem, const TuneOptions& options) {
  return Search(device, problem, options).run();
}

void remember_choices(const Device& device, const plan::ChoiceTable& choices) {
  const std::filesystem::path path = tuning::default_choice_file();
  if (path.empty()) {
    throw Unsupported(
        "there is no file to keep choices in: TWIDDLE_CHOICES is \"off\", or no home folder is known; set "
        "TWIDDLE_CHOICES to a file");
  }
  tuning::add_to_choice_book(path, {{tuning::identity_of(device.info()), choices}});
}

std::vector<std::string> describe_choices(const plan::ChoiceTable& choices) {
  std::vector<std::string> lines;
  for (const auto& [key, choice] : choices.lines()) lines.push_back(to_string(key, choice));
  return lines;
}

}  // namespace twiddle
