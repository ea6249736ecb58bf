// Files in and out of memory. Output is all or nothing: what is written takes the target's place in the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle::tool {

// All bytes of a file. Throws FileError, naming the file and the reason.
[[nodiscard]] std::string read_file(const std::string& path);

// Replaces the file by these pieces, one after the other. On failure (FileError) the old file, if any, stays as it was
// and nothing is left behind. A target that is no regular file (a pipe, /dev/stdout) is written to directly.
void write_file(const std::string& path, const std::vector<std::string_view>& pieces);

// A file that is written piece by piece, with the same promise: unless commit() is reached, the old file stays as it
// was.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // For libraries that write by themselves; it stays open as long as this object.
  [[nodiscard]] int descriptor() const;
  // False for pipes and the like, which take bytes in their order only.
  [[nodiscard]] bool is_regular() const;

  void append(std::string_view bytes);
  // Regular files only; does not move where append() goes on.
  void write_at(std::uint64_t position, std::span<const std::byte> bytes);
  void commit();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace twiddle::tool
