// The library in thirty lines: a plan, a forward transform, the strongest frequency, and the way back.
//
//   transform [DEVICE]      host (the default), opencl, opencl:1, ...
#include <algorithm>
#include <cmath>
#include <complex>
#include <iostream>
#include <numbers>
#include <twiddle/twiddle.hpp>
#include <vector>

int main(int argc, char** argv) {
  constexpr std::size_t height = 120;
  constexpr std::size_t width = 1000;
  try {
    const twiddle::Device device = argc > 1 ? twiddle::Device::open(argv[1]) : twiddle::Device::host();
    const twiddle::Plan plan(device, {.lengths = {height, width}});
    std::cout << plan.describe();

    // A plane wave: 7 periods down, 30 across.
    std::vector<std::complex<float>> wave(height * width);
    for (std::size_t row = 0; row < height; ++row) {
      for (std::size_t column = 0; column < width; ++column) {
        const double turns = 7.0 * static_cast<double>(row) / height + 30.0 * static_cast<double>(column) / width;
        wave[row * width + column] =
            std::polar(1.0F, static_cast<float>(2 * std::numbers::pi * (turns - std::floor(turns))));
      }
    }

    std::vector<std::complex<float>> spectrum(wave.size());
    plan.forward(wave, spectrum);
    const auto peak = std::max_element(spectrum.begin(), spectrum.end(),
                                       [](auto left, auto right) { return std::norm(left) < std::norm(right); });
    const auto index = static_cast<std::size_t>(peak - spectrum.begin());
    std::cout << "strongest frequency: " << index / width << " periods down, " << index % width << " across\n";

    plan.inverse(spectrum);  // in place
    float largest = 0;
    for (std::size_t i = 0; i < wave.size(); ++i) largest = std::max(largest, std::abs(spectrum[i] - wave[i]));
    std::cout << "largest difference after the way back: " << largest << '\n';
    return index == 7 * width + 30 && largest < 1e-5F ? 0 : 1;
  } catch (const twiddle::Error& error) {
    std::cerr << "transform: " << error.what() << '\n';
    return 1;
  }
}
