// Files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace twiddle::run {

// A file under a name of its own, in a folder that exists, that vanishes unless it is renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& folder);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Appends. False where the file could not be made, or the disk is full; errno says why.
  [[nodiscard]] bool write(const void* data, std::size_t size) const;

  // On disk before it has its name, so that a crash leaves what was there before, this file or nothing.
  [[nodiscard]] bool rename_to(const std::filesystem::path& destination);

 private:
  std::string path_;
  int descriptor_ = -1;
  bool kept_ = false;
};

}  // namespace twiddle::run
