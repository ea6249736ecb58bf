// Times filter banks over one long signal on a CUDA or OpenCL device, the filters' transforms included, beside figures
// of a published kernel and beside the same in kernels of their own. Every result is checked before it is timed.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>

#include "convolution_bank.hpp"
#include "cuda_clock.hpp"
#include "measurement.hpp"
#include "opencl_copy.hpp"
#include "serial_launches.hpp"

namespace twiddle::bench {
namespace {

constexpr double accepted_error = 1e-5;   // of single samples, relative to the outputs' root mean square
constexpr double round_milliseconds = 3;  // of executions that are submitted together

struct Options {
  std::string device = "cuda";
  std::size_t signal = std::size_t{1} << 21;
  std::vector<std::size_t> taps{65, 257, 1025};
  std::vector<std::size_t> filters{8, 32};
  std::vector<std::string> types{"C2C", "R2R"};
  std::vector<std::string> shapes;
  std::string baseline;
  std::string csv;
  std::size_t rounds = 11;
  bool apart = false;
  bool serial = false;
};

using Case = std::tuple<std::string, std::size_t, std::size_t>;  // type, taps, filters

std::map<Case, double> read_published(const std::string& file) {
  std::map<Case, double> all;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::stringstream parts(line);
    std::string type, taps, filters, time;
    std::getline(parts, type, ',');
    std::getline(parts, taps, ',');
    std::getline(parts, filters, ',');
    std::getline(parts, time, ',');
    if (type == "C2C" || type == "R2R") all[{type, std::stoul(taps), std::stoul(filters)}] = std::stod(time);
  }
  return all;
}

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options), device_(Device::open(options.device)) {
    if (options.serial) device_ = with_serial_launches(device_);
    constexpr std::size_t copied = std::size_t{512} << 20;
    if (device_.info().backend == BackendKind::cuda) {
      clock_ = std::make_unique<CudaClock>(device_);
      const Buffer from(device_, copied), to(device_, copied);
      rate_ = clock_->copy_rate(cuda::pointer(to), cuda::pointer(from), copied, 11);
    } else {
      rate_ = copy_gigabytes_per_second(device_.info().index, copied, 11);
    }
    if (!options.baseline.empty()) published_ = read_published(options.baseline);
  }

  int run() {
    fmt::print("{}, {}; copy {:.0f} GB/s; signal of {}; median of {}\n", device_.info().name, device_.info().driver,
               rate_, options_.signal, options_.rounds);
    fmt::print("{:>4} {:>5} {:>3} {:>48} {:>9} {:>9} {:>5} {:>6} {:>9} {:>9} {:>8}\n", "type", "taps", "F", "segment",
               "ms", "kept", "+-%", "floor", "published", "times", "error");
    if (!options_.csv.empty()) {
      csv_.open(options_.csv);
      fmt::print(csv_,
                 "device,type,taps,filters,how,ms,kept_ms,spread,fraction_of_floor,published_ms,times_faster,error\n");
    }
    for (const std::string& type : options_.types) {
      for (const std::size_t taps : options_.taps) {
        for (const std::size_t filters : options_.filters) measure(type, taps, filters);
      }
    }
    return all_right_ ? 0 : 1;
  }

 private:
  void measure(const std::string& type, std::size_t taps, std::size_t filters) {
    const bool complex = type == "C2C";
    const std::size_t parts = complex ? 2 : 1;
    const Convolution convolution{.signal_lengths = {options_.signal},
                                  .kernel_lengths = {taps},
                                  .filters = filters,
                                  .complex = complex,
                                  .mode = Convolution::Mode::same,
                                  .past = {static_cast<std::int64_t>(taps) - 1}};
    signal_ = make_input<float>(parts * options_.signal);
    filters_ = make_input<float>(parts * filters * taps);
    for (auto* values : {&signal_, &filters_}) {
      for (float& value : *values) value *= 1e20F;
    }
    Buffer signal(device_, signal_.size() * sizeof(float));
    signal.write(signal_);
    Buffer taps_of_all(device_, filters_.size() * sizeof(float));
    taps_of_all.write(filters_);
    Buffer output(device_, filters * signal_.size() * sizeof(float));
    const auto report = [&](const std::function<BankRun()>& make, const Buffer& input) {
      try {
        time(make(), convolution, {type, taps, filters}, input, taps_of_all, output);
      } catch (const std::exception& error) {
        all_right_ = false;
        fmt::print("{:>4} {:>5} {:>3} {}\n", type, taps, filters, error.what());
      }
      std::fflush(stdout);
    };
    if (options_.shapes.empty()) report([&] { return BankRun::fused(device_, convolution, std::nullopt); }, signal);
    for (const std::string& text : options_.shapes) {
      const BankShape shape = parse_bank_shape(text);
      std::size_t length = 1;
      for (const unsigned radix : shape.radices) length *= radix;
      if (length > taps) report([&] { return BankRun::fused(device_, convolution, shape); }, signal);
    }
    if (options_.apart && complex) {
      // What stands before the signal is there as zeros, and enough behind it for the last segment.
      const std::size_t segment = taps > 512 ? 4096 : 1024;
      std::vector<float> padded(2 * (taps - 1 + options_.signal + segment));
      std::copy(signal_.begin(), signal_.end(), padded.begin() + static_cast<std::ptrdiff_t>(2 * (taps - 1)));
      Buffer padded_signal(device_, padded.size() * sizeof(float));
      padded_signal.write(padded);
      // Segments are whole, so that the last one's outputs need room.
      Buffer roomy(device_, filters * (options_.signal + segment) * 2 * sizeof(float));
      std::vector<std::complex<float>> all(filters * taps);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = {filters_[2 * i], filters_[2 * i + 1]};
      try {
        time(BankRun::apart(device_, convolution, segment, all), convolution, {type, taps, filters}, padded_signal,
             taps_of_all, roomy);
      } catch (const std::exception& error) {
        all_right_ = false;
        fmt::print("{:>4} {:>5} {:>3} apart: {}\n", type, taps, filters, error.what());
      }
    }
  }

  [[nodiscard]] double elapsed(const std::function<void()>& work) {
    if (clock_) return clock_->milliseconds(work);
    device_.synchronize();
    const auto start = std::chrono::steady_clock::now();
    work();
    device_.synchronize();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

  void time(const BankRun& bank, const Convolution& convolution, const Case& which, const Buffer& signal,
            const Buffer& filters, Buffer& output) {
    bank.submit(signal, filters, output);
    const double error = largest_error(convolution, output, bank.pitch() == 0 ? options_.signal : bank.pitch());
    const auto once = [&](std::size_t executions, bool with_filters = true) {
      return elapsed([&] {
               for (std::size_t i = 0; i < executions; ++i) bank.submit(signal, filters, output, with_filters);
             }) /
             static_cast<double>(executions);
    };
    const auto executions = static_cast<std::size_t>(std::clamp(round_milliseconds / once(2), 2.0, 100.0));
    std::vector<double> times;
    for (std::size_t round = 0; round < options_.rounds; ++round) times.push_back(once(executions));
    std::vector<double> kept_times;  // with the filters' spectra there already
    for (std::size_t round = 0; round < options_.rounds; ++round) kept_times.push_back(once(executions, false));
    const double kept = median(kept_times);
    const double milliseconds = median(times);
    const double bytes =
        static_cast<double>(convolution.filters + 1) * static_cast<double>(signal_.size()) * sizeof(float);
    const double floor = bytes / rate_ * 1e-6;
    const auto found = published_.find(which);
    const double published = found == published_.end() ? 0 : found->second;
    const bool right = error < accepted_error;
    all_right_ = all_right_ && right;
    const auto& [type, taps, count] = which;
    fmt::print("{:>4} {:>5} {:>3} {:>48} {:>9.4f} {:>9.4f} {:>5.1f} {:>6.3f} {:>9.4f} {:>9.2f} {:>8.1g}{}\n", type,
               taps, count, bank.text(), milliseconds, kept, 100 * relative_spread(times), floor / milliseconds,
               published, published / milliseconds, error, right ? "" : "  WRONG");
    if (csv_.is_open()) {
      fmt::print(csv_, "{},{},{},{},{},{:.5f},{:.5f},{:.4f},{:.4f},{:.5f},{:.3f},{:.2g}\n", options_.device, type, taps,
                 count, bank.text(), milliseconds, kept, relative_spread(times), floor / milliseconds, published,
                 published / milliseconds, error);
      csv_.flush();
    }
  }

  // The largest error of samples at both ends and in between, by the definition, relative to their root mean square;
  // `pitch` samples lie from a filter's outputs to the next one's.
  [[nodiscard]] double largest_error(const Convolution& convolution, const Buffer& output, std::size_t pitch) const {
    const std::size_t taps = convolution.kernel_lengths.back();
    const std::size_t parts = convolution.complex ? 2 : 1;
    std::vector<float> results(output.size_bytes() / sizeof(float));
    output.read(results);
    const auto value = [&](const std::vector<float>& from, std::size_t at) {
      return std::complex<double>(from[parts * at], convolution.complex ? from[parts * at + 1] : 0);
    };
    double largest = 0, sum = 0;
    std::size_t samples = 0;
    for (std::size_t filter = 0; filter < convolution.filters; ++filter) {
      const std::size_t stride = options_.signal / 61 + 7 * filter;
      for (std::size_t i = 0; i < 64; ++i) {
        const std::size_t at = i == 62 ? options_.signal - 1 : i == 63 ? taps / 2 : i * stride % options_.signal;
        std::complex<double> exact = 0;
        for (std::size_t tap = 0; tap <= std::min(at, taps - 1); ++tap) {
          exact += value(filters_, filter * taps + tap) * value(signal_, at - tap);
        }
        largest = std::max(largest, std::abs(value(results, filter * pitch + at) - exact));
        sum += std::norm(exact);
        ++samples;
      }
    }
    return largest / std::sqrt(sum / static_cast<double>(samples));
  }

  const Options& options_;
  Device device_;
  std::unique_ptr<CudaClock> clock_;
  double rate_ = 0;
  std::map<Case, double> published_;
  std::vector<float> signal_;
  std::vector<float> filters_;
  std::ofstream csv_;
  bool all_right_ = true;
};

}  // namespace
}  // namespace twiddle::bench

int main(int argc, char** argv) {
  twiddle::bench::Options options;
  CLI::App app{"Times filter banks over a long signal on a device"};
  app.add_option("--device", options.device, "cuda or opencl")->capture_default_str();
  app.add_option("--signal", options.signal, "samples of the signal")->capture_default_str();
  app.add_option("--taps", options.taps, "lengths of filters");
  app.add_option("--filters", options.filters, "numbers of filters");
  app.add_option("--type", options.types, "C2C or R2R (default: both)");
  app.add_option("--shapes", options.shapes,
                 "segments as RADICES[/REGISTERS[/GROUPS[/ITEMS[/STEP[/kept[/SHARING[/AHEAD]]]]]]], such as "
                 "32.32/168/12/32; SHARING is pairs, segments or turns");
  app.add_option("--baseline", options.baseline, "CSV file of published figures: type, taps, filters, ms");
  app.add_option("--rounds", options.rounds, "measurements of which the median counts")->capture_default_str();
  app.add_option("--csv", options.csv, "write the figures to this file");
  app.add_flag("--apart", options.apart, "also in kernels of their own");
  app.add_flag("--serial", options.serial, "each kernel starts when the one before has ended (CUDA)");
  CLI11_PARSE(app, argc, argv);
  try {
    return twiddle::bench::Bench(options).run();
  } catch (const std::exception& error) {
    fmt::print(std::cerr, "{}\n", error.what());
    return 1;
  }
}
