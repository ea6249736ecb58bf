// Whole files in and out of memory. Output is all or nothing: it is written beside the target and renamed over it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace twiddle::tool {

// All bytes of a file. Throws FileError, naming the file and the reason.
[[nodiscard]] std::string read_file(const std::string& path);

// Replaces the file by these pieces, one after the other. On failure (FileError) the old file, if any, stays as it was
// and nothing is left behind. A target that is no regular file (a pipe, /dev/stdout) is written to directly.
void write_file(const std::string& path, const std::vector<std::string_view>& pieces);

}  // namespace twiddle::tool
