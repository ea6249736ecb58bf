// Where the elements of half a spectrum are.
#include "backend/host/half_spectrum.hpp"

namespace twiddle::backend::host {

std::vector<SpectrumElement> spectrum_elements(std::size_t radix, std::size_t columns, std::size_t count) {
  const std::size_t half = radix / 2 + 1;
  std::vector<SpectrumElement> elements;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = i % radix;
    const std::size_t s = i / radix;
    const std::size_t mirrored = radix * columns - i;  // the element's conjugate
    const std::size_t conjugate = mirrored / radix * half + mirrored % radix;
    const std::size_t place = half * s + k;
    if (k >= half) {
      elements.push_back({conjugate, conjugate, true});
    } else {
      const bool twice = i > 0 && mirrored % radix < half;
      elements.push_back({place, twice ? conjugate : place, false});
    }
  }
  return elements;
}

}  // namespace twiddle::backend::host
