// Shortening a compiler's output.
#include "backend/build_log.hpp"

#include <fmt/format.h>

namespace twiddle::backend {
namespace {

constexpr std::size_t longest_build_log = 1500;  // characters

}  // namespace

std::string shorten_build_log(const std::string& log) {
  // Compilers put the first error first, perhaps after pages of warnings.
  std::size_t first = log.find("error");
  first = first == std::string::npos ? 0 : log.rfind('\n', first) + 1;  // npos + 1 is the beginning
  std::string result = log.substr(first, longest_build_log);
  if (first + result.size() < log.size()) {
    result += fmt::format("... ({} characters more)", log.size() - first - result.size());
  }
  while (!result.empty() && (result.back() == '\n' || result.back() == '\0')) result.pop_back();
  return result;
}

}  // namespace twiddle::backend
