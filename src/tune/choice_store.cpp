// The file of measured choices, and the lock beside it.
#include "tune/choice_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>

#include "run/temporary_file.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tuning {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
  throw DeviceError(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)));
}

// Held by one process at a time. The file beside the choices stays: removing it would let two in.
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

void write_choice_book(const std::filesystem::path& path, const ChoiceBook& book) {
  const std::string text = print_choice_book(book);
  run::TemporaryFile file(path.parent_path());
  if (!file.write(text.data(), text.size()) || !file.rename_to(path)) fail("write", path, errno);
}

// What a file was when it was read.
struct Version {
  timespec changed{};
  off_t bytes = 0;
  ino_t number = 0;

  static std::optional<Version> of(const std::filesystem::path& path) {
    struct stat status {};
    if (path.empty() || stat(path.c_str(), &status) != 0) return std::nullopt;
    return Version{status.st_mtim, status.st_size, status.st_ino};
  }
  bool operator==(const Version& other) const {
    return changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec && bytes == other.bytes &&
           number == other.number;
  }
};

// The default file as last read.
class Cache {
 public:
  std::shared_ptr<const ChoiceBook> book() {
    const std::filesystem::path path = default_choice_file();
    const std::optional<Version> version = Version::of(path);
    const std::lock_guard lock(mutex_);
    if (path == path_ && version == version_) return book_;
    path_ = path;
    version_ = version;
    book_ = nullptr;
    if (!version) return book_;
    try {
      book_ = std::make_shared<const ChoiceBook>(read_choice_book(path));
    } catch (const Error&) {
      // As if there were none; see stored_choices.
    }
    return book_;
  }

 private:
  std::mutex mutex_;
  std::filesystem::path path_;
  std::optional<Version> version_;
  std::shared_ptr<const ChoiceBook> book_;
};

}  // namespace

std::filesystem::path default_choice_file() {
  if (const char* chosen = std::getenv("TWIDDLE_CHOICES")) {
    return std::string_view(chosen) == "off" ? std::filesystem::path{} : std::filesystem::path(chosen);
  }
  if (const char* configuration = std::getenv("XDG_CONFIG_HOME"); configuration != nullptr && *configuration == '/') {
    return std::filesystem::path(configuration) / "twiddle" / "choices.json";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return std::filesystem::path(home) / ".config" / "twiddle" / "choices.json";
}

ChoiceBook read_choice_book(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOENT) return {};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail("read", path, errno);
  try {
    return parse_choice_book(text);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}: {}; move the file away to begin a new one", path.string(), error.what()));
  }
}

void add_to_choice_book(const std::filesystem::path& path, const ChoiceBook& additions) {
  const std::filesystem::path full = std::filesystem::absolute(path);
  std::error_code error;
  std::filesystem::create_directories(full.parent_path(), error);
  if (error) fail("make the folder", full.parent_path(), error.value());
  const Lock lock(full.string() + ".lock");
  ChoiceBook book = read_choice_book(full);
  for (const auto& [identity, table] : additions) book[identity].merge(table);
  write_choice_book(full, book);
}

std::shared_ptr<const plan::ChoiceTable> stored_choices(const DeviceInfo& info) {
  static Cache cache;
  const std::shared_ptr<const ChoiceBook> book = cache.book();
  if (!book) return nullptr;
  const auto found = book->find(identity_of(info));
  if (found == book->end()) return nullptr;
  return {book, &found->second};
}

}  // namespace twiddle::tuning

namespace twiddle {

DeviceLimits Device::limits() const {
  DeviceLimits limits = info().limits;
  limits.choices = choices_ ? *choices_ : tuning::stored_choices(info());
  limits.strategy = strategy_;
  return limits;
}

Device Device::with_choices(std::shared_ptr<const plan::ChoiceTable> choices) const {
  Device device = *this;
  device.choices_ = std::move(choices);
  return device;
}

}  // namespace twiddle
