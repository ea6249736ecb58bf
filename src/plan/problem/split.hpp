// Cuts texts of the grammars of problems and convolutions.
#pragma once

#include <string_view>
#include <vector>

namespace twiddle::plan {

// What stands between separators: one part more than there are of these, each maybe empty. The parts point into `text`.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace twiddle::plan
