// The problems on which methods of convolution are compared.
#pragma once

#include <string_view>
#include <vector>

#include "twiddle/convolution.hpp"

namespace twiddle::bench {

// "float": 182 lines and images of real floats; "other": 66 of complex numbers and doubles; "all": both. In the order
// in which they are numbered.
[[nodiscard]] std::vector<Convolution> convolution_grid(std::string_view name);

}  // namespace twiddle::bench
