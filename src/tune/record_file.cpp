// Reading and replacing files of records, and the lock beside them.
#include "tune/record_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "run/temporary_file.hpp"

namespace twiddle::tuning {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
  throw DeviceError(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)));
}

// Held by one process at a time. The file beside the records stays: removing it would let two in.
class Lock {
 public:
  explicit Lock(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail("lock", path, errno);
    while (flock(descriptor_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      close(descriptor_);
      fail("lock", path, error);
    }
  }
  ~Lock() { close(descriptor_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

std::filesystem::path user_file(const char* variable, std::string_view name) {
  if (const char* chosen = std::getenv(variable)) {
    return std::string_view(chosen) == "off" ? std::filesystem::path{} : std::filesystem::path(chosen);
  }
  std::string file;  // every plan asks: a path made of one string takes a third of the instructions
  if (const char* configuration = std::getenv("XDG_CONFIG_HOME"); configuration != nullptr && *configuration == '/') {
    file = configuration;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    file.append(home).append("/.config");
  } else {
    return {};
  }
  return file.append("/twiddle/").append(name);
}

std::optional<std::string> read_record_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("read", path, EISDIR);
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOENT) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail("read", path, errno);
  return text;
}

void check_record_folder(const std::filesystem::path& path) {
  std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::error_code ignored;
  while (!std::filesystem::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  if (!std::filesystem::is_directory(folder, ignored)) fail("write to", folder, ENOTDIR);
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail("write to", folder, errno);
}

void change_record_file(const std::filesystem::path& path,
                        const std::function<std::string(const std::filesystem::path&)>& change) {
  const std::filesystem::path full = std::filesystem::absolute(path);
  std::error_code error;
  std::filesystem::create_directories(full.parent_path(), error);
  if (error) fail("make the folder", full.parent_path(), error.value());
  const Lock lock(full.string() + ".lock");
  const std::string text = change(full);
  run::TemporaryFile file(full.parent_path());
  if (!file.write(text.data(), text.size()) || !file.rename_to(full)) fail("write", full, errno);
}

std::optional<FileVersion> FileVersion::of(const std::filesystem::path& path) {
  struct stat status {};
  if (path.empty() || stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileVersion{status.st_mtim, status.st_size, status.st_ino};
}

bool FileVersion::operator==(const FileVersion& other) const {
  return changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec && bytes == other.bytes &&
         number == other.number;
}

}  // namespace twiddle::tuning
