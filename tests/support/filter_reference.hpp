// What a filter in the frequency domain should make of an image, in long double.
#pragma once

#include <cstddef>
#include <vector>

#include "twiddle/filter.hpp"

namespace twiddle::test {

// The real parts of the filtered real image of height x width samples: forward transform, response by the definitions
// in filter.hpp (written down here a second time), inverse transform.
[[nodiscard]] std::vector<long double> reference_filter(const Filter& filter, std::size_t height, std::size_t width,
                                                        const std::vector<long double>& image);

// log(1 + |X|), frequency zero at row height/2, column width/2.
[[nodiscard]] std::vector<long double> reference_log_spectrum(std::size_t height, std::size_t width,
                                                              const std::vector<long double>& image);

// The response at index (row, column) of the spectrum.
[[nodiscard]] long double reference_response(const Filter& filter, std::size_t row, std::size_t height,
                                             std::size_t column, std::size_t width);

}  // namespace twiddle::test
