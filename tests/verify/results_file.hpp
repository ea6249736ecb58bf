// Where the exhaustive tests leave what they measured: a file for each part in the folder TWIDDLE_RESULTS.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace twiddle::test {

// One line for each result, written at once, so that an interrupted part leaves what it has; the last line of a
// finished part says how long it took, and whether anything failed: "seconds,12.3,right". Does nothing where
// TWIDDLE_RESULTS is not set.
class ResultsFile {
 public:
  ResultsFile(std::string_view device, std::string_view part) {
    const char* folder = std::getenv("TWIDDLE_RESULTS");
    if (folder == nullptr) return;
    path_ = std::filesystem::path(folder) / fmt::format("{}-{}.csv", device, part);
  }

  // By this very program, and without failures.
  [[nodiscard]] bool done_before() const {
    if (path_.empty() || !std::filesystem::exists(path_)) return false;
    if (std::filesystem::last_write_time(path_) < std::filesystem::last_write_time("/proc/self/exe")) return false;
    std::string last;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) last = line;
    return last.starts_with("seconds,") && last.ends_with(",right");
  }

  void add(std::string_view line) {
    if (path_.empty()) return;
    if (!file_.is_open()) {
      std::filesystem::create_directories(path_.parent_path());
      file_.open(path_);
    }
    file_ << line << std::endl;
  }

  void finish(bool failed) {
    const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start_;
    add(fmt::format("seconds,{:.1f},{}", duration.count(), failed ? "failed" : "right"));
  }

 private:
  std::filesystem::path path_;
  std::ofstream file_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace twiddle::test
