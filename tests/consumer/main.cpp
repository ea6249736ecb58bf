// A user's first program: transforms a wave of three turns and finds it again.
#include <twiddle/twiddle.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

int main() {
  constexpr std::size_t length = 120;
  std::vector<std::complex<float>> wave(length);
  for (std::size_t n = 0; n < length; ++n) {
    wave[n] = std::polar(1.0f, 2 * std::numbers::pi_v<float> * 3 * static_cast<float>(n) / length);
  }
  const std::vector<std::complex<float>> original = wave;

  const twiddle::Plan plan(twiddle::Device::host(), {.lengths = {length}});
  plan.forward(wave);
  for (std::size_t k = 0; k < length; ++k) {
    if (std::abs(wave[k] - (k == 3 ? float{length} : 0.0f)) > 1e-3f) {
      std::printf("frequency %zu has amplitude %g\n", k, static_cast<double>(std::abs(wave[k])));
      return 1;
    }
  }
  plan.inverse(wave);
  for (std::size_t n = 0; n < length; ++n) {
    if (std::abs(wave[n] - original[n]) > 1e-5f) {
      std::printf("sample %zu came back changed\n", n);
      return 1;
    }
  }

  try {
    const twiddle::Plan impossible(twiddle::Device::host(), {.lengths = {0}});
    std::puts("a length of 0 was accepted");
    return 1;
  } catch (const twiddle::InvalidArgument&) {
    std::puts("consumer works");
    return 0;
  }
}
