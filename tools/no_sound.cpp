// What stands for sound files in a build without libsndfile.
#include <fmt/format.h>

#include "errors.hpp"
#include "signal_files.hpp"

namespace twiddle::tool {

std::unique_ptr<SignalSource> open_sound(const std::string& path) {
  throw FileError(
      fmt::format("cannot read '{}': it is no .npy file, and this build reads no sound files: build it again "
                  "with libsndfile (libsndfile1-dev)",
                  path));
}

std::unique_ptr<SignalSink> create_sound(const std::string& path, const SignalShape&) {
  throw FileError(
      fmt::format("cannot write '{}': this build writes no sound files: build it again with libsndfile "
                  "(libsndfile1-dev), or choose .npy",
                  path));
}

}  // namespace twiddle::tool
