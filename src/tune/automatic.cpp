// From the devices of this machine to the one that computes a problem soonest.
#include "twiddle/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "plan/device/automatic.hpp"
#include "tune/automatic.hpp"
#include "tune/choice_store.hpp"
#include "tune/measure_profile.hpp"
#include "tune/profile_store.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle {
namespace {

using tuning::AutomaticCandidate;

// Profiles of this process, for when they cannot be kept.
class ProfileMemory {
 public:
  std::optional<plan::DeviceProfile> find(const tuning::ProfileKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = book_.find(key);
    return found == book_.end() ? std::nullopt : std::optional(found->second);
  }

  // Measures unless another thread has just done so.
  plan::DeviceProfile measure(const tuning::ProfileKey& key, const Device& device) {
    const std::lock_guard lock(mutex_);
    const auto found = book_.find(key);
    if (found != book_.end()) return found->second;
    return book_[key] = tuning::measure_profile(device);
  }

  void forget(const tuning::ProfileKey& key) {
    const std::lock_guard lock(mutex_);
    book_.erase(key);
  }

 private:
  std::mutex mutex_;
  tuning::ProfileBook book_;
};

ProfileMemory& profile_memory() {
  static ProfileMemory memory;
  return memory;
}

void add_note(std::vector<std::string>& notes, const std::string& note) {
  if (!note.empty() && std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

// Stored or measured; nothing, and why, where it is neither.
std::optional<plan::DeviceProfile> profile_of(const AutomaticCandidate& candidate, bool measure, std::string& reason,
                                              std::vector<std::string>& notes) {
  if (!tuning::profiles_allowed()) {
    reason = "not measured: TWIDDLE_PROFILES is \"off\"";
    return std::nullopt;
  }
  const tuning::ProfileKey key = tuning::profile_key_of(candidate.info);
  tuning::StoredProfile stored = tuning::stored_profile(candidate.info);
  add_note(notes, stored.complaint);
  if (stored.profile) return stored.profile;
  if (auto known = profile_memory().find(key)) return known;
  if (!measure) {
    reason = "not measured yet";
    return std::nullopt;
  }
  try {
    const plan::DeviceProfile profile = profile_memory().measure(key, candidate.open());
    try {
      if (const auto path = tuning::default_profile_file(); !path.empty() && stored.complaint.empty()) {
        tuning::add_to_profile_book(path, {{key, profile}});
        profile_memory().forget(key);
      }
    } catch (const Error& error) {
      add_note(notes, error.what());
    }
    return profile;
  } catch (const Error& error) {
    reason = fmt::format("not measured: {}", error.what());
    return std::nullopt;
  }
}

bool is_host(const DeviceInfo& info) { return info.backend == BackendKind::host; }

// Nothing, and why, where the device cannot compute it.
std::optional<plan::Work> possible_work(const AutomaticCandidate& candidate, const tuning::WorkOn& work_on,
                                        std::string& reason) {
  const DeviceInfo& info = candidate.info;
  try {
    const plan::Work work = work_on(candidate);
    const auto wide = [](const plan::StageWork& stage) { return stage.precision == Precision::float64; };
    if (!info.limits.float64 && std::any_of(work.stages.begin(), work.stages.end(), wide)) {
      throw Unsupported("it does not compute in double precision");
    }
    if (work.largest_allocation > info.limits.max_buffer || work.memory_bytes > info.global_memory) {
      throw Unsupported(fmt::format("it takes {} bytes of memory, {} of them in one piece; there are {} and {}",
                                    work.memory_bytes, work.largest_allocation, info.global_memory,
                                    info.limits.max_buffer));
    }
    return work;
  } catch (const Unsupported& error) {
    reason = error.what();
    return std::nullopt;
  }
}

AutomaticCandidate candidate_of(const Device& device) {
  return {device.info(), device.limits(), [device] { return device; }};
}

// Devices are opened only to measure them and to compute on them: that takes some drivers long.
std::vector<AutomaticCandidate> candidates_of(const AutomaticOptions& options) {
  std::vector<AutomaticCandidate> candidates{candidate_of(options.data.value_or(Device::host()))};
  const std::string data_name = device_name(candidates.front().info);
  if (!options.devices.empty()) {
    for (const std::string& name : options.devices) {
      const Device device = Device::open(name);
      if (device_name(device.info()) != data_name) candidates.push_back(candidate_of(device));
    }
    return candidates;
  }
  for (const DeviceInfo& info : list_devices().devices) {
    if (device_name(info) == data_name) continue;
    DeviceLimits limits = info.limits;
    limits.choices = tuning::stored_choices(info);
    candidates.push_back({info, std::move(limits), [name = device_name(info)] { return Device::open(name); }});
  }
  return candidates;
}

}  // namespace

namespace tuning {

plan::Work problem_work(const Problem& problem, const AutomaticCandidate& device) {
  for (const auto& hook : {problem.transform.load_hook, problem.transform.store_hook}) {
    if (hook && is_host(device.info) && !hook->function)
      throw Unsupported("a hook has no function, which the host needs");
    if (hook && !is_host(device.info) && hook->source.empty()) throw Unsupported("a hook has no source text");
  }
  return plan::work_of(problem, device.limits);
}

Ranking rank(const std::vector<AutomaticCandidate>& devices, const WorkOn& work_on, const AutomaticOptions& options) {
  if (!(options.executions > 0)) {
    throw InvalidArgument(fmt::format("executions is {}; expected a positive number", options.executions));
  }
  Ranking ranking;
  std::vector<plan::Candidate> candidates;
  std::vector<std::string> reasons(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const AutomaticCandidate& device = devices[i];
    plan::Candidate candidate{is_host(device.info), device.info.limits.compute_units, {}, {}};
    candidate.work = possible_work(device, work_on, reasons[i]);
    // Of the device that has the data, the way to others counts even where it cannot compute.
    if (candidate.work || i == 0) {
      std::string reason;
      candidate.profile = profile_of(device, options.measure, reason, ranking.comparison.notes);
      if (reasons[i].empty()) reasons[i] = reason;
    }
    candidates.push_back(std::move(candidate));
  }
  plan::AutomaticChoice choice = plan::choose_automatically(candidates, 0, options.executions);
  if (choice.order.empty()) throw Unsupported(reasons.front());
  ranking.comparison.measured = choice.measured;
  ranking.order = choice.order;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!candidates[i].work) choice.order.push_back(i);
  }
  for (const std::size_t i : choice.order) {
    DeviceCost cost{device_name(devices[i].info), devices[i].info.name};
    cost.possible = candidates[i].work.has_value();
    cost.note = reasons[i];
    if (choice.costs[i]) {
      cost.compared = true;
      cost.transfer_milliseconds = 1e3 * choice.costs[i]->transfer_seconds;
      cost.execution_milliseconds = 1e3 * choice.costs[i]->execution_seconds;
    }
    ranking.comparison.costs.push_back(std::move(cost));
  }
  return ranking;
}

Device open_first(const std::vector<AutomaticCandidate>& devices, const std::vector<std::size_t>& order) {
  std::string failures;
  for (const std::size_t i : order) {
    try {
      return devices[i].open();
    } catch (const Error& error) {  // gone since it was listed, or in somebody else's hands
      failures += fmt::format("{}{}: {}", failures.empty() ? "" : "; ", device_name(devices[i].info), error.what());
    }
  }
  throw DeviceError(fmt::format("no device that could compute this can be opened: {}", failures));
}

}  // namespace tuning

namespace {

tuning::WorkOn work_for(const Problem& problem) {
  return [&](const AutomaticCandidate& device) { return tuning::problem_work(problem, device); };
}

tuning::WorkOn work_for(const Convolution& convolution) {
  return [&](const AutomaticCandidate& device) { return plan::work_of(convolution, device.limits); };
}

template <class Task>
DeviceComparison compare(const Task& task, const AutomaticOptions& options) {
  return tuning::rank(candidates_of(options), work_for(task), options).comparison;
}

template <class Task>
Device choose(const Task& task, const AutomaticOptions& options) {
  const std::vector<AutomaticCandidate> candidates = candidates_of(options);
  return tuning::open_first(candidates, tuning::rank(candidates, work_for(task), options).order);
}

}  // namespace

DeviceComparison compare_devices(const Problem& problem, const AutomaticOptions& options) {
  return compare(problem, options);
}

DeviceComparison compare_devices(const Convolution& convolution, const AutomaticOptions& options) {
  return compare(convolution, options);
}

Device Device::automatic(const Problem& problem) { return choose(problem, {}); }
Device Device::automatic(const Problem& problem, const AutomaticOptions& options) { return choose(problem, options); }
Device Device::automatic(const Convolution& convolution) { return choose(convolution, {}); }
Device Device::automatic(const Convolution& convolution, const AutomaticOptions& options) {
  return choose(convolution, options);
}

}  // namespace twiddle
