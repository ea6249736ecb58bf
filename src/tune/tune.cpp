// The search for transforms: one line after the other.
#include "twiddle/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "plan/device/limits.hpp"
#include "plan/lower/stage.hpp"
#include "plan/recipe/recipe.hpp"
#include "tune/candidates.hpp"
#include "tune/choice_store.hpp"
#include "tune/contender.hpp"
#include "tune/tournament.hpp"
#include "twiddle/error.hpp"
#include "verify/bound.hpp"

namespace twiddle {
namespace {

using tuning::Tournament;

// All entrants work on the same memory.
Tournament::Make entrants_for(const Problem& problem) {
  return [problem, arena = std::shared_ptr<tuning::Arena>()](const Device& device) mutable {
    const auto contender = std::make_shared<tuning::Contender>(device, problem);
    if (!arena) arena = std::make_shared<tuning::Arena>(device, contender->plan(), problem);
    return Tournament::Entrant{
        [contender, arena] { return contender->results(*arena); },
        [contender, arena](std::size_t repetitions) { return contender->milliseconds(*arena, repetitions); }};
  };
}

double tolerance_of(const Problem& problem) {
  const double stored = problem.transform.precision == Precision::float16 ? 0x1p-10 : 0;
  return 2 * verify::arithmetic_bound(problem) + stored;
}

class Search {
 public:
  Search(const Device& device, const Problem& problem, const TuneOptions& options)
      : problem_(problem),
        options_(options),
        limits_(plan::limits_for(device.limits(), problem.transform.precision)),
        tournament_(device, entrants_for(problem), problem.transform.precision, tolerance_of(problem), options) {}

  Tuning run() {
    std::vector<plan::LineKey> done;
    for (;;) {
      // Another division brings other parts.
      const DeviceLimits best = tournament_.best_device().limits();
      std::vector<plan::LineKey> open =
          tuning::tunable_lines(plan::make_recipe(problem_.transform, best), problem_.transform, limits_);
      std::erase_if(open, [&](const plan::LineKey& line) { return std::count(done.begin(), done.end(), line) > 0; });
      if (open.empty()) return tournament_.outcome();
      done.push_back(open.front());
      improve(open.front());
    }
  }

 private:
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
    if (const plan::LineChoice* best = tournament_.found().find(key)) return *best;
    if (limits_.shape == DeviceLimits::Shape::owned) return tuning::host_columns(key, limits_);
    const auto measured = plan::measured_choice(key.length, key.use, limits_);
    return measured ? std::optional(plan::LineChoice{0, *measured}) : std::nullopt;
  }

  void try_all(const plan::LineKey& key, const std::vector<plan::LineChoice>& choices, TuneProgress& progress) {
    std::vector<Tournament::Candidate> candidates;
    for (const plan::LineChoice& choice : choices) {
      Tournament::Candidate& candidate = candidates.emplace_back();
      candidate.choices.set(key, choice);
      candidate.takes_effect = [this, key, choice](const DeviceLimits& limits) {
        return tuning::takes_effect(key, choice, problem_, limits);
      };
    }
    tournament_.try_all(candidates, progress);
  }

  const Problem& problem_;
  const TuneOptions& options_;
  DeviceLimits limits_;
  Tournament tournament_;
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
  for (const auto& [key, choice] : choices.banks()) lines.push_back(to_string(key, choice));
  return lines;
}

}  // namespace twiddle
