// The search for filter banks: segments and groups, then small changes to the best of them.
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>

#include "plan/choice/bank_choice.hpp"
#include "tune/bank_candidates.hpp"
#include "tune/bank_contender.hpp"
#include "tune/tournament.hpp"
#include "twiddle/tune.hpp"

namespace twiddle {
namespace {

using tuning::Tournament;

// Relative, of results by transforms of other lengths: the definition's are a third of that apart from either.
constexpr double tolerated_epsilons = 32;

double tolerance_of(const Convolution& convolution) {
  const bool wide = convolution.precision == Precision::float64;
  return tolerated_epsilons *
         (wide ? std::numeric_limits<double>::epsilon() : static_cast<double>(std::numeric_limits<float>::epsilon()));
}

Tournament::Make entrants_for(const Convolution& convolution) {
  return [convolution, arena = std::shared_ptr<tuning::BankArena>()](const Device& device) mutable {
    const auto contender = std::make_shared<tuning::BankContender>(device, convolution);
    if (!arena) arena = std::make_shared<tuning::BankArena>(device, contender->plan());
    contender->plan().set_filters_bytes(arena->filters);
    return Tournament::Entrant{
        [contender, arena] { return contender->results(*arena); },
        [contender, arena](std::size_t repetitions) { return contender->milliseconds(*arena, repetitions); }};
  };
}

std::vector<Tournament::Candidate> as_candidates(const plan::BankKey& key,
                                                 const std::vector<plan::BankChoice>& choices) {
  std::vector<Tournament::Candidate> candidates;
  for (const plan::BankChoice& choice : choices) candidates.emplace_back().choices.set(key, choice);
  return candidates;
}

}  // namespace

Tuning tune(const Device& device, const Convolution& convolution, const TuneOptions& options) {
  Tournament tournament(device, entrants_for(convolution), convolution.precision, tolerance_of(convolution), options);
  std::optional<plan::BankChoice> refined = tuning::present_bank(convolution, device.limits());
  if (!refined) return tournament.outcome();
  const plan::BankKey key = plan::bank_key(convolution);
  TuneProgress progress{fmt::format("bank of {} x {} taps, {}, {}", to_string(key.filters), key.taps,
                                    key.complex ? "complex" : "real", to_string(key.precision)),
                        0, 0, 1};
  const DeviceLimits limits = device.limits();
  tournament.try_all(as_candidates(key, tuning::bank_candidates(convolution, limits, options.candidates)), progress);
  while (refined) {
    const plan::BankChoice* best = tournament.found().find(key);
    const plan::BankChoice from = best != nullptr ? *best : *refined;
    tournament.try_all(as_candidates(key, tuning::bank_refinements(convolution, from, limits)), progress);
    best = tournament.found().find(key);
    refined = best != nullptr && *best != from ? std::optional(*best) : std::nullopt;
  }
  return tournament.outcome();
}

}  // namespace twiddle
