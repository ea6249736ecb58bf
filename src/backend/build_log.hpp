// What a run-time compiler said, for error messages.
#pragma once

#include <string>

namespace twiddle::backend {

// The first errors of a compiler's output, short enough for a message.
[[nodiscard]] std::string shorten_build_log(const std::string& log);

}  // namespace twiddle::backend
