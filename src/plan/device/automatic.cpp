// The comparison of devices.
#include "plan/device/automatic.hpp"

#include <algorithm>
#include <numeric>

#include "plan/device/execution_seconds.hpp"

namespace twiddle::plan {
namespace {

// From one device's memory to the host's and on to another's.
double transfer_seconds(const Candidate& candidate, const Candidate& data, const Work& work) {
  const auto input = static_cast<double>(work.input_bytes);
  const auto output = static_cast<double>(work.output_bytes);
  double seconds = 0;
  if (!data.host) seconds += data.profile->from_device.seconds(input) + data.profile->to_device.seconds(output);
  if (!candidate.host) {
    seconds += candidate.profile->to_device.seconds(input) + candidate.profile->from_device.seconds(output);
  }
  return seconds;
}

}  // namespace

AutomaticChoice choose_automatically(const std::vector<Candidate>& candidates, std::size_t data, double executions) {
  AutomaticChoice choice;
  choice.costs.resize(candidates.size());
  choice.measured = candidates[data].profile.has_value();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& candidate = candidates[i];
    if (!candidate.work) continue;
    choice.order.push_back(i);
    if (!candidate.profile || !choice.measured) continue;
    EstimatedCost& cost = choice.costs[i].emplace();
    cost.execution_seconds = executions * execution_seconds(*candidate.work, *candidate.profile, candidate.units) +
                             candidate.profile->after_writing.seconds(static_cast<double>(candidate.work->input_bytes));
    if (i != data) cost.transfer_seconds = transfer_seconds(candidate, candidates[data], *candidate.work);
  }
  // Whoever was not compared comes behind: the one with the data, the host, the others.
  const auto rank = [&](std::size_t i) { return i == data ? 0 : candidates[i].host ? 1 : 2; };
  std::stable_sort(choice.order.begin(), choice.order.end(), [&](std::size_t a, std::size_t b) {
    const auto& first = choice.costs[a];
    const auto& second = choice.costs[b];
    if (first.has_value() != second.has_value()) return first.has_value();
    return first ? first->total() < second->total() : rank(a) < rank(b);
  });
  choice.measured = !choice.order.empty() && choice.costs[choice.order.front()].has_value();
  return choice;
}

}  // namespace twiddle::plan
