// What the command line reports besides the library's own errors, and the exit code of each kind.
#pragma once

#include <stdexcept>

namespace twiddle::tool {

inline constexpr int exit_failure = 1;  // files, devices, requests that cannot be served here
inline constexpr int exit_usage = 2;    // arguments that can never work

// The arguments make no sense.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file cannot be read or written, or does not hold what it should.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace twiddle::tool
