// Keeping other programs away while something is timed.
#pragma once

namespace twiddle::bench {

// While it lives, all threads that the process has now run before those of other programs. Throws std::runtime_error
// where the system does not allow that (it takes root, or CAP_SYS_NICE).
class RealTime {
 public:
  RealTime();
  ~RealTime();
  RealTime(const RealTime&) = delete;
  RealTime& operator=(const RealTime&) = delete;
};

}  // namespace twiddle::bench
