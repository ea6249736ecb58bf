// Reading and atomic writing of files, through POSIX calls: rename() over the target is what makes the write atomic.
#include "files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "errors.hpp"

namespace twiddle::tool {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_write_error(const std::string& path, int error) {
  throw FileError(fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

// A new file beside the target that vanishes again unless it is moved into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target, const std::string& shown) : target_(target), shown_(shown) {
    path_ = (target.parent_path() / fmt::format(".{}.XXXXXX", target.filename().string().substr(0, 200))).string();
    descriptor_ = ::mkstemp(path_.data());
    if (descriptor_ < 0) throw_write_error(shown_, errno);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!moved_) ::unlink(path_.c_str());
  }

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void move_into_place() {
    struct stat existing {};
    mode_t mode = 0;
    if (::stat(target_.c_str(), &existing) == 0) {
      mode = existing.st_mode & 0777;
    } else {
      const mode_t mask = ::umask(0);
      ::umask(mask);
      mode = 0666 & ~mask;
    }
    // Data must have arrived before the name does: a full disk may show only here.
    if (::fchmod(descriptor_, mode) != 0 || ::fsync(descriptor_) != 0) throw_write_error(shown_, errno);
    if (::rename(path_.c_str(), target_.c_str()) != 0) throw_write_error(shown_, errno);
    moved_ = true;
  }

 private:
  fs::path target_;
  std::string shown_;
  std::string path_;
  int descriptor_ = -1;
  bool moved_ = false;
};

void write_all(int descriptor, std::string_view bytes, const std::string& shown) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(shown, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_directly(const std::string& path, const std::vector<std::string_view>& pieces) {
  const int descriptor = ::open(path.c_str(), O_WRONLY);
  if (descriptor < 0) throw_write_error(path, errno);
  try {
    for (const std::string_view piece : pieces) write_all(descriptor, piece, path);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  if (::close(descriptor) != 0) throw_write_error(path, errno);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw FileError(fmt::format("cannot read '{}': it is a folder", path));
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw FileError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  std::string bytes;
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error) bytes.reserve(size);
  bytes.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  if (stream.bad()) throw FileError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return bytes;
}

void write_file(const std::string& path, const std::vector<std::string_view>& pieces) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw_write_error(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_directly(path, pieces);
  if (fs::exists(status) && ::access(path.c_str(), W_OK) != 0) throw_write_error(path, errno);
  // A link stays a link: what it points to is replaced.
  const fs::path target = fs::exists(status) ? fs::canonical(path) : fs::path(path);
  TemporaryFile file(target, path);
  for (const std::string_view piece : pieces) write_all(file.descriptor(), piece, path);
  file.move_into_place();
}

}  // namespace twiddle::tool
