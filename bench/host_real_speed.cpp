// Real transforms of the host engine beside complex ones of the same length, and beside FFTW's (MEASURE), executions
// taking turns in one process, on one thread.
#include <fftw3.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "measurement.hpp"
#include "twiddle/twiddle.hpp"

namespace {

using twiddle::bench::median;

using Complex = std::complex<float>;

double seconds(const std::function<void()>& work, std::size_t times) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < times; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(times);
}

// FFTW's plans for lines without gaps.
class Fftw {
 public:
  Fftw(std::size_t length, std::size_t batch, float* reals, Complex* half) {
    const int n[] = {static_cast<int>(length)};
    const int reals_apart = n[0];
    const int half_apart = n[0] / 2 + 1;
    auto* const spectrum = reinterpret_cast<fftwf_complex*>(half);
    forward_ = fftwf_plan_many_dft_r2c(1, n, static_cast<int>(batch), reals, nullptr, 1, reals_apart, spectrum, nullptr,
                                       1, half_apart, FFTW_MEASURE);
    back_ = fftwf_plan_many_dft_c2r(1, n, static_cast<int>(batch), spectrum, nullptr, 1, half_apart, reals, nullptr, 1,
                                    reals_apart, FFTW_MEASURE | FFTW_PRESERVE_INPUT);
  }
  ~Fftw() {
    fftwf_destroy_plan(forward_);
    fftwf_destroy_plan(back_);
  }
  Fftw(const Fftw&) = delete;
  Fftw& operator=(const Fftw&) = delete;
  void forward() const { fftwf_execute(forward_); }
  void back() const { fftwf_execute(back_); }

 private:
  fftwf_plan forward_;
  fftwf_plan back_;
};

void measure(std::size_t length, std::size_t batch, std::size_t turns) {
  const twiddle::Transform complex{.lengths = {length}, .batch = batch, .normalization = twiddle::Normalization::none};
  twiddle::Transform real = complex;
  real.kind = twiddle::Kind::r2c;
  const std::size_t points = length * batch;
  std::vector<Complex> line(points), transformed(points), half((length / 2 + 1) * batch);
  std::vector<float> reals(points), back(points);
  const Fftw fftw(length, batch, back.data(), half.data());  // measuring overwrites
  std::minstd_rand generator(1);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  for (std::size_t i = 0; i < points; ++i) {
    reals[i] = uniform(generator);
    line[i] = {reals[i], uniform(generator)};
  }
  const twiddle::Plan complex_plan(twiddle::Device::host(), complex);
  const twiddle::Plan real_plan(twiddle::Device::host(), real);
  const auto run_complex = [&] {
    complex_plan.forward(std::span<const Complex>(line), std::span<Complex>(transformed));
  };
  const auto run_forward = [&] { real_plan.forward(std::span<const float>(reals), std::span<Complex>(half)); };
  const auto run_back = [&] { real_plan.inverse(std::span<const Complex>(half), std::span<float>(back)); };
  run_complex();
  run_forward();
  run_back();
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < points; ++i) {
    difference += std::pow(back[i] / static_cast<double>(length) - reals[i], 2);
    size += std::pow(static_cast<double>(reals[i]), 2);
  }
  if (!(difference <= 1e-10 * size)) throw std::runtime_error(fmt::format("{} points there and back differ", length));
  const std::size_t times = std::max<std::size_t>(1, 100000 / points);
  std::vector<double> nanoseconds, forward, backward, fftw_forward, fftw_backward;
  for (std::size_t i = 0; i < turns; ++i) {
    const double unit = seconds(run_complex, times);
    const double there = seconds(run_forward, times);
    const double again = seconds(run_back, times);
    nanoseconds.push_back(unit * 1e9 / static_cast<double>(points));
    forward.push_back(there / unit);
    backward.push_back(again / unit);
    fftw_forward.push_back(seconds([&] { fftw.forward(); }, times) / there);
    fftw_backward.push_back(seconds([&] { fftw.back(); }, times) / again);
  }
  fmt::print("{:>8} {:>8} {:>10.3f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f}\n", length, batch, median(nanoseconds),
             median(forward), median(backward), median(fftw_forward), median(fftw_backward));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Speed of real transforms on the host beside complex ones and FFTW's: medians of ratios, one thread"};
  std::vector<std::size_t> lengths = {9,   15,  27,  45,   81,   105,  125,  243,  315,
                                      343, 625, 729, 1001, 1125, 2187, 3125, 6561, 15625};
  std::size_t points = std::size_t{1} << 22;
  std::size_t turns = 15;
  app.add_option("--lengths", lengths, "Points of a line")->delimiter(',');
  app.add_option("--points", points, "Points of all lines; each length is also tried alone")->capture_default_str();
  app.add_option("--turns", turns, "Times that executions are repeated")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  setenv("TWIDDLE_THREADS", "1", 1);
  fmt::print("{:>8} {:>8} {:>10} {:>8} {:>8} {:>8} {:>8}\n", "length", "lines", "c2c ns/pt", "r2c/c2c", "c2r/c2c",
             "FFTW r2c", "FFTW c2r");
  for (const std::size_t length : lengths) {
    measure(length, std::max<std::size_t>(1, points / length), turns);
    measure(length, 1, turns);
  }
  return 0;
}
