// Speed of the host engine beside FFTW (MEASURE, same threads, same memory), executions taking turns in one process.
// Planning is timed apart; results are compared before anything is timed.
#include <fftw3.h>
#include <fmt/format.h>
#include <fmt/os.h>
#include <sys/mman.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "twiddle/twiddle.hpp"

namespace {

using Complex = std::complex<float>;

struct Case {
  std::vector<std::size_t> lengths;
  std::size_t batch = 1;
};

struct Options {
  std::vector<std::size_t> threads = {1, 2};
  std::size_t repetitions = 21;
  std::size_t points = std::size_t{1} << 22;
  std::string filter;
  std::string csv;
  bool estimate = false;
};

// One-dimensional cases of `points` in all; images alone, and as many as hold about as much.
std::vector<Case> default_cases(std::size_t points) {
  std::vector<Case> cases;
  for (std::size_t n : {64, 256, 1000, 1024, 4096, 65536, 1 << 20})
    cases.push_back({{n}, std::max<std::size_t>(1, points / n)});
  cases.push_back({{512, 512}, 1});
  cases.push_back({{512, 512}, std::max<std::size_t>(2, points / (512 * 512))});
  cases.push_back({{1000, 872}, 1});
  cases.push_back({{1000, 872}, std::max<std::size_t>(2, points / (1000 * 872))});
  return cases;
}

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(std::lround(q * static_cast<double>(values.size() - 1)))];
}

struct FftwPlan {
  FftwPlan(const twiddle::Transform& transform, Complex* input, Complex* output, std::size_t threads, bool estimate) {
    fftwf_plan_with_nthreads(static_cast<int>(threads));
    std::vector<int> lengths(transform.lengths.begin(), transform.lengths.end());
    const int distance = static_cast<int>(twiddle::array_elements(transform));
    plan = fftwf_plan_many_dft(static_cast<int>(lengths.size()), lengths.data(), static_cast<int>(transform.batch),
                               reinterpret_cast<fftwf_complex*>(input), nullptr, 1, distance,
                               reinterpret_cast<fftwf_complex*>(output), nullptr, 1, distance, FFTW_FORWARD,
                               estimate ? FFTW_ESTIMATE : FFTW_MEASURE);
  }
  ~FftwPlan() { fftwf_destroy_plan(plan); }
  FftwPlan(const FftwPlan&) = delete;
  FftwPlan& operator=(const FftwPlan&) = delete;
  fftwf_plan plan;
};

struct Spread {
  double median, low, high;  // with the quartiles
};

struct Result {
  std::string name;
  std::size_t threads;
  bool in_place;
  Spread ours;  // milliseconds
  Spread fftw;
  Spread ratio;  // of each pair of executions, FFTW's time over ours
  double gigaflops;
  double fftw_gigaflops;
  double difference;  // relative L2, between the two results
  double planning;
  double fftw_planning;
};

double relative_difference(const std::vector<Complex>& a, const Complex* b) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(std::complex<double>(a[i]) - std::complex<double>(b[i]));
    size += std::norm(std::complex<double>(a[i]));
  }
  return std::sqrt(difference / size);
}

// Zeroed, on huge pages where the system has them, the same for both libraries.
class Memory {
 public:
  explicit Memory(std::size_t count) {
    constexpr std::size_t page = std::size_t{1} << 21;
    const std::size_t bytes = (count * sizeof(Complex) + page - 1) / page * page;
    data_.reset(static_cast<Complex*>(std::aligned_alloc(page, bytes)));
    madvise(data_.get(), bytes, MADV_HUGEPAGE);
    std::memset(static_cast<void*>(data_.get()), 0, bytes);
  }
  [[nodiscard]] Complex* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(Complex* memory) const { std::free(memory); }
  };
  std::unique_ptr<Complex, Free> data_;
};

Result measure(const Case& test, std::size_t threads, bool in_place, const Options& options) {
  const twiddle::Transform transform{
      .lengths = test.lengths, .batch = test.batch, .normalization = twiddle::Normalization::none};
  const std::size_t points = twiddle::total_elements(transform);
  setenv("TWIDDLE_THREADS", std::to_string(threads).c_str(), 1);
  const Memory input(points);
  const Memory other(points);
  Complex* const output = in_place ? input.data() : other.data();
  std::vector<Complex> signal(points);
  std::minstd_rand generator(1);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  for (Complex& value : signal) value = {uniform(generator), uniform(generator)};

  Result result;
  result.name = twiddle::to_string(transform);
  result.threads = threads;
  result.in_place = in_place;
  std::unique_ptr<FftwPlan> fftw;
  result.fftw_planning = milliseconds(
      [&] { fftw = std::make_unique<FftwPlan>(transform, input.data(), output, threads, options.estimate); });
  std::unique_ptr<twiddle::Plan> plan;
  result.planning = milliseconds([&] { plan = std::make_unique<twiddle::Plan>(twiddle::Device::host(), transform); });

  const std::span<Complex> from(input.data(), points);
  const std::span<Complex> to(output, points);
  const auto reset = [&] { std::copy(signal.begin(), signal.end(), from.begin()); };
  const auto run_ours = [&] {
    if (in_place) {
      plan->forward(to);
    } else {
      plan->forward(std::span<const Complex>(from), to);
    }
  };
  const auto run_fftw = [&] { fftwf_execute(fftw->plan); };
  reset();
  run_fftw();
  const std::vector<Complex> expected(to.begin(), to.end());
  reset();
  run_ours();
  result.difference = relative_difference(expected, to.data());

  std::vector<double> ours;
  std::vector<double> fftws;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < options.repetitions; ++i) {
    const auto timed = [&](const auto& work) {
      reset();
      return milliseconds(work);
    };
    const bool ours_first = i % 2 == 0;
    double a = ours_first ? timed(run_ours) : 0;
    const double b = timed(run_fftw);
    if (!ours_first) a = timed(run_ours);
    ours.push_back(a);
    fftws.push_back(b);
    ratios.push_back(b / a);
  }
  result.ours = {quantile(ours, 0.5), quantile(ours, 0.25), quantile(ours, 0.75)};
  result.fftw = {quantile(fftws, 0.5), quantile(fftws, 0.25), quantile(fftws, 0.75)};
  result.ratio = {quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75)};
  double length = 1;
  for (std::size_t n : transform.lengths) length *= static_cast<double>(n);
  const double operations = 5.0 * static_cast<double>(points) * std::log2(length);
  result.gigaflops = operations / result.ours.median * 1e-6;
  result.fftw_gigaflops = operations / result.fftw.median * 1e-6;
  return result;
}

std::string csv_line(const Result& r) {
  return fmt::format("{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.3f},{:.2f},{:.2f},{:.2e},{:.2f},{:.2f}\n",
                     r.name, r.threads, r.in_place ? "in" : "out", r.ours.median, r.ours.low, r.ours.high,
                     r.fftw.median, r.fftw.low, r.fftw.high, r.ratio.median, r.gigaflops, r.fftw_gigaflops,
                     r.difference, r.planning, r.fftw_planning);
}

void print(const Result& r) {
  fmt::print(
      "{:<16} {:>2} {:<3}  {:9.3f} ms [{:9.3f} {:9.3f}]  {:9.3f} ms [{:9.3f} {:9.3f}]  {:7.1f} {:7.1f}  x{:5.2f} "
      "[{:5.2f} {:5.2f}]  {:.1e}\n",
      r.name, r.threads, r.in_place ? "in" : "out", r.ours.median, r.ours.low, r.ours.high, r.fftw.median, r.fftw.low,
      r.fftw.high, r.gigaflops, r.fftw_gigaflops, r.ratio.median, r.ratio.low, r.ratio.high, r.difference);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Speed of the host engine beside FFTW: medians [quartiles] of executions that take turns"};
  Options options;
  std::string placement = "in";
  app.add_option("--threads", options.threads, "Numbers of threads to try")->delimiter(',')->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Executions of each library")->capture_default_str();
  app.add_option("--points", options.points, "Points in all of the one-dimensional cases")->capture_default_str();
  app.add_option("--only", options.filter, "Only cases whose name contains this (as in 1000*4194)");
  app.add_option("--csv", options.csv, "Also write the results to this file");
  app.add_option("--placement", placement, "in, out or both")
      ->check(CLI::IsMember({"in", "out", "both"}))
      ->capture_default_str();
  app.add_flag("--estimate", options.estimate, "Let FFTW plan without measuring");
  CLI11_PARSE(app, argc, argv);

  fftwf_init_threads();
  std::string csv =
      "transform,threads,placement,ms,ms_low,ms_high,fftw_ms,fftw_ms_low,fftw_ms_high,ratio,gflops,fftw_gflops,"
      "difference,plan_ms,fftw_plan_ms\n";
  fmt::print("{:<16} {:>2} {:<3}  {:<34} {:<34} {:>7} {:>7}  {}\n", "transform", "t", "", "twiddle", "FFTW", "GFLOP/s",
             "FFTW", "times as fast, difference");
  for (const Case& test : default_cases(options.points)) {
    const twiddle::Transform transform{.lengths = test.lengths, .batch = test.batch};
    if (twiddle::to_string(transform).find(options.filter) == std::string::npos) continue;
    for (const bool in_place : {true, false}) {
      if (placement != "both" && in_place != (placement == "in")) continue;
      for (std::size_t threads : options.threads) {
        const Result result = measure(test, threads, in_place, options);
        print(result);
        csv += csv_line(result);
      }
    }
  }
  if (!options.csv.empty()) fmt::output_file(options.csv).print("{}", csv);
  return 0;
}
