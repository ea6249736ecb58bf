// Measuring strategies in turns.
#include "strategy_ways.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "twiddle/strategy.hpp"

namespace twiddle::studies {

std::vector<Sample> measure_strategies(const Setting& setting, const Trial& trial, const Problem& problem,
                                       const std::vector<StrategyWay>& ways) {
  Turns turns(setting, trial);
  for (const StrategyWay& way : ways) {
    turns.add(way.series,
              [&] { return transform_work(setting.device.with_strategy(parse_strategy(way.strategy)), problem); });
  }
  return turns.measure();
}

std::size_t batch_for(const Setting& setting, std::size_t n) {
  const bool gpu = setting.device.info().limits.compute_units > 32;
  const std::size_t points = std::size_t{1} << (gpu ? 22 : setting.quick ? 16 : 18);
  return std::max<std::size_t>(1, points / n);
}

std::string winner_text(const Samples& samples, const std::string& part, const std::string& x_name) {
  const std::vector<double> xs = xs_of(samples, part);
  if (xs.empty()) return "";
  const Sample* const best = fastest(samples, part, xs.back());
  const Sample* slowest = nullptr;
  for (const Sample& sample : samples) {
    if (sample.part != part || sample.x != xs.back() || !sample.complaint.empty()) continue;
    if (slowest == nullptr || sample.microseconds.median > slowest->microseconds.median) slowest = &sample;
  }
  if (best == nullptr || best == slowest) return "";
  return fmt::format("'{}' is the fastest at {:.0f} {}, {} times as fast as '{}'", best->series, best->x, x_name,
                     number_text(slowest->microseconds.median / best->microseconds.median), slowest->series);
}

}  // namespace twiddle::studies
