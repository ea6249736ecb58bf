// What a driver takes for each step of sending a picture through a kernel, over the size of the picture.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#include "backend/engine.hpp"
#include "backend/opencl/opencl_costs.hpp"
#include "samples.hpp"
#include "studies.hpp"
#include "turns.hpp"
#include "twiddle/error.hpp"
#include "twiddle/image_convolution_plan.hpp"

namespace twiddle::studies {
namespace {

using backend::StepCosts;

constexpr const char* part = "3x3 sharpen, RGB";
constexpr const char* kernel_step = "kernel";
constexpr const char* everything = "all steps";
constexpr const char* on_host = "on the host";

plan::ImagePass pass_of(const ImageFormat& format) {
  const ImageKernel kernel = parse_image_kernel("sharpen");  // its sum is 1: nothing to divide by
  return {.format = format,
          .variant = ImageConvolution::Variant::blocked,
          .window = {kernel.height, kernel.width, kernel.weights}};
}

double microseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

// Devices whose memory is copied to, not mapped.
std::vector<StepCosts> engine_step_costs(const Device& device, const plan::ImagePass& pass,
                                         const std::vector<std::byte>& image, std::vector<std::byte>& result,
                                         std::size_t rounds) {
  backend::Engine& engine = device.engine();
  const auto executable = engine.compile_image(pass);
  const auto input = engine.allocate(image.size());
  const auto output = engine.allocate(image.size());
  result.resize(image.size());
  backend::Operands operands;
  operands.input = input.get();
  operands.output = output.get();
  std::vector<StepCosts> all;
  for (std::size_t round = 0; round < rounds; ++round) {
    auto start = std::chrono::steady_clock::now();
    const auto step = [&] {
      const double microseconds = microseconds_since(start);
      start = std::chrono::steady_clock::now();
      return microseconds;
    };
    input->write(image.data(), image.size());
    device.synchronize();
    const double copied_in = step();
    executable->run(operands, nullptr);
    const double enqueued = step();
    device.synchronize();
    const double waited = step();
    output->read(result.data(), image.size());
    const double copied_out = step();
    double milliseconds = 0;
    executable->run(operands, &milliseconds);
    const double kernel = 1e3 * milliseconds;
    all.push_back({{"copy in", copied_in},
                   {"arguments and enqueue", enqueued},
                   {"dispatch", std::max(0.0, waited - kernel)},
                   {kernel_step, kernel},
                   {"copy out", copied_out}});
  }
  return all;
}

std::vector<Trial> trials(const Setting& setting) {
  std::vector<Trial> result;
  for (std::size_t side = 16; side <= 2048; side *= setting.quick ? 4 : 2) {
    result.push_back({part, static_cast<double>(side)});
  }
  return result;
}

std::vector<Sample> measure(const Setting& setting, const Trial& trial) {
  const auto side = static_cast<std::size_t>(trial.x);
  const ImageFormat format{.height = side, .width = side, .channels = 3};
  const std::vector<float> values = random_floats(3 * side * side);
  std::vector<std::uint8_t> samples(values.size());
  std::ranges::transform(values, samples.begin(), [](float v) { return static_cast<std::uint8_t>(127.5F * (v + 1)); });
  std::vector<std::byte> image(samples.size());
  std::memcpy(image.data(), samples.data(), image.size());

  const plan::ImagePass pass = pass_of(format);
  const ImageConvolutionPlan host(Device::host(), {.kernel = parse_image_kernel("sharpen")}, format);
  std::vector<std::uint8_t> expected(samples.size());
  host.execute(samples, expected);
  const std::size_t rounds = setting.quick ? 12 : 32;
  std::vector<std::byte> result;
  const DeviceInfo& info = setting.device.info();
  std::vector<StepCosts> costs = info.backend == BackendKind::opencl
                                     ? backend::opencl_step_costs(info.index, pass, image, result, rounds)
                                     : engine_step_costs(setting.device, pass, image, result, rounds);
  if (std::memcmp(result.data(), expected.data(), expected.size()) != 0) {
    throw DeviceError(fmt::format("{}: other samples than the host's", wrong_result));
  }
  costs.erase(costs.begin(), costs.begin() + 2);  // the first ones touch new memory
  std::map<std::string, std::vector<double>> times;
  std::vector<std::string> order;
  for (const StepCosts& round : costs) {
    double sum = 0;
    for (const auto& [step, microseconds] : round) {
      if (&round == &costs.front()) order.emplace_back(step);
      times[std::string(step)].push_back(microseconds);
      sum += microseconds;
    }
    times[everything].push_back(sum);
    const auto start = std::chrono::steady_clock::now();
    host.execute(samples, expected);
    times[on_host].push_back(microseconds_since(start));
  }
  order.insert(order.end(), {everything, on_host});
  std::vector<Sample> rows;
  for (const std::string& step : order) rows.push_back({part, trial.x, step, bench::spread_of(times[step])});
  return rows;
}

std::vector<Ratio> shares(const Samples& samples) {
  std::vector<Ratio> result = ratios(samples, part, kernel_step, everything);
  for (Ratio& ratio : result) ratio.value = 100 * (1 - ratio.value);
  return result;
}

std::vector<Comparison> comparisons(const Samples& samples) {
  std::vector<Comparison> result;
  for (const Ratio& share : shares(samples)) {
    result.push_back({fmt::format("share that is not the kernel, {0:.0f} x {0:.0f} pixels", share.x),
                      "\"dominates small images\"", fmt::format("{:.0f}%", share.value)});
  }
  return result;
}

std::string reading(const Samples& samples) {
  const std::vector<Ratio> overhead = shares(samples);
  if (overhead.empty()) return "Nothing could be measured.";
  const auto from = crossover(samples, part, on_host, everything);
  return fmt::format(
      "Of the time of a picture, {:.0f}% is not the kernel at {:.0f} x {:.0f} pixels and {:.0f}% at {:.0f} x {:.0f}; "
      "with "
      "all steps the device beats the host {}.",
      overhead.front().value, overhead.front().x, overhead.front().x, overhead.back().value, overhead.back().x,
      overhead.back().x, from ? fmt::format("from {0:.0f} x {0:.0f} on", *from) : "at no measured size");
}

}  // namespace

Study overhead_study() {
  return {.name = "overhead",
          .title = "What the driver takes",
          .shows =
              "Each step of one picture's way through a kernel and back, one after the other. OpenCL maps memory, "
              "CUDA copies. Dispatch is the time from submission to start (CUDA: what waiting takes beyond the "
              "kernel).",
          .source = "Image convolution with a small kernel on an embedded GPU",
          .quantity = "one picture",
          .x_name = "pixels a side",
          .obstacle = needs_work_groups,
          .trials = trials,
          .measure = measure,
          .comparisons = comparisons,
          .reading = reading};
}

}  // namespace twiddle::studies
