// Speed of convolutions on the host beside overlap-save written on FFTW with its best segment, two ways in turns.
//   twiddle_bench_convolution [SIGNAL]
// Or one problem in turns with another program (oaconvolve.py): an execution for each line that comes, and a line with
// its milliseconds for each.
//   twiddle_bench_convolution SIGNAL TAPS FILTERS
#include <fftw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "measurement.hpp"
#include "twiddle/convolution_plan.hpp"

namespace {

using twiddle::Convolution;
using twiddle::bench::median;
using twiddle::bench::seconds_of;

std::vector<float> noise(std::size_t count) { return twiddle::bench::make_input<float>(count, 1); }

// Real overlap-save on FFTW, planned by measuring, segments shared between threads.
class FftwOverlapSave {
 public:
  FftwOverlapSave(std::size_t segment, std::size_t taps, std::size_t filters, std::size_t threads,
                  const std::vector<float>& bank)
      : segment_(segment), taps_(taps), filters_(filters), threads_(threads), points_(segment / 2 + 1) {
    for (std::size_t i = 0; i < threads; ++i) work_.push_back(std::make_unique<Work>(segment));
    float* line = work_[0]->line;
    forward_ = fftwf_plan_dft_r2c_1d(static_cast<int>(segment), line, work_[0]->spectrum, FFTW_MEASURE);
    inverse_ = fftwf_plan_dft_c2r_1d(static_cast<int>(segment), work_[0]->product, line, FFTW_MEASURE);
    spectra_.resize(filters * points_);
    for (std::size_t f = 0; f < filters; ++f) {
      std::fill_n(line, segment, 0.0F);
      std::copy_n(bank.data() + f * taps, taps, line);
      fftwf_execute(forward_);
      for (std::size_t k = 0; k < points_; ++k) {
        spectra_[f * points_ + k] =
            std::complex<float>(work_[0]->spectrum[k][0], work_[0]->spectrum[k][1]) / static_cast<float>(segment);
      }
    }
  }
  ~FftwOverlapSave() {
    fftwf_destroy_plan(forward_);
    fftwf_destroy_plan(inverse_);
  }
  FftwOverlapSave(const FftwOverlapSave&) = delete;
  FftwOverlapSave& operator=(const FftwOverlapSave&) = delete;

  void run(const std::vector<float>& signal, std::vector<float>& output) {
    const std::size_t outputs = signal.size() + taps_ - 1;
    const std::size_t step = segment_ - taps_ + 1;
    const std::size_t segments = (outputs + step - 1) / step;
    std::vector<std::thread> others;
    const auto part = [&](std::size_t thread) {
      for (std::size_t s = segments * thread / threads_; s < segments * (thread + 1) / threads_; ++s) {
        convolve(*work_[thread], signal, output, s * step, std::min(step, outputs - s * step), outputs);
      }
    };
    for (std::size_t i = 1; i < threads_; ++i) others.emplace_back(part, i);
    part(0);
    for (std::thread& other : others) other.join();
  }

 private:
  struct Work {
    explicit Work(std::size_t segment)
        : line(fftwf_alloc_real(segment)),
          result(fftwf_alloc_real(segment)),
          spectrum(fftwf_alloc_complex(segment / 2 + 1)),
          product(fftwf_alloc_complex(segment / 2 + 1)) {}
    ~Work() {
      for (void* memory : {static_cast<void*>(line), static_cast<void*>(result), static_cast<void*>(spectrum),
                           static_cast<void*>(product)}) {
        fftwf_free(memory);
      }
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    float* line;
    float* result;
    fftwf_complex* spectrum;
    fftwf_complex* product;
  };

  void convolve(Work& work, const std::vector<float>& signal, std::vector<float>& output, std::size_t begin,
                std::size_t count, std::size_t outputs) {
    const std::size_t lost = taps_ - 1;
    const std::size_t zeros = begin < lost ? lost - begin : 0;
    const std::size_t from = begin + zeros - lost;
    const std::size_t there = from < signal.size() ? std::min(segment_ - zeros, signal.size() - from) : 0;
    std::fill_n(work.line, zeros, 0.0F);
    if (there > 0) std::copy_n(signal.data() + from, there, work.line + zeros);
    std::fill_n(work.line + zeros + there, segment_ - zeros - there, 0.0F);
    fftwf_execute_dft_r2c(forward_, work.line, work.spectrum);
    for (std::size_t f = 0; f < filters_; ++f) {
      const auto* a = reinterpret_cast<const float*>(work.spectrum);
      const auto* b = reinterpret_cast<const float*>(spectra_.data() + f * points_);
      auto* to = reinterpret_cast<float*>(work.product);
      for (std::size_t k = 0; k < 2 * points_; k += 2) {
        to[k] = a[k] * b[k] - a[k + 1] * b[k + 1];
        to[k + 1] = a[k] * b[k + 1] + a[k + 1] * b[k];
      }
      fftwf_execute_dft_c2r(inverse_, work.product, work.result);
      std::copy_n(work.result + lost, count, output.data() + f * outputs + begin);
    }
  }

  std::size_t segment_, taps_, filters_, threads_, points_;
  std::vector<std::unique_ptr<Work>> work_;
  fftwf_plan forward_ = nullptr;
  fftwf_plan inverse_ = nullptr;
  std::vector<std::complex<float>> spectra_;
};

double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - b[i], 2);
    norm += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(difference / norm);
}

void compare_with_fftw(std::size_t length, int rounds) {
  const twiddle::Device host = twiddle::Device::host();
  const std::size_t threads = host.info().limits.compute_units;
  fmt::print("real f32, signal {}, {} threads, mode full; medians of {} rounds in turns\n", length, threads, rounds);
  fmt::print("taps,filters,ours_ms,our_method,fftw_ms,fftw_segment,ratio,difference\n");
  const std::vector<float> signal = noise(length);
  for (const std::size_t filters : {1, 16}) {
    for (const std::size_t taps : {65, 257, 1025, 4097}) {
      const std::vector<float> bank = noise(taps * filters);
      twiddle::ConvolutionPlan plan(host, {.signal_lengths = {length}, .kernel_lengths = {taps}, .filters = filters});
      plan.set_filters(bank);
      std::vector<float> ours(filters * (length + taps - 1)), theirs(ours.size());
      std::unique_ptr<FftwOverlapSave> best;
      double best_seconds = INFINITY;
      std::size_t best_segment = 0;
      for (std::size_t segment = 512; segment <= 65536; segment *= 2) {
        if (segment < 2 * taps) continue;
        auto candidate = std::make_unique<FftwOverlapSave>(segment, taps, filters, threads, bank);
        candidate->run(signal, theirs);
        const double seconds = std::min(seconds_of([&] { candidate->run(signal, theirs); }),
                                        seconds_of([&] { candidate->run(signal, theirs); }));
        if (seconds >= best_seconds) continue;
        best_seconds = seconds;
        best_segment = segment;
        best = std::move(candidate);
      }
      plan.execute(signal, ours);
      std::vector<double> our_seconds, their_seconds;
      for (int round = 0; round < rounds; ++round) {
        our_seconds.push_back(seconds_of([&] { plan.execute(signal, ours); }));
        their_seconds.push_back(seconds_of([&] { best->run(signal, theirs); }));
      }
      const std::string text = plan.describe();
      const std::size_t begin = text.find("method: ") + 8;
      fmt::print("{},{},{:.3f},{},{:.3f},{},{:.2f},{:.1e}\n", taps, filters, median(our_seconds) * 1e3,
                 text.substr(begin, text.find(',', begin) - begin), median(their_seconds) * 1e3, best_segment,
                 median(their_seconds) / median(our_seconds), relative_difference(ours, theirs));
      std::fflush(stdout);
    }
  }
}

void take_turns(std::size_t length, std::size_t taps, std::size_t filters) {
  twiddle::ConvolutionPlan plan(twiddle::Device::host(),
                                {.signal_lengths = {length}, .kernel_lengths = {taps}, .filters = filters});
  plan.set_filters(noise(taps * filters));
  const std::vector<float> signal = noise(length);
  std::vector<float> results(filters * (length + taps - 1));
  plan.execute(signal, results);
  for (std::string line; std::getline(std::cin, line);) {
    fmt::print("{:.6f}\n", seconds_of([&] { plan.execute(signal, results); }) * 1e3);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 4) {
      take_turns(std::stoul(argv[1]), std::stoul(argv[2]), std::stoul(argv[3]));
      return 0;
    }
    compare_with_fftw(argc > 1 ? std::stoul(argv[1]) : std::size_t{1} << 22, 5);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
