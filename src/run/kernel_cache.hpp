// Compiled kernels on disk, so that a plan compiles once per machine and driver. Safe with many processes: entries are
// written under another name and renamed, and an entry that does not check out is treated as absent.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle::run {

// All that a compiled kernel depends on.
struct KernelIdentity {
  std::string_view source;
  std::string_view options;
  std::string_view device;
  std::string_view driver;
};

class KernelCache {
 public:
  using Binary = std::vector<unsigned char>;

  // An empty folder switches the cache off. The folder is made when the first entry is stored.
  explicit KernelCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] bool is_off() const { return folder_.empty(); }

  // $TWIDDLE_CACHE_DIR, else $XDG_CACHE_HOME/twiddle, else ~/.cache/twiddle; empty where TWIDDLE_CACHE_DIR is "" or
  // "off", or no home is known.
  [[nodiscard]] static std::filesystem::path default_folder();

  // The binary stored for this kernel; nothing where there is none, or a damaged, truncated or foreign one.
  [[nodiscard]] std::optional<Binary> load(const KernelIdentity& identity) const;

  // Keeps the binary, and the source beside it for people. A folder that is full or cannot be written is no error:
  // false.
  bool store(const KernelIdentity& identity, const Binary& binary) const;

  // Where the entry of a kernel is, or would be; empty when the cache is off.
  [[nodiscard]] std::filesystem::path entry_path(const KernelIdentity& identity) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace twiddle::run
