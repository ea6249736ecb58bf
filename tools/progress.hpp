// A progress bar on standard error, for people only: it appears on a terminal, and only once a second has passed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace twiddle::tool {

// Counts the steps of one command. A thread of its own redraws the bar, so that a long step shows its running time.
// Where standard error is no terminal, nothing happens at all.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Ends the current step, if any, and begins the next: "reading in.png".
  void step(std::string name);

  // Wipes the bar, so that results can be printed. Destruction does it at the latest.
  void finish();

 private:
  void draw_until_done();

  const std::size_t steps_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t current_ = 0;  // 1-based
  std::string name_;
  bool done_ = false;
  std::thread thread_;
};

// "[######..............] 3/5 computing, 4 s"
[[nodiscard]] std::string progress_line(std::size_t current, std::size_t steps, const std::string& name,
                                        std::chrono::seconds elapsed);

}  // namespace twiddle::tool
