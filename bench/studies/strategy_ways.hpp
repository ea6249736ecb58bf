// Ways to compute a transform that differ in their strategy, as several studies compare them.
#pragma once

#include <string>
#include <vector>

#include "samples.hpp"
#include "turns.hpp"

namespace twiddle::studies {

struct StrategyWay {
  const char* series;
  const char* strategy;  // as parse_strategy() reads it
};

// Times a transform of the setting's device by each of these strategies, checked against the host's.
[[nodiscard]] std::vector<Sample> measure_strategies(const Setting& setting, const Trial& trial, const Problem& problem,
                                                     const std::vector<StrategyWay>& ways);

// So many transforms of n points that a device has enough to do.
[[nodiscard]] std::size_t batch_for(const Setting& setting, std::size_t n);

// "'blocked' is the fastest at 1000 points, 3.1 times as fast as 'host'", for a part's largest x and the slowest way
// there; empty where fewer than two ways were measured.
[[nodiscard]] std::string winner_text(const Samples& samples, const std::string& part, const std::string& x_name);

}  // namespace twiddle::studies
