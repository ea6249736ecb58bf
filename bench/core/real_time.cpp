// Linux's first-in-first-out scheduling, for every thread of the process.
#include "real_time.hpp"

#include <sched.h>

#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace twiddle::bench {
namespace {

// Threads that end meanwhile do not matter; the calling one decides.
bool schedule_all(int policy, int priority) {
  const sched_param parameters{.sched_priority = priority};
  const bool allowed = sched_setscheduler(0, policy, &parameters) == 0;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", none)) {
    const std::string name = entry.path().filename().string();
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec != std::errc()) continue;
    sched_setscheduler(thread, policy, &parameters);
  }
  return allowed;
}

}  // namespace

RealTime::RealTime() {
  if (!schedule_all(SCHED_FIFO, 10)) {
    throw std::runtime_error("no right to run in real time: expected root, or CAP_SYS_NICE; leave out --real-time");
  }
}

RealTime::~RealTime() { schedule_all(SCHED_OTHER, 0); }

}  // namespace twiddle::bench
