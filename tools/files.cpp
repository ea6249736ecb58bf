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
#include <optional>
#include <utility>

#include "errors.hpp"

namespace twiddle::tool {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_write_error(const std::string& path, int error) {
  throw FileError(fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

void write_all(int descriptor, std::string_view bytes, const std::string& shown) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(shown, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Where links lead in the end, which need not be there.
fs::path without_links(fs::path path, const std::string& shown) {
  constexpr int most_links = 40;  // as on Linux
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(path, error)); ++links) {
    if (links == most_links) throw_write_error(shown, ELOOP);
    path = path.parent_path() / fs::read_symlink(path, error);
    if (error) throw_write_error(shown, error.value());
  }
  return path;
}

// A new file that vanishes again unless it is moved into place. It has no name until then, where the file system knows
// such files, so that even a process that is killed leaves nothing behind; elsewhere one beside the target.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target, const std::string& shown) : target_(target), shown_(shown) {
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor_ >= 0 && ::access(link_to_descriptor().c_str(), F_OK) != 0) {  // could never be named
      ::close(descriptor_);
      descriptor_ = -1;
    }
    if (descriptor_ >= 0) return;
    path_ = beside_target("XXXXXX");
    descriptor_ = ::mkstemp(path_.data());
    if (descriptor_ < 0) throw_write_error(shown_, errno);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (copy_ >= 0) ::close(copy_);
    if (!path_.empty() && !moved_) ::unlink(path_.c_str());
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
    settle(descriptor_, mode);
    if (path_.empty() && !take_name()) settle(copy_under_name(), mode);
    if (::rename(path_.c_str(), target_.c_str()) != 0) throw_write_error(shown_, errno);
    moved_ = true;
  }

 private:
  [[nodiscard]] std::string beside_target(const std::string& ending) const {
    const std::string name = target_.filename().string().substr(0, 200);
    return (target_.parent_path() / fmt::format(".{}.{}", name, ending)).string();
  }
  [[nodiscard]] std::string link_to_descriptor() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

  // Data must have arrived before the name does: a full disk may show only here.
  void settle(int descriptor, mode_t mode) const {
    if (::fchmod(descriptor, mode) != 0 || ::fsync(descriptor) != 0) throw_write_error(shown_, errno);
  }

  // False where there can be none. linkat() replaces no file, so that the name is one beside the target's.
  bool take_name() {
    for (int attempt = 0;; ++attempt) {
      const std::string path = beside_target(fmt::format("{}-{}", ::getpid(), attempt));
      if (::linkat(AT_FDCWD, link_to_descriptor().c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) {
        path_ = path;
        return true;
      }
      if (errno != EEXIST) return false;
    }
  }

  // What was written may have taken hours: it is not lost because the file system refuses to name it after all.
  int copy_under_name() {
    std::string path = beside_target("XXXXXX");
    copy_ = ::mkstemp(path.data());
    if (copy_ < 0) throw_write_error(shown_, errno);
    path_ = path;
    std::string piece(std::size_t{1} << 20, '\0');
    for (off_t position = 0;;) {
      const ssize_t count = ::pread(descriptor_, piece.data(), piece.size(), position);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw_write_error(shown_, errno);
      if (count == 0) return copy_;
      write_all(copy_, std::string_view(piece).substr(0, static_cast<std::size_t>(count)), shown_);
      position += count;
    }
  }

  fs::path target_;
  std::string shown_;
  std::string path_;  // empty while it has no name
  int descriptor_ = -1;
  int copy_ = -1;
  bool moved_ = false;
};

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

class OutputFile::Implementation {
 public:
  explicit Implementation(const std::string& path) : path_(path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) throw_write_error(path, EISDIR);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      direct_ = ::open(path.c_str(), O_WRONLY);
      if (direct_ < 0) throw_write_error(path, errno);
      return;
    }
    if (fs::exists(status) && ::access(path.c_str(), W_OK) != 0) throw_write_error(path, errno);
    // A link stays a link: what it points to is replaced.
    file_.emplace(without_links(path, path), path);
  }
  ~Implementation() {
    if (direct_ >= 0) ::close(direct_);
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  [[nodiscard]] int descriptor() const { return file_ ? file_->descriptor() : direct_; }
  [[nodiscard]] bool is_regular() const { return file_.has_value(); }
  void append(std::string_view bytes) { write_all(descriptor(), bytes, path_); }

  void write_at(std::uint64_t position, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(position));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw_write_error(path_, errno);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
      position += static_cast<std::uint64_t>(written);
    }
  }

  void commit() {
    if (file_) return file_->move_into_place();
    const int descriptor = std::exchange(direct_, -1);
    if (::close(descriptor) != 0) throw_write_error(path_, errno);
  }

 private:
  std::string path_;
  std::optional<TemporaryFile> file_;
  int direct_ = -1;
};

OutputFile::OutputFile(const std::string& path) : implementation_(std::make_unique<Implementation>(path)) {}
OutputFile::~OutputFile() = default;
int OutputFile::descriptor() const { return implementation_->descriptor(); }
bool OutputFile::is_regular() const { return implementation_->is_regular(); }
void OutputFile::append(std::string_view bytes) { implementation_->append(bytes); }
void OutputFile::write_at(std::uint64_t position, std::span<const std::byte> bytes) {
  implementation_->write_at(position, bytes);
}
void OutputFile::commit() { implementation_->commit(); }

void write_file(const std::string& path, const std::vector<std::string_view>& pieces) {
  OutputFile file(path);
  for (const std::string_view piece : pieces) file.append(piece);
  file.commit();
}

}  // namespace twiddle::tool
