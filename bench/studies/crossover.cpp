// Host, direct sum or fast transform, over the length.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <memory>
#include <numbers>

#include "samples.hpp"
#include "studies.hpp"
#include "turns.hpp"

namespace twiddle::studies {
namespace {

constexpr const char* parts[] = {"complex input", "real input"};
constexpr const char* host_fft = "FFT on the host";
constexpr const char* direct = "direct sum";
constexpr const char* fft = "FFT";
constexpr const char* fft_and_copies = "FFT and copies";

// The definition, one work-item an output, as a function on the elements that a plan reads: its transforms are of one
// point. `user` holds the input and the N roots of unity.
Hook direct_sum(std::size_t n, bool real, std::shared_ptr<const std::vector<float>> input,
                std::shared_ptr<const std::vector<std::complex<float>>> roots) {
  Hook hook;
  const std::string sample =
      real ? "const TW_REAL v = x[n]; re += v * w.x; im += v * w.y;"
           : "const TW_COMPLEX v = x[n]; re += v.x * w.x - v.y * w.y; im += v.x * w.y + v.y * w.x;";
  hook.source = fmt::format(
      "TW_GLOBAL const TW_COMPLEX* roots = (TW_GLOBAL const TW_COMPLEX*)user;\n"
      "TW_GLOBAL const {1}* x = (TW_GLOBAL const {1}*)(roots + {0});\n"
      "TW_REAL re = 0, im = 0; TW_INDEX place = 0;\n"
      "for (TW_INDEX n = 0; n < {0}; ++n) {{\n"
      "  const TW_COMPLEX w = roots[place]; {2}\n"
      "  place += index; if (place >= {0}) place -= {0};\n"
      "}}\nvalue = TW_MAKE(re, im);",
      n, real ? "TW_REAL" : "TW_COMPLEX", sample);
  hook.function = [n, real, input, roots](std::complex<double>, std::uint64_t index) {
    std::complex<float> sum = 0;
    std::size_t place = 0;
    const float* x = input->data();
    for (std::size_t i = 0; i < n; ++i) {
      const std::complex<float> w = (*roots)[place];
      if (real) {
        sum += x[i] * w;
      } else {
        sum += std::complex<float>(x[2 * i] * w.real() - x[2 * i + 1] * w.imag(),
                                   x[2 * i] * w.imag() + x[2 * i + 1] * w.real());
      }
      place += index;
      if (place >= n) place -= n;
    }
    return std::complex<double>(sum);
  };
  return hook;
}

std::vector<std::complex<float>> roots_of_unity(std::size_t n) {
  std::vector<std::complex<float>> roots(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    roots[i] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  }
  return roots;
}

Turns::Work direct_work(const Device& device, std::size_t n, bool real) {
  const std::size_t outputs = real ? n / 2 + 1 : n;
  auto input = std::make_shared<const std::vector<float>>(random_floats(real ? n : 2 * n));
  auto roots = std::make_shared<const std::vector<std::complex<float>>>(roots_of_unity(n));
  Transform transform{.lengths = {1}, .batch = outputs};
  transform.load_hook = std::make_shared<const Hook>(direct_sum(n, real, input, roots));
  std::vector<float> user(2 * n);
  for (std::size_t i = 0; i < n; ++i) user[2 * i] = (*roots)[i].real(), user[2 * i + 1] = (*roots)[i].imag();
  user.insert(user.end(), input->begin(), input->end());
  auto memory = std::make_shared<Buffer>(Buffer::of<float>(device, user.size()));
  memory->write(user);
  auto plan = std::make_shared<PlannedTransform>(device, Problem{.transform = transform}, HookBuffers{.load = memory});
  plan->write(std::vector<float>(plan->input_floats()));
  plan->submit();
  const Plan host(Device::host(), {.lengths = {n}, .kind = real ? Kind::r2c : Kind::c2c});
  std::vector<float> expected(2 * outputs);
  host.forward(*input, expected);
  const double difference = difference_of(expected, plan->read());
  if (!(difference <= 1e-4)) wrong(difference);
  return [plan, device] {
    plan->submit();
    device.synchronize();
  };
}

// On memory of the host, copies there and back included.
Turns::Work copied_work(const Device& device, const Problem& problem) {
  auto plan = std::make_shared<const Plan>(device, problem.transform);
  plan->prepare(problem.direction, Placement::out_of_place);
  const auto floats = [](std::size_t bytes) { return bytes / sizeof(float); };
  auto input = std::make_shared<std::vector<float>>(
      random_floats(floats(plan->input_bytes(problem.direction, Placement::out_of_place))));
  auto output =
      std::make_shared<std::vector<float>>(floats(plan->output_bytes(problem.direction, Placement::out_of_place)));
  return [plan, input, output] { plan->forward(*input, *output); };
}

std::vector<Trial> trials(const Setting& setting) {
  const bool on_host = setting.device.info().backend == BackendKind::host;
  std::vector<Trial> result;
  for (const char* part : parts) {
    const std::size_t step = setting.quick ? 4 : 2;
    for (std::size_t n = 16; n <= (on_host || setting.quick ? 1U << 16 : 1U << 20); n *= step) {
      result.push_back({part, static_cast<double>(n)});
    }
  }
  return result;
}

std::vector<Sample> measure(const Setting& setting, const Trial& trial) {
  const auto n = static_cast<std::size_t>(trial.x);
  const bool real = trial.part == parts[1];
  const Device& device = setting.device;
  const bool on_host = device.info().backend == BackendKind::host;
  const std::size_t longest_sum = setting.quick ? 1024 : on_host ? 4096 : 32768;
  const Problem problem{.transform = {.lengths = {n}, .kind = real ? Kind::r2c : Kind::c2c}};
  Turns turns(setting, trial);
  turns.add(host_fft, [&] { return copied_work(Device::host(), problem); });
  if (n <= longest_sum) turns.add(direct, [&] { return direct_work(device, n, real); });
  if (!on_host) {
    turns.add(fft, [&] {
      return [work = transform_work(device, problem), device] {
        work();
        device.synchronize();
      };
    });
    turns.add(fft_and_copies, [&] { return copied_work(device, problem); });
  }
  return turns.measure();
}

std::string from_text(const Samples& samples, const std::string& part, const char* champion, const char* challenger) {
  if (ratios(samples, part, champion, challenger).empty()) return "not measured";
  const auto from = crossover(samples, part, champion, challenger);
  return from ? fmt::format("from {:.0f} points on", *from) : "at no measured length";
}

std::vector<Comparison> comparisons(const Samples& samples) {
  const std::string real = parts[1];
  const std::string complex = parts[0];
  std::vector<Ratio> large;
  for (const Ratio& ratio : ratios(samples, complex, host_fft, fft)) {
    if (ratio.x >= 65536) large.push_back(ratio);
  }
  return {
      {"device ahead of the host, complex", "between 4096 and 8192 points", from_text(samples, complex, host_fft, fft)},
      {"host's time over the device's from 65536 points on", "over 7", range_text(large)},
      {"device ahead of the host with copies there and back", "-",
       from_text(samples, complex, host_fft, fft_and_copies)},
      {"device's FFT ahead of its direct sum, real", "long inputs; the sum is one launch",
       from_text(samples, real, direct, fft)}};
}

std::string reading(const Samples& samples) {
  const std::string complex = parts[0];
  if (series_of(samples, complex).size() < 3) {
    return fmt::format("On the host the fast transform beats the direct sum {}.",
                       from_text(samples, complex, direct, host_fft));
  }
  return fmt::format(
      "The device beats the host {} where the data is there already, and {} where it must be copied; its fast "
      "transform "
      "beats the direct sum {} (complex) and {} (real).",
      from_text(samples, complex, host_fft, fft), from_text(samples, complex, host_fft, fft_and_copies),
      from_text(samples, complex, direct, fft), from_text(samples, parts[1], direct, fft));
}

}  // namespace

Study crossover_study() {
  return {.name = "crossover",
          .title = "Host, direct sum or fast transform",
          .shows =
              "Time of one transform, submitted and waited for, over its length. The direct sum is one launch with "
              "one work-item an output; short transforms are all overhead.",
          .source = "Radix-2 FFT on a mobile GPU; real DFT or FFT, CPU or GPU, whichever is faster",
          .quantity = "one transform of float32",
          .x_name = "points",
          .trials = trials,
          .measure = measure,
          .comparisons = comparisons,
          .reading = reading};
}

}  // namespace twiddle::studies
