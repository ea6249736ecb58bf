// Error beside FFTW's over a sweep of lengths: worst and median ratio, the lengths above the bound.
#include "support/accuracy.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "plan/recipe/radices.hpp"
#include "twiddle/device.hpp"

namespace {

struct Row {
  std::size_t length;
  twiddle::Direction direction;
  twiddle::test::Accuracy accuracy;
  [[nodiscard]] double ratio() const { return accuracy.error / accuracy.fftw_error; }
};

bool has_only_factors_to(std::size_t length, std::size_t largest) {
  const auto factors = twiddle::plan::prime_factors(length);
  return factors.empty() || factors.back() <= largest;
}

std::string name(const Row& row) {
  return fmt::format("{} {}", row.length, row.direction == twiddle::Direction::forward ? "forward" : "inverse");
}

// Where FFTW is exact (lengths 1, 2 and 4 now and then are), a ratio says nothing.
void print_summary(const char* title, const std::vector<Row>& all) {
  std::vector<Row> rows;
  std::ranges::copy_if(all, std::back_inserter(rows), [](const Row& row) { return row.accuracy.fftw_error > 1e-9; });
  if (rows.empty()) return;
  std::ranges::sort(rows, {}, &Row::ratio);
  const Row& worst = rows.back();
  fmt::print("{}: {} transforms, error / FFTW's error: median {:.3f}, worst {:.3f} ({}: {:.3g} against {:.3g})\n",
             title, rows.size(), rows[rows.size() / 2].ratio(), worst.ratio(), name(worst), worst.accuracy.error,
             worst.accuracy.fftw_error);
  std::size_t beyond = 0;
  for (const Row& row : rows) {
    if (row.accuracy.within_bound()) continue;
    ++beyond;
    fmt::print("  above the bound: {}: {:.3g}, FFTW {:.3g}\n", name(row), row.accuracy.error, row.accuracy.fftw_error);
  }
  if (beyond == 0) fmt::print("  none above the bound of the tests\n");
}

void sweep(const std::string& device_name, std::size_t last, std::size_t step) {
  const twiddle::Device device = twiddle::Device::open(device_name);
  std::vector<std::size_t> lengths;
  for (std::size_t length = 1; length <= last; length += step) lengths.push_back(length);
  for (std::size_t length = 2 * last; length <= std::size_t{1} << 22; length *= 2) lengths.push_back(length);

  std::vector<Row> smooth, others;
  for (const std::size_t length : lengths) {
    const twiddle::Plan plan(device, {.lengths = {length}});
    for (const auto direction : {twiddle::Direction::forward, twiddle::Direction::inverse}) {
      auto& rows = has_only_factors_to(length, 13) ? smooth : others;
      rows.push_back({length, direction, twiddle::test::measure_accuracy(plan, direction)});
    }
  }
  fmt::print("{} ({}), means over {} random inputs, reference in long double\n", device.info().name, device_name,
             twiddle::test::random_inputs);
  print_summary("prime factors to 13", smooth);
  print_summary("other lengths", others);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Error of transforms beside FFTW's in single precision"};
  std::string device = "host";
  std::size_t last = 4096, step = 1;
  app.add_option("--device", device, "host, opencl, opencl:1")->capture_default_str();
  app.add_option("--to", last, "every length to this one, then its doubles to 2^22")->capture_default_str();
  app.add_option("--step", step, "only every so many lengths")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    sweep(device, last, step);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
