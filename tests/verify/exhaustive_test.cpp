// Every kind at every length beside FFTW's own error in the same precision: a selection each day, all of them by
// `make test-exhaustive`. Its parts leave their results in TWIDDLE_RESULTS, if that is set, and need not be run again
// until this program changes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/device_test.hpp"
#include "support/line_accuracy.hpp"
#include "twiddle/error.hpp"
#include "verify/exhaustive_lengths.hpp"

namespace twiddle::test {
namespace {

struct Type {
  Kind kind;
  Direction direction;
};

const std::vector<Type> types{
    {Kind::c2c, Direction::forward},  {Kind::r2c, Direction::forward},  {Kind::r2c, Direction::inverse},
    {Kind::dct1, Direction::forward}, {Kind::dct2, Direction::forward}, {Kind::dct3, Direction::forward},
    {Kind::dct4, Direction::forward}, {Kind::dst1, Direction::forward}, {Kind::dst2, Direction::forward},
    {Kind::dst3, Direction::forward}, {Kind::dst4, Direction::forward}, {Kind::dht, Direction::forward}};

bool is_complex(const Type& type) { return type.kind == Kind::c2c || type.kind == Kind::r2c; }

class Lengths : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped()) return;
    try {
      (void)Plan(device(), {.lengths = {2}, .precision = Precision::float64});
      precisions_.push_back(Precision::float64);
    } catch (const Unsupported&) {
      RecordProperty("float64", "the device has none");
    }
  }

  // One line for each precision: kind, precision, length, error, FFTW's error, bound, ratio.
  std::string measure(const Type& type, std::size_t length) {
    if (type.kind == Kind::dct1 && length < 2) return "";
    std::string lines;
    const std::string kind = kind_name(type.kind, type.direction);
    for (const LineAccuracy& accuracy : measure_line(device(), {type.kind, type.direction, length}, precisions_)) {
      const std::string line =
          fmt::format("{},{},{},{:.4g},{:.4g},{:.4g},{:.4f}\n", kind, to_string(accuracy.precision), length,
                      accuracy.error, accuracy.fftw_error, accuracy.bound, accuracy.ratio());
      EXPECT_TRUE(accuracy.within_bound()) << "kind,precision,length,error,FFTW's,bound,ratio: " << line;
      lines += line;
    }
    return lines;
  }

 private:
  std::vector<Precision> precisions_{Precision::float32};
};

TEST_F(Lengths, OfEveryKindAreAsExactAsFftw) {
  std::vector<std::size_t> lengths{1, 2, 3, 4, 5, 8, 9, 15, 16, 60, 97, 128, 243, 1000};
  if (plans_are_cheap()) {
    lengths = varied_lengths(300, 8192, 60);
    for (std::size_t n = 1; n <= 300; n += n < 70 ? 1 : 9) lengths.push_back(n);
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    for (std::size_t t = 0; t < types.size(); ++t) {
      if (plans_are_cheap() || (i + t) % 4 == 0) measure(types[t], lengths[i]);  // plans are dear elsewhere
    }
  }
}

// A part is one type and every 16th of its lengths, so that the parts take about as long as each other.
constexpr std::size_t parts = 16;

class Exhaustive : public Lengths, public testing::WithParamInterface<std::tuple<std::size_t, std::size_t>> {
 protected:
  static std::vector<std::size_t> all_lengths(const Type& type) {
    const bool host = device_under_test() == "host";
    const std::size_t every = host && is_complex(type) ? 4096 : 1024;
    std::vector<std::size_t> lengths;
    for (std::size_t n = 1; n <= every; ++n) lengths.push_back(n);
    if (!is_complex(type)) return lengths;
    const auto more = varied_lengths(every, host ? 1 << 24 : 1 << 20, 500);
    lengths.insert(lengths.end(), more.begin(), more.end());
    return lengths;
  }
};

TEST_P(Exhaustive, Part) {
  const auto [t, part] = GetParam();
  const Type& type = types[t];
  const char* folder = std::getenv("TWIDDLE_RESULTS");
  const std::filesystem::path path =
      std::filesystem::path(folder == nullptr ? "" : folder) /
      fmt::format("{}-{}-{}.csv", device_under_test(), kind_name(type.kind, type.direction), part);
  if (folder != nullptr && std::filesystem::exists(path) &&
      std::filesystem::last_write_time(path) > std::filesystem::last_write_time("/proc/self/exe")) {
    GTEST_SKIP() << "done before: " << path;
  }
  const auto start = std::chrono::steady_clock::now();
  std::string results;
  const auto lengths = all_lengths(type);
  for (std::size_t i = part; i < lengths.size(); i += parts) results += measure(type, lengths[i]);
  if (folder == nullptr || HasFailure()) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::filesystem::create_directories(folder);
  std::ofstream(path) << results << fmt::format("seconds,{:.1f}\n", seconds);
}

INSTANTIATE_TEST_SUITE_P(All, Exhaustive,
                         testing::Combine(testing::Range(std::size_t{0}, types.size()),
                                          testing::Range(std::size_t{0}, parts)),
                         [](const auto& info) {
                           const Type& type = types[std::get<0>(info.param)];
                           return fmt::format("{}_{}", kind_name(type.kind, type.direction), std::get<1>(info.param));
                         });

}  // namespace
}  // namespace twiddle::test
