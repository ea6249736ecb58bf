// Times forward transforms in place on a CUDA device, taking turns with cuFFT on the same memory, beside the device's
// copy rate and figures of VkFFT. Every result is checked before it is timed.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "baseline.hpp"
#include "cuda_clock.hpp"
#include "cufft_peer.hpp"
#include "measurement.hpp"
#include "plan/lower.hpp"
#include "sampled_spectrum.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::bench {
namespace {

constexpr double round_milliseconds = 2.5;  // of executions that are submitted together

// Many more would overflow, since nothing is scaled.
std::size_t most_executions(const Transform& transform) { return array_elements(transform) <= 65536 ? 20 : 8; }
constexpr std::size_t room = std::size_t{600} << 20;

struct Options {
  std::string device = "cuda";
  std::vector<std::string> problems;
  std::vector<std::string> baselines;
  std::vector<std::string> types;
  std::size_t rounds = 11;
  std::string csv;
  bool compile_only = false;
  bool stages = false;
};

struct Timing {
  double milliseconds = 0;
  double spread = 0;
  double error = 0;
};

double bytes_per_scalar(const std::string& type) { return type == "Z2Z" ? sizeof(double) : sizeof(float); }

Transform transform_of(const BaselineRow& row) {
  return {.lengths = row.lengths,
          .batch = row.batch,
          .kind = row.type == "R2C" ? Kind::r2c : Kind::c2c,
          .precision = row.type == "Z2Z" ? Precision::float64 : Precision::float32};
}

double accepted_error(const std::string& type) { return type == "Z2Z" ? 1e-14 : 1e-6; }

// Bytes that must be moved at least: what is read once and what is written once.
double least_bytes(const BaselineRow& row) {
  const auto elements = static_cast<double>(array_elements(transform_of(row)));
  const double last = static_cast<double>(row.lengths.back());
  const double spectrum =
      row.type == "R2C" ? 2 * elements / last * static_cast<double>(row.lengths.back() / 2 + 1) : 2 * elements;
  const double scalars = row.type == "R2C" ? elements + spectrum : 2 * spectrum;
  return scalars * bytes_per_scalar(row.type) * static_cast<double>(row.batch);
}

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options),
        device_(Device::open(options.device)),
        clock_(device_),
        original_(device_, room),
        data_(device_, room) {
    if (!options.compile_only)
      rate_ = clock_.copy_rate(cuda::pointer(data_), cuda::pointer(original_), std::size_t{512} << 20, 15);
  }

  int run(std::vector<BaselineRow> rows) {
    const std::string peer = cufft_.absence().empty() ? fmt::format("cuFFT {}", cufft_.version()) : cufft_.absence();
    fmt::print("{}, {}; copy {:.0f} GB/s; {}; median of {}\n", device_.info().name, device_.info().driver, rate_, peer,
               options_.rounds);
    fmt::print("{:>4} {:>14} {:>9} {:>9} {:>6} {:>9} {:>6} {:>7} {:>6} {:>7} {:>7} {:>9} {:>9}\n", "type", "lengths",
               "batch", "ms", "+-%", "cuFFT ms", "+-%", "GB/s", "copy", "/cuFFT", "/VkFFT", "error", "cuFFT's");
    if (!options_.csv.empty()) {
      csv_.open(options_.csv);
      fmt::print(csv_,
                 "type,lengths,batch,ms,spread,cufft_ms,cufft_spread,gbps,fraction_of_copy,over_cufft,over_vkfft,"
                 "error,cufft_error\n");
    }
    // One precision after the other, since the data is made for it.
    std::stable_partition(rows.begin(), rows.end(), [](const BaselineRow& row) { return row.type != "Z2Z"; });
    bool all_right = true;
    for (const BaselineRow& row : rows) {
      try {
        if (!options_.compile_only) fill(row.type == "Z2Z");
        all_right = measure(row) && all_right;
      } catch (const std::exception& error) {
        all_right = false;
        fmt::print("{:>4} {:>14} {}\n", row.type, to_text(row.lengths), error.what());
      }
      std::fflush(stdout);
    }
    return all_right ? 0 : 1;
  }

 private:
  void fill(bool doubles) {
    if (filled_ && doubles == filled_with_doubles_) return;
    filled_ = true;
    filled_with_doubles_ = doubles;
    if (doubles) {
      doubles_ = make_input<double>(room / sizeof(double));
      original_.write(doubles_);
    } else {
      floats_ = make_input<float>(room / sizeof(float));
      original_.write(floats_);
    }
  }

  [[nodiscard]] double original(std::size_t scalar) const {
    return filled_with_doubles_ ? doubles_[scalar] : static_cast<double>(floats_[scalar]);
  }

  // The arrays of a result that the samples look at, in rows as long as on the device.
  double error(const SampledSpectrum& spectrum) {
    const std::size_t scalars = 2 * spectrum.output_size();
    const std::size_t scalar_bytes = filled_with_doubles_ ? sizeof(double) : sizeof(float);
    std::map<std::size_t, std::vector<double>> results;
    for (const std::size_t array : spectrum.arrays()) {
      // Wrapped memory starts at multiples of 16 bytes.
      const std::size_t start = array * scalars * scalar_bytes;
      const std::size_t skipped = start % 16;
      const std::size_t bytes = skipped + scalars * scalar_bytes;
      const Buffer part = cuda::wrap(device_, cuda::pointer(data_) + start - skipped, bytes);
      std::vector<std::byte> raw(bytes);
      part.read_bytes(raw);
      std::vector<double>& values = results[array];
      for (std::size_t i = 0; i < scalars; ++i) {
        const std::byte* at = raw.data() + skipped + i * scalar_bytes;
        if (filled_with_doubles_) {
          double value = 0;
          std::memcpy(&value, at, sizeof value);
          values.push_back(value);
        } else {
          float value = 0;
          std::memcpy(&value, at, sizeof value);
          values.push_back(value);
        }
      }
    }
    return spectrum.error([&](std::size_t array, std::size_t element) {
      const std::vector<double>& values = results.at(array);
      return std::complex<double>(values[2 * element], values[2 * element + 1]);
    });
  }

  SampledSpectrum expected(const BaselineRow& row, const Transform& transform) const {
    SampledSpectrum spectrum(transform);
    const bool real = row.type == "R2C";
    const std::size_t columns = row.lengths.back();
    const std::size_t pitch = real ? 2 * (columns / 2 + 1) : columns;  // scalars, or complex numbers
    const std::size_t lines = array_elements(transform) / columns;
    for (const std::size_t array : spectrum.arrays()) {
      std::vector<std::complex<double>> elements;
      elements.reserve(lines * columns);
      for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t column = 0; column < columns; ++column) {
          const std::size_t at = (array * lines + line) * pitch + column;
          elements.push_back(real ? std::complex<double>(original(at))
                                  : std::complex<double>(original(2 * at), original(2 * at + 1)));
        }
      }
      spectrum.add(array, elements);
    }
    return spectrum;
  }

  bool measure(const BaselineRow& row) {
    const Transform transform = transform_of(row);
    const Plan plan(device_, transform);
    if (options_.compile_only) {
      plan.prepare(Direction::forward, Placement::in_place);
      return true;
    }
    const std::size_t bytes = std::max(plan.input_bytes(Direction::forward, Placement::in_place),
                                       plan.output_bytes(Direction::forward, Placement::in_place));
    if (bytes > room) throw InvalidArgument(fmt::format("{} bytes; expected at most {}", bytes, room));
    Buffer data = cuda::wrap(device_, cuda::pointer(data_), bytes);
    std::unique_ptr<CufftPlan> peer;
    if (cufft_.absence().empty()) {
      peer = cufft_.plan(row.type, row.lengths, row.batch, cuda::pointer(data_), cuda::stream(device_));
    }

    const auto refill = [&] { clock_.copy(cuda::pointer(data_), cuda::pointer(original_), bytes); };
    const SampledSpectrum spectrum = expected(row, transform);
    Timing ours;
    Timing theirs;
    refill();
    plan.forward(data);
    ours.error = error(spectrum);
    if (peer) {
      refill();
      peer->run();
      theirs.error = error(spectrum);
    }
    std::size_t executions = 1;
    std::vector<double> our_times;
    std::vector<double> their_times;
    const auto time = [&](bool own) {
      refill();
      const double elapsed = clock_.milliseconds([&] {
        for (std::size_t i = 0; i < executions; ++i) own ? plan.forward(data) : peer->run();
      });
      (own ? our_times : their_times).push_back(elapsed / static_cast<double>(executions));
    };
    time(true);
    executions = std::clamp<std::size_t>(static_cast<std::size_t>(round_milliseconds / our_times.front()), 1,
                                         most_executions(transform));
    our_times.clear();
    for (std::size_t round = 0; round < options_.rounds; ++round) {
      const bool own_first = round % 2 == 0;
      if (own_first || peer) time(own_first);
      if (!own_first || peer) time(!own_first);
    }
    ours.milliseconds = median(our_times);
    ours.spread = relative_spread(our_times);
    if (peer) theirs.milliseconds = median(their_times);
    if (peer) theirs.spread = relative_spread(their_times);
    const bool right = ours.error < accepted_error(row.type);  // false for not-a-number
    report(row, ours, theirs, right);
    if (options_.stages) print_stages(plan, transform, data);
    return right;
  }

  void report(const BaselineRow& row, const Timing& ours, const Timing& theirs, bool right) {
    const auto ratio = [&](std::optional<double> time) {
      return time && *time > 0 ? fmt::format("{:.3f}", *time / ours.milliseconds) : std::string("-");
    };
    const double gbps = least_bytes(row) / ours.milliseconds * 1e-6;
    const std::string over_cufft = ratio(theirs.milliseconds);
    const std::string over_vkfft = ratio(row.milliseconds);
    fmt::print(
        "{:>4} {:>14} {:>9} {:>9.4f} {:>6.1f} {:>9.4f} {:>6.1f} {:>7.0f} {:>6.3f} {:>7} {:>7} {:>9.2g} {:>9.2g}{}\n",
        row.type, to_text(row.lengths), row.batch, ours.milliseconds, 100 * ours.spread, theirs.milliseconds,
        100 * theirs.spread, gbps, gbps / rate_, over_cufft, over_vkfft, ours.error, theirs.error,
        right ? "" : "  WRONG");
    if (csv_.is_open()) {
      fmt::print(csv_, "{},{},{},{:.5f},{:.4f},{:.5f},{:.4f},{:.1f},{:.4f},{},{},{:.3g},{:.3g}\n", row.type,
                 to_text(row.lengths), row.batch, ours.milliseconds, ours.spread, theirs.milliseconds, theirs.spread,
                 gbps, gbps / rate_, over_cufft, over_vkfft, ours.error, theirs.error);
      csv_.flush();
    }
  }

  void print_stages(const Plan& plan, const Transform& transform, Buffer& data) {
    Profile profile;
    plan.execute(Direction::forward, data, &profile);
    const DeviceLimits& limits = device_.info().limits;
    const plan::Program program =
        plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward, Placement::in_place, limits);
    for (std::size_t i = 0; i < program.stages.size(); ++i) {
      fmt::print("    {:8.4f} ms  {}\n", profile[i].milliseconds, plan::to_string(program.stages[i]));
    }
  }

  const Options& options_;
  Device device_;
  CudaClock clock_;
  Cufft cufft_;
  Buffer original_;
  Buffer data_;
  double rate_ = 0;
  bool filled_ = false;
  bool filled_with_doubles_ = false;
  std::vector<float> floats_;
  std::vector<double> doubles_;
  std::ofstream csv_;
};

std::vector<BaselineRow> chosen_rows(const Options& options) {
  std::vector<BaselineRow> rows;
  for (const std::string& file : options.baselines) {
    for (const BaselineRow& row : read_baseline(file)) {
      const auto listed = [&](const std::vector<std::string>& texts, const std::string& text) {
        return texts.empty() || std::find(texts.begin(), texts.end(), text) != texts.end();
      };
      if (listed(options.types, row.type) && listed(options.problems, to_text(row.lengths))) rows.push_back(row);
    }
  }
  if (!options.baselines.empty()) return rows;
  for (const std::string& problem : options.problems) {
    for (const std::string& type :
         options.types.empty() ? std::vector<std::string>{"C2C", "R2C", "Z2Z"} : options.types) {
      BaselineRow row{type, parse_lengths(problem), 1, {}};
      const double elements = static_cast<double>(array_elements(transform_of(row)));
      const double half = type == "R2C" ? 0.5 : 1;
      const double arrays = 0x1p29 / (2 * bytes_per_scalar(type) * half * elements);
      row.batch = std::max<std::size_t>(1, static_cast<std::size_t>(arrays));
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace
}  // namespace twiddle::bench

int main(int argc, char** argv) {
  twiddle::bench::Options options;
  CLI::App app{"Times forward transforms in place on a CUDA device, beside cuFFT"};
  app.add_option("problems", options.problems,
                 "sizes such as 1024 or 1080x1920, in batches of 512 MiB; with "
                 "--baseline, those of its rows");
  app.add_option("--device", options.device, "cuda or cuda:N")->capture_default_str();
  app.add_option("--type", options.types, "C2C, R2C or Z2Z (default: all)")->allow_extra_args(false);
  app.add_option("--rounds", options.rounds, "measurements of which the median counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--baseline", options.baselines, "CSV file of VkFFT's figures, which says what is measured")
      ->allow_extra_args(false);
  app.add_option("--csv", options.csv, "write the figures to this file");
  app.add_flag("--stages", options.stages, "show each stage's kernel shape and time");
  app.add_flag("--compile", options.compile_only, "only compile, for a later run that finds the kernels in the cache");
  CLI11_PARSE(app, argc, argv);
  try {
    return twiddle::bench::Bench(options).run(twiddle::bench::chosen_rows(options));
  } catch (const std::exception& error) {
    fmt::print(std::cerr, "{}\n", error.what());
    return 1;
  }
}
