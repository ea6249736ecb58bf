// Runs the twiddle command as a user would, in a folder of its own.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace twiddle::test {

// An empty folder that vanishes with this object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& bytes) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  // Names of all files, sorted, hidden ones too: shows whether anything was left behind.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

struct CommandResult {
  int exit_code = -1;  // -1 - signal where a signal ended it
  std::string output;
  std::string errors;
  std::size_t peak_memory = 0;  // resident, in bytes
};

// Runs `twiddle` with these arguments. Each of `environment` is NAME=value, added to that of the test.
[[nodiscard]] CommandResult run_twiddle(const std::vector<std::string>& arguments,
                                        const std::vector<std::string>& environment = {});

// The same with a terminal as standard error (what it shows: `errors`; the peak of memory is left out), and stopped for
// a while whenever it has run for so long, so that little work takes seconds.
[[nodiscard]] CommandResult run_slowly_on_terminal(const std::vector<std::string>& arguments,
                                                   std::chrono::milliseconds running);

}  // namespace twiddle::test
