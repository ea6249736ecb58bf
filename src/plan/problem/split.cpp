// Cuts texts of the grammars of problems and convolutions.
#include "plan/problem/split.hpp"

namespace twiddle::plan {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace twiddle::plan
