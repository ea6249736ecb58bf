// Files in which a user's measurements are kept: read as a whole, replaced as a whole, added to by one process at a
// time.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "twiddle/error.hpp"

namespace twiddle::tuning {

// What the environment variable names, else this file of twiddle's in $XDG_CONFIG_HOME or ~/.config; empty where the
// variable is "" or "off", or no home is known.
[[nodiscard]] std::filesystem::path user_file(const char* variable, std::string_view name);

// The text; nothing where there is no such file. Throws DeviceError where it cannot be read.
[[nodiscard]] std::optional<std::string> read_record_file(const std::filesystem::path& path);

// What `parse` makes of the file's text, or of nothing a value that is empty. Throws DeviceError as above, and
// InvalidArgument, naming the file, where parse does.
template <class Parse>
auto read_records(const std::filesystem::path& path, const Parse& parse) -> decltype(parse(std::string_view())) {
  const std::optional<std::string> text = read_record_file(path);
  if (!text) return {};
  try {
    return parse(*text);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(path.string() + ": " + error.what() + "; move the file away to begin a new one");
  }
}

// Replaces the file by what `change` makes of it, while no other process does; makes folder and file where there are
// none. Throws what `change` throws, and DeviceError where the file cannot be written: then everything is as it was.
void change_record_file(const std::filesystem::path& path,
                        const std::function<std::string(const std::filesystem::path&)>& change);

// Throws DeviceError where the file's folder, or the one in which that would be made, cannot be written to.
void check_record_folder(const std::filesystem::path& path);

// What a file was when it was read.
struct FileVersion {
  timespec changed{};
  off_t bytes = 0;
  ino_t number = 0;

  // Nothing where there is no such file.
  static std::optional<FileVersion> of(const std::filesystem::path& path);
  bool operator==(const FileVersion& other) const;
};

// A file as last read, for many threads. It is read again only once it has changed.
template <class Records>
class RecordCache {
 public:
  using Read = std::function<Records(const std::filesystem::path&)>;
  explicit RecordCache(Read read) : read_(std::move(read)) {}

  struct Content {
    std::shared_ptr<const Records> records;  // null where there are none
    std::string complaint;                   // why the file could not be read
  };

  Content content(const std::filesystem::path& path) {
    const std::optional<FileVersion> version = FileVersion::of(path);
    const std::lock_guard lock(mutex_);
    if (path == path_ && version == version_) return content_;
    path_ = path;
    version_ = version;
    content_ = {};
    if (!version) return content_;
    try {
      content_.records = std::make_shared<const Records>(read_(path));
    } catch (const Error& error) {
      content_.complaint = error.what();
    }
    return content_;
  }

 private:
  Read read_;
  std::mutex mutex_;
  std::filesystem::path path_;
  std::optional<FileVersion> version_;
  Content content_;
};

}  // namespace twiddle::tuning
