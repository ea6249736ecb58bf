// twiddle convolve on arrays, as its users run it: results, rows, long files, and what is said of bad ones.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/convolve_signals.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::test {
namespace {

using Complex = std::complex<double>;
using tool::NpyArray;

// Output q of a convolution, as convolution.hpp says.
Complex definition(const Convolution& convolution, const std::vector<Complex>& signal,
                   const std::vector<Complex>& filter, std::int64_t q) {
  const bool turned = convolution.operation == Convolution::Operation::correlate;
  Complex sum = 0;
  for (std::size_t m = 0; m < filter.size(); ++m) {
    const auto from = boundary_source(convolution.boundary, q - static_cast<std::int64_t>(m), signal.size());
    if (from) sum += (turned ? std::conj(filter[filter.size() - 1 - m]) : filter[m]) * signal[*from];
  }
  return sum;
}

// Two planes with three kernels: rows of results and their order, beside sums by hand.
TEST_F(ConvolveSignals, ArraysOfTwoDimensions) {
  const auto signals = random_values<double>(2 * 9 * 11);
  const auto filters = random_values<double>(3 * 4 * 5);
  const CommandResult result =
      convolve(save("x.npy", {2, 9, 11}, signals), save("h.npy", {3, 4, 5}, filters), "y.npy", {"--dimensions", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const NpyArray output = tool::read_npy(folder.path("y.npy"));
  ASSERT_EQ(output.shape, (std::vector<std::size_t>{2, 3, 12, 15}));
  const auto* const values = reinterpret_cast<const double*>(output.bytes.data());
  for (std::size_t i = 0; i < 2 * 3 * 12 * 15; ++i) {
    const std::size_t column = i % 15, row = i / 15 % 12, filter = i / 180 % 3, signal = i / 540;
    double sum = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 5; ++b) {
        if (row < a || row - a >= 9 || column < b || column - b >= 11) continue;
        sum += filters[(filter * 4 + a) * 5 + b] * signals[(signal * 9 + row - a) * 11 + column - b];
      }
    }
    ASSERT_NEAR(values[i], sum, 1e-13) << i;
  }
  const std::string plane = save("plane.npy", {9, 11}, std::vector<double>(signals.begin(), signals.begin() + 99));
  ASSERT_EQ(convolve(plane, folder.path("h.npy"), "z.npy", {"--dimensions", "2", "--post", "power"}).exit_code, 0);
  EXPECT_EQ(tool::read_npy(folder.path("z.npy")).shape, (std::vector<std::size_t>{3, 12, 15}));
  expect_failure(convolve(plane, folder.path("h.npy"), "y.npy"), 1, "or more with --dimensions");
  expect_failure(
      convolve(save("line.npy", {9}, random_values<double>(9)), folder.path("h.npy"), "y.npy", {"--dimensions", "2"}),
      1, "its shape is (9); expected 2 or 3 dimensions");
}

// The same elements in Fortran order: rows in pieces, several planes whole.
TEST_F(ConvolveSignals, ArraysInFortranOrder) {
  const auto save_both = [&](const std::string& name, const std::vector<std::size_t>& shape) {
    std::size_t count = 1;
    for (const std::size_t length : shape) count *= length;
    const auto values = random_values<float>(count);
    save(name + ".npy", shape, values);
    std::vector<float> columns(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t to = 0, rest = i, stride = count;
      for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) {
        stride /= shape[axis];
        to += rest % shape[axis] * stride;
      }
      columns[to] = values[i];
    }
    tool::write_npy(folder.path(name + "-columns.npy"), make_array(shape, columns, true));
  };
  save_both("lines", {3, 200000});
  save_both("filters", {2, 5});
  save_both("planes", {2, 7, 9});
  save_both("kernels", {3, 2, 4});
  struct Operands {
    std::string signal;
    std::string filters;
    std::string dimensions;
  };
  for (const Operands& operands : {Operands{"lines", "filters", "1"}, Operands{"planes", "kernels", "2"}}) {
    const auto result_of = [&](const std::string& order) {
      const CommandResult result = convolve(folder.path(operands.signal + order), folder.path(operands.filters + order),
                                            "y.npy", {"--dimensions", operands.dimensions});
      EXPECT_EQ(result.exit_code, 0) << result.errors;
      return tool::read_npy(folder.path("y.npy"));
    };
    const NpyArray expected = result_of(".npy");
    const NpyArray actual = result_of("-columns.npy");
    EXPECT_EQ(actual.shape, expected.shape);
    EXPECT_TRUE(actual.bytes == expected.bytes) << operands.signal;
  }
}

TEST_F(ConvolveSignals, ArraysInEveryModeAndBoundary) {
  for (const auto mode : {Convolution::Mode::full, Convolution::Mode::same, Convolution::Mode::valid}) {
    for (const auto boundary : {Boundary::zero, Boundary::periodic, Boundary::reflect, Boundary::nearest}) {
      for (const bool correlate : {false, true}) {
        Convolution convolution{.signal_lengths = {90}, .kernel_lengths = {correlate ? 17U : 12U}};
        convolution.mode = mode;
        convolution.boundary = boundary;
        if (correlate) convolution.operation = Convolution::Operation::correlate;
        const auto signal = random_values<Complex>(90);
        const auto filter = random_values<Complex>(convolution.kernel_lengths[0]);
        std::vector<std::string> options = {"--mode", std::string(to_string(mode)), "--boundary",
                                            std::string(to_string(boundary))};
        if (correlate) options.emplace_back("--correlate");
        const CommandResult result =
            convolve(save("signal.npy", {90}, signal), save("filter.npy", {filter.size()}, filter), "out.npy", options);
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        const NpyArray actual = tool::read_npy(folder.path("out.npy"));
        ASSERT_EQ(actual.shape, convolved_lengths(convolution));
        const auto* const values = reinterpret_cast<const Complex*>(actual.bytes.data());
        const auto first = static_cast<std::int64_t>(filter.size()) - 1 - default_past(convolution)[0];
        for (std::size_t i = 0; i < actual.shape[0]; ++i) {
          const Complex expected = definition(convolution, signal, filter, first + static_cast<std::int64_t>(i));
          ASSERT_LT(std::abs(values[i] - expected), 1e-14) << to_string(convolution) << " output " << i;
        }
      }
    }
  }
}

TEST_F(ConvolveSignals, EveryRowMeetsEveryFilter) {
  const auto signals = random_values<float>(3 * 50);
  const auto filters = random_values<float>(2 * 9);
  const std::string signal = save("signals.npy", {3, 50}, signals);
  const std::string filter = save("filters.npy", {2, 9}, filters);
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"--method", "direct"}, {"--method", "whole"}}) {
    const CommandResult result = convolve(signal, filter, "out.npy", options);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const NpyArray actual = tool::read_npy(folder.path("out.npy"));
    ASSERT_EQ(actual.shape, (std::vector<std::size_t>{3, 2, 58}));
    for (std::size_t row = 0; row < 6; ++row) {
      for (std::size_t n = 0; n < 58; ++n) {
        double sum = 0;
        for (std::size_t m = 0; m < 9; ++m) {
          if (n >= m && n - m < 50) sum += filters[row % 2 * 9 + m] * signals[row / 2 * 50 + n - m];
        }
        ASSERT_NEAR(actual.scalars<float>()[row * 58 + n], sum, 2e-6);
      }
    }
  }
}

TEST_F(ConvolveSignals, PostProcessing) {
  const auto signal = random_values<double>(64);
  const auto filters = random_values<double>(3 * 5);
  const CommandResult result =
      convolve(save("signal.npy", {64}, signal), save("filters.npy", {3, 5}, filters), "out.npy",
               {"--mode", "valid", "--post", "power", "--maximum", "--decimate", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const NpyArray actual = tool::read_npy(folder.path("out.npy"));
  ASSERT_EQ(actual.shape, (std::vector<std::size_t>{2, 30}));
  for (std::size_t i = 0; i < 30; ++i) {
    std::vector<double> powers;
    for (std::size_t filter = 0; filter < 3; ++filter) {
      double sum = 0;
      for (std::size_t m = 0; m < 5; ++m) sum += filters[filter * 5 + m] * signal[2 * i + 4 - m];
      powers.push_back(sum * sum);
    }
    const auto largest = std::max_element(powers.begin(), powers.end());
    EXPECT_NEAR(actual.scalars<double>()[i], *largest, 1e-13);
    EXPECT_EQ(actual.scalars<double>()[30 + i], static_cast<double>(largest - powers.begin()));
  }
}

TEST_F(ConvolveSignals, ProgramsAreToldTheProblemAsOtherCommandsReadIt) {
  const std::string signal = save("signal.npy", {2, 64}, random_values<float>(128));
  const std::string filter = save("filter.npy", {3, 5}, random_values<float>(15));
  const CommandResult result = convolve(signal, filter, "out.npy", {"--json", "--mode", "same", "--post", "power"});
  EXPECT_EQ(nlohmann::json::parse(result.output).at("problem"), "conv:real:f32:2*64:3*5:mode=same:post=power");
}

// More samples than a plan takes at a time: a step now and then, so that sums are few.
TEST_F(ConvolveSignals, LongSignalsGoThroughPlansInPieces) {
  constexpr std::size_t count = 3'000'000;
  std::vector<float> signal(count);
  for (std::size_t i = 0; i < count; ++i) signal[i] = static_cast<float>(i / 1000 % 7);
  const std::vector<float> filters{1, 2, 4, 8, -1, 0, 3, 1};
  save("signal.npy", {count}, signal);
  save("filters.npy", {2, 4}, filters);
  Convolution convolution{.signal_lengths = {count}, .kernel_lengths = {4}, .filters = 2};
  convolution.mode = Convolution::Mode::same;
  convolution.boundary = Boundary::reflect;
  // The signal beyond its ends, from `first` on: what results -1 to count are sums of.
  const std::int64_t past = default_past(convolution)[0], first = -1 - past;
  std::vector<float> samples(count + 5);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = signal[*boundary_source(Boundary::reflect, first + static_cast<std::int64_t>(i), count)];
  }
  const auto y = [&](std::size_t filter, std::int64_t i) {
    const float* const newest = samples.data() + (i + 3 - past - first);
    const float* const taps = filters.data() + filter * 4;
    return taps[0] * newest[0] + taps[1] * newest[-1] + taps[2] * newest[-2] + taps[3] * newest[-3];
  };
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> options{"--mode", "same", "--boundary", "reflect", "--method", "direct"};
    options.insert(options.end(), more.begin(), more.end());
    const CommandResult result = convolve(folder.path("signal.npy"), folder.path("filters.npy"), "out.npy", options);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_NE(result.output.find("in pieces"), std::string::npos) << result.output;
    return tool::read_npy(folder.path("out.npy"));
  };
  const NpyArray slopes = run({"--post", "derivative", "--decimate", "3"});
  const std::size_t kept = (count + 2) / 3;
  ASSERT_EQ(slopes.shape, (std::vector<std::size_t>{2, kept}));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 2 * kept; ++i) {
    const auto at = static_cast<std::int64_t>(i % kept * 3);
    if (slopes.scalars<float>()[i] != (y(i / kept, at + 1) - y(i / kept, at - 1)) / 2) ++wrong;
  }
  EXPECT_EQ(wrong, 0U);
  const NpyArray largest = run({"--maximum"});
  ASSERT_EQ(largest.shape, (std::vector<std::size_t>{2, count}));
  for (std::size_t i = 0; i < count; ++i) {
    const float a = y(0, static_cast<std::int64_t>(i)), b = y(1, static_cast<std::int64_t>(i));
    if (largest.scalars<float>()[i] != std::max(a, b) || largest.scalars<float>()[count + i] != (b > a ? 1 : 0))
      ++wrong;
  }
  EXPECT_EQ(wrong, 0U);
}

// A limit of the user's on the size of files is as a full disk: said, and what was there before stays.
TEST_F(ConvolveSignals, FilesBeyondTheLimitLeaveTheOldOne) {
  const std::string signal = save("signal.npy", {1'000'000}, random_values<float>(1'000'000));
  const std::string filter = save("filter.npy", {3}, random_values<float>(3));
  folder.write("out.npy", "as it was");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1 << 20;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--method", "overlap-save"}}) {
    expect_failure(convolve(signal, filter, "out.npy", options), 1, "File too large");
    EXPECT_EQ(folder.read("out.npy"), "as it was");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"filter.npy", "out.npy", "signal.npy"}));
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
}

TEST_F(ConvolveSignals, LongFilesTakeNoMoreMemory) {
#ifdef TWIDDLE_SANITIZED
  GTEST_SKIP() << "memory is the sanitizer's";
#endif
  constexpr std::size_t count = 30'000'000;  // 120 MB
  const std::string header = tool::npy_header(element_type_of<float>, false, {count});
  folder.write("long.npy", header);
  std::filesystem::resize_file(folder.path("long.npy"), header.size() + count * sizeof(float));
  const CommandResult result =
      convolve(folder.path("long.npy"), save("filter.npy", {3}, std::vector<float>{1, 2, 3}), "out.npy");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(std::filesystem::file_size(folder.path("out.npy")), header.size() + (count + 2) * sizeof(float));
  EXPECT_LT(result.peak_memory, 90U << 20);
}

TEST_F(ConvolveSignals, BadArraysAreNamedAndNothingIsWritten) {
  const std::string signal = save("signal.npy", {9}, random_values<float>(9));
  const std::string filter = save("filter.npy", {3}, random_values<float>(3));
  folder.write("empty.npy", "");
  folder.write("short.npy", folder.read("signal.npy").substr(0, 140));
  const std::string deep = save("deep.npy", {2, 2, 2}, random_values<float>(8));
  const std::string nothing = save("nothing.npy", {2, 0}, std::vector<float>{});
  expect_failure(convolve(folder.path("empty.npy"), filter, "out.npy"), 1, "empty");
  expect_failure(convolve(folder.path("short.npy"), filter, "out.npy"), 1, "truncated");
  expect_failure(convolve(folder.path("none.npy"), filter, "out.npy"), 1, "No such file");
  expect_failure(convolve(deep, filter, "out.npy"), 1, "one or two dimensions");
  expect_failure(convolve(nothing, filter, "out.npy"), 1, "no elements: its shape is (2, 0)");
  expect_failure(convolve(signal, nothing, "out.npy"), 1, "no elements: its shape is (2, 0)");
  expect_failure(convolve(filter, signal, "out.npy", {"--mode", "valid"}), 2, "valid");
  expect_failure(convolve(signal, filter, "out"), 2, "cannot tell the format");
  expect_failure(convolve(signal, filter, "out.npy", {"--scale", "2"}), 2, "--kernel");
  expect_failure(convolve(signal, filter, "out.npy", {"--boundary", "mirror"}), 2, "reflect");
  expect_failure(convolve(signal, filter, "out.npy", {"--gain", "1e300"}), 2, "--gain");
  expect_failure(convolve(signal, filter, "out.npy", {"--decimate", "-1"}), 2, "'-1' is no number above 0");
  expect_failure(run_twiddle({"convolve", signal, filter}), 2, "SIGNAL FILTERS OUT");
  expect_failure(convolve(signal, filter, "out.npy", {"more.npy"}), 2, "SIGNAL FILTERS OUT");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"deep.npy", "empty.npy", "filter.npy", "nothing.npy", "short.npy",
                                                      "signal.npy"}));
  std::filesystem::create_symlink("/dev/full", folder.path("full.npy"));
  expect_failure(convolve(signal, filter, "full.npy"), 1, "No space left");
}

}  // namespace
}  // namespace twiddle::test
