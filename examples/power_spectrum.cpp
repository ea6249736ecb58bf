// Hooks: the power spectrum in decibels of 16-bit samples under a window, in one transform. The conversion and the window are
// fused into its loads, the decibels into its stores, on the host as on devices.
//
//   power_spectrum [DEVICE]      host (the default), opencl, opencl:1, ...
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <iostream>
#include <memory>
#include <numbers>
#include <twiddle/twiddle.hpp>
#include <vector>

namespace {

constexpr std::size_t length = 4096;
constexpr double hann_mean = 0.5;

// A tone at a quarter of full scale, between two frequencies of the transform, in 16 bits.
std::vector<std::int16_t> tone(double periods) {
  std::vector<std::int16_t> samples(length);
  for (std::size_t i = 0; i < length; ++i) {
    const double angle = 2 * std::numbers::pi * periods * static_cast<double>(i) / length;
    samples[i] = static_cast<std::int16_t>(std::lround(8192 * std::sin(angle)));
  }
  return samples;
}

double hann(std::uint64_t i) { return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / length); }

// Reads samples instead of the transform's own input: the text from a buffer of the device, the function from memory.
twiddle::Hook windowed_samples(const std::vector<std::int16_t>& samples) {
  twiddle::Hook hook;
  hook.source = R"(
    const TW_REAL turn = (TW_REAL)index * parameters[1];
    value.x = ((TW_GLOBAL const short*)user)[index] * parameters[0] * (parameters[2] - parameters[2] * cos(turn));)";
  hook.parameters = {1.0 / 32768, 2 * std::numbers::pi / length, 0.5};
  hook.function = [&samples](std::complex<double>, std::uint64_t index) {
    return samples[index] / 32768.0 * hann(index);
  };
  return hook;
}

// Decibels relative to a full-scale tone, in the real part.
twiddle::Hook decibels() {
  twiddle::Hook hook;
  const double full_scale = hann_mean * length / 2;
  hook.source = R"(
    const TW_REAL power = value.x * value.x + value.y * value.y;
    value = TW_MAKE(parameters[0] * log10(power + parameters[2]) - parameters[1], (TW_REAL)0);)";
  hook.parameters = {10, 20 * std::log10(full_scale), 1e-12};
  hook.function = [full_scale](std::complex<double> value, std::uint64_t) {
    return 10 * std::log10(std::norm(value) + 1e-12) - 20 * std::log10(full_scale);
  };
  return hook;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const twiddle::Device device = argc > 1 ? twiddle::Device::open(argv[1]) : twiddle::Device::host();
    const std::vector<std::int16_t> samples = tone(1000.25);
    auto on_device = std::make_shared<twiddle::Buffer>(twiddle::Buffer::of<std::int16_t>(device, length));
    on_device->write(samples);

    twiddle::Transform transform;
    transform.lengths = {length};
    transform.kind = twiddle::Kind::r2c;
    transform.load_hook = std::make_shared<const twiddle::Hook>(windowed_samples(samples));
    transform.store_hook = std::make_shared<const twiddle::Hook>(decibels());
    const twiddle::Plan plan(twiddle::Workspace(device), transform, {.load = on_device});

    const std::vector<float> unread(length);  // the hook does not look at it
    std::vector<std::complex<float>> spectrum(length / 2 + 1);
    plan.forward(unread, spectrum);
    const auto peak = std::max_element(spectrum.begin(), spectrum.end(),
                                       [](auto left, auto right) { return left.real() < right.real(); });
    const auto frequency = peak - spectrum.begin();
    std::cout << "strongest frequency: " << frequency << " periods, " << peak->real() << " dB\n";
    // A quarter of full scale is -12.04 dB. A quarter of a bin away from its centre the window's response,
    // sinc(x) / (1 - x^2), is lower by 0.35 dB.
    return frequency == 1000 && std::abs(peak->real() + 12.39) < 0.02 ? 0 : 1;
  } catch (const twiddle::Error& error) {
    std::cerr << "power_spectrum: " << error.what() << '\n';
    return 1;
  }
}
