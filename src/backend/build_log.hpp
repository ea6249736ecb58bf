// What a run-time compiler said, for error messages.
#pragma once

#include <string>
#include <string_view>

namespace twiddle::backend {

// What users can do where a kernel does not compile.
inline constexpr std::string_view compilation_remedy =
    "where the text of a hook is at fault, correct it; else please report the kernel that twiddle generated";

// The first errors of a compiler's output, short enough for a message.
[[nodiscard]] std::string shorten_build_log(const std::string& log);

}  // namespace twiddle::backend
