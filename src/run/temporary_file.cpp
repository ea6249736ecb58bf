// POSIX calls: a file beside the target that rename() moves over it.
#include "run/temporary_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace twiddle::run {

TemporaryFile::TemporaryFile(const std::filesystem::path& folder) : path_((folder / ".writing-XXXXXX").string()) {
  descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (!kept_) unlink(path_.c_str());
}

bool TemporaryFile::write(const void* data, std::size_t size) const {
  const char* next = static_cast<const char*>(data);
  while (descriptor_ >= 0 && size > 0) {
    const ssize_t written = ::write(descriptor_, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    size -= static_cast<std::size_t>(written);
  }
  return descriptor_ >= 0;
}

bool TemporaryFile::rename_to(const std::filesystem::path& destination) {
  kept_ = descriptor_ >= 0 && fsync(descriptor_) == 0 && ::rename(path_.c_str(), destination.c_str()) == 0;
  return kept_;
}

}  // namespace twiddle::run
