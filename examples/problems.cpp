// What docs/problems.md shows, to be compiled and run: one function for each of its examples.
//
//   problems [DEVICE]      host (the default), opencl, opencl:1, ...
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <twiddle/twiddle.hpp>
#include <vector>

namespace {

template <class Values, class Expected>
void expect_close(const char* what, const Values& values, const Expected& expected, double tolerance) {
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, static_cast<double>(std::abs(values[i] - expected[i])));
  }
  std::cout << what << ": largest difference " << worst << '\n';
  if (!(worst <= tolerance)) throw std::runtime_error(std::string(what) + " is wrong");
}

template <class T>
std::vector<T> ramp(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(static_cast<double>(i % 10) - 4.5);
  return values;
}

void any_problem(const twiddle::Device& device) {
  const twiddle::Problem problem = twiddle::parse_problem("r2c:f64:16*1000:norm=ortho");
  const twiddle::Plan plan(device, problem.transform);
  std::vector<std::byte> input(plan.input_bytes(problem.direction, problem.placement));
  std::vector<std::byte> output(plan.output_bytes(problem.direction, problem.placement));
  plan.execute_bytes(problem.direction, input, output);
  std::cout << twiddle::to_string(problem) << '\n';
  if (output.size() != 16 * 501 * sizeof(std::complex<double>)) throw std::runtime_error("output has another size");
}

void real_input(const twiddle::Device& device) {
  auto signal = ramp<float>(1000);
  const auto before = signal;
  const twiddle::Plan plan(device, {.lengths = {1000}, .kind = twiddle::Kind::r2c});
  std::vector<std::complex<float>> spectrum(501);  // frequencies 0..500
  plan.forward(signal, spectrum);
  plan.inverse(spectrum, signal);
  expect_close("r2c and back", signal, before, 1e-5);
}

void cosine_transform(const twiddle::Device& device) {
  auto picture = ramp<double>(48 * 64);
  const auto before = picture;
  const twiddle::Plan plan(device, {.lengths = {48, 64},
                                    .normalization = twiddle::Normalization::ortho,
                                    .kind = twiddle::Kind::dct2,
                                    .precision = twiddle::Precision::float64});
  plan.forward(picture);  // in place: both sides are real
  plan.inverse(picture);  // dct3
  expect_close("dct2 and back", picture, before, 1e-13);
}

void half_precision(const twiddle::Device& device) {
  std::vector<twiddle::ComplexHalf> samples(256);
  samples[0] = {twiddle::to_half(1.0F), twiddle::to_half(0.0F)};
  const twiddle::Plan plan(device, {.lengths = {256}, .precision = twiddle::Precision::float16});
  plan.forward(samples);  // all ones
  std::vector<float> real;
  for (const auto& sample : samples) real.push_back(twiddle::to_float(sample.real));
  expect_close("half precision", real, std::vector<float>(256, 1.0F), 0);
}

void padded_rows(const twiddle::Device& device) {
  // 30 rows of 100 samples, each row 128 samples from the last.
  auto samples = ramp<std::complex<float>>(30 * 128);
  const auto before = samples;
  const twiddle::Layout rows{.strides = {128, 1}};
  const twiddle::Plan plan(device, {.lengths = {30, 100}, .axes = {1}, .input = rows, .output = rows});
  const std::span data(samples.data(), 29 * 128 + 100);  // up to the last sample
  plan.forward(data);
  plan.inverse(data);
  expect_close("padded rows", samples, before, 1e-5);
}

void planar_output(const twiddle::Device& device) {
  const auto samples = ramp<std::complex<float>>(1000);
  std::vector<std::complex<float>> interleaved(1000);
  twiddle::Plan(device, {.lengths = {1000}}).forward(samples, interleaved);

  std::vector<float> parts(2000);  // the real parts, then the imaginary ones
  const twiddle::Plan plan(device, {.lengths = {1000}, .output = {.format = twiddle::Layout::Format::planar}});
  plan.forward(samples, parts);
  std::vector<std::complex<float>> joined;
  for (std::size_t k = 0; k < 1000; ++k) joined.emplace_back(parts[k], parts[1000 + k]);
  expect_close("planar output", joined, interleaved, 1e-3);
}

void zero_padding(const twiddle::Device& device) {
  const auto signal = ramp<float>(1000);
  const std::size_t length = twiddle::good_size(1000 + 30, twiddle::Kind::r2c);
  const twiddle::Plan plan(device, {.lengths = {length}, .kind = twiddle::Kind::r2c, .input_extents = {1000}});
  std::vector<std::complex<float>> spectrum(length / 2 + 1);
  plan.forward(signal, spectrum);  // as if zeros followed the 1000 samples
  std::vector<float> back(1000);
  plan.inverse(spectrum, back);  // the zeros are not stored either
  expect_close("zero padding", back, signal, 1e-5);
}

void store_powers(const twiddle::Device& device) {
  const auto samples = ramp<std::complex<float>>(1000);
  std::vector<std::complex<float>> spectrum(1000);
  twiddle::Transform transform{.lengths = {1000}};
  twiddle::Plan(device, transform).forward(samples, spectrum);
  std::vector<float> expected;
  for (const auto& value : spectrum) expected.push_back(std::norm(value) / 1e6F);

  twiddle::Hook hook;
  hook.source = "value = TW_MAKE(value.x * value.x + value.y * value.y, (TW_REAL)0);";
  hook.function = [](std::complex<double> value, std::uint64_t) { return std::norm(value); };
  transform.store_hook = std::make_shared<const twiddle::Hook>(hook);
  std::vector<std::complex<float>> powers(1000);
  twiddle::Plan(device, transform).forward(samples, powers);
  std::vector<float> actual;
  for (const auto& value : powers) actual.push_back(value.real() / 1e6F);
  expect_close("powers", actual, expected, 1e-4);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const twiddle::Device device = argc > 1 ? twiddle::Device::open(argv[1]) : twiddle::Device::host();
    any_problem(device);
    real_input(device);
    cosine_transform(device);
    half_precision(device);
    padded_rows(device);
    planar_output(device);
    zero_padding(device);
    store_powers(device);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "problems: " << error.what() << '\n';
    return 1;
  }
}
