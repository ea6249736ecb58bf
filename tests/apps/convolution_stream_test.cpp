// Streams: against the sum as it stands in long double, the same bits however samples are divided, latency, saved
// states, refusals.
#include "twiddle/convolution_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <random>

#include "plan/convolution/stream_levels.hpp"
#include "support/sample.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

template <class T>
std::vector<T> random_values(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> values(count);
  for (T& value : values) {
    if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(uniform(generator));
    } else {
      value = {static_cast<typename T::value_type>(uniform(generator)),
               static_cast<typename T::value_type>(uniform(generator))};
    }
  }
  return values;
}

// [signal][filter][result], the whole of it.
template <class T>
std::vector<std::complex<long double>> definition(const StreamSettings& settings, const std::vector<T>& filters,
                                                  const std::vector<T>& samples) {
  const std::size_t count = samples.size() / settings.signals;
  const std::size_t results = count + settings.filter_length - 1;
  std::vector<std::complex<long double>> sums(settings.signals * settings.filters * results);
  for (std::size_t row = 0; row < settings.signals * settings.filters; ++row) {
    const T* const signal = samples.data() + row / settings.filters * count;
    const T* const filter = filters.data() + row % settings.filters * settings.filter_length;
    for (std::size_t m = 0; m < settings.filter_length; ++m) {
      const std::complex<long double> weight(filter[m]);
      for (std::size_t n = 0; n < count; ++n)
        sums[row * results + n + m] += weight * std::complex<long double>(signal[n]);
    }
  }
  return sums;
}

// Takes everything that is available behind what each row already has.
template <class T>
void take(ConvolutionStream& stream, std::vector<std::vector<T>>& rows, std::size_t most = 1000000) {
  const std::size_t count = std::min(stream.available(), most);
  std::vector<T> results(rows.size() * count);
  stream.pop(results);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row].insert(rows[row].end(), results.begin() + static_cast<std::ptrdiff_t>(row * count),
                     results.begin() + static_cast<std::ptrdiff_t>((row + 1) * count));
  }
}

// Samples begin <= n < end of every signal.
template <class T>
std::vector<T> piece(const StreamSettings& settings, const std::vector<T>& samples, std::size_t begin,
                     std::size_t end) {
  const std::size_t count = samples.size() / settings.signals;
  std::vector<T> result;
  for (std::size_t signal = 0; signal < settings.signals; ++signal) {
    result.insert(result.end(), samples.begin() + static_cast<std::ptrdiff_t>(signal * count + begin),
                  samples.begin() + static_cast<std::ptrdiff_t>(signal * count + end));
  }
  return result;
}

// All results by rows, samples pushed in pieces of random sizes up to `largest`.
template <class T>
std::vector<std::vector<T>> streamed(const StreamSettings& settings, const std::vector<T>& filters,
                                     const std::vector<T>& samples, std::size_t largest, unsigned seed) {
  ConvolutionStream stream(Device::host(), settings, filters);
  std::vector<std::vector<T>> rows(settings.signals * settings.filters);
  std::mt19937 generator(seed);
  const std::size_t count = samples.size() / settings.signals;
  for (std::size_t begin = 0; begin < count;) {
    const std::size_t size = std::uniform_int_distribution<std::size_t>(0, largest)(generator);
    const std::size_t end = std::min(count, begin + size);
    stream.push(piece(settings, samples, begin, end));
    begin = end;
    // Latency: whole blocks are out as soon as they are in.
    const std::size_t block = stream.settings().block;
    EXPECT_EQ(rows[0].size() + stream.available(), begin / block * block);
    if (size % 2 == 0) take(stream, rows, size);
  }
  stream.finish();
  take(stream, rows);
  return rows;
}

template <class T>
void check(const StreamSettings& settings, std::size_t count) {
  const auto filters = random_values<T>(settings.filters * settings.filter_length, 1);
  const auto samples = random_values<T>(settings.signals * count, 2);
  const auto expected = definition(settings, filters, samples);
  const auto rows = streamed(settings, filters, samples, 700, 3);
  const std::size_t results = count + settings.filter_length - 1;
  long double error = 0;
  long double norm = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    ASSERT_EQ(rows[row].size(), results);
    for (std::size_t i = 0; i < results; ++i) {
      error += std::norm(std::complex<long double>(rows[row][i]) - expected[row * results + i]);
      norm += std::norm(expected[row * results + i]);
    }
  }
  // Transforms of a few thousand points there and back, and sums of a few products.
  const long double bound = settings.precision == Precision::float32 ? 5e-7L : 1e-15L;
  EXPECT_LE(std::sqrt(error / norm), bound) << settings.filter_length << " with block " << settings.block;
  EXPECT_EQ(rows, streamed(settings, filters, samples, 64, 4));
}

TEST(ConvolutionStreamTest, GivesTheSumsAndTheSameBitsForAllPieces) {
  std::size_t cases = 0;
  for (const std::size_t block : {0U, 1U, 16U, 100U, 1024U}) {
    for (const std::size_t length : {1U, 2U, 33U, 300U, 3001U}) {
      if (block == 1 && length > 300) continue;  // many small transforms
      if (!test::is_sampled_if_instrumented(cases++, 3)) continue;
      StreamSettings settings{.filter_length = length, .block = block};
      check<float>(settings, 2500);
      settings.precision = Precision::float64;
      check<double>(settings, 1100);
    }
  }
}

TEST(ConvolutionStreamTest, BanksSignalsAndComplexNumbers) {
  StreamSettings settings{.filter_length = 700, .filters = 3, .signals = 2, .block = 32};
  check<float>(settings, 2000);
  settings.complex = true;
  check<std::complex<float>>(settings, 1500);
  settings.precision = Precision::float64;
  settings.block = 0;
  check<std::complex<double>>(settings, 1500);
}

TEST(ConvolutionStreamTest, ShortStreams) {
  for (const std::size_t count : {1U, 2U, 31U, 32U, 33U}) check<float>({.filter_length = 100, .block = 32}, count);
  ConvolutionStream nothing(Device::host(), {.filter_length = 5}, std::vector<float>(5));
  nothing.finish();
  EXPECT_EQ(nothing.available(), 0U);
}

TEST(ConvolutionStreamTest, GoesOnFromASavedState) {
  const StreamSettings settings{.filter_length = 500, .filters = 2, .block = 16};
  const auto filters = random_values<float>(1000, 1);
  const auto samples = random_values<float>(3000, 2);
  const auto expected = streamed(settings, filters, samples, 100, 3);
  for (const std::size_t cut : {0U, 5U, 1000U, 1601U}) {
    std::vector<std::vector<float>> rows(2);
    ConvolutionStream before(Device::host(), settings, filters);
    before.push(piece(settings, samples, 0, cut));
    take(before, rows, cut / 2);
    const std::vector<std::byte> state = before.save();
    ConvolutionStream after(Device::host(), settings, filters);
    after.push(std::vector<float>(77, 1.0F));  // is forgotten
    after.restore(state);
    EXPECT_EQ(after.available(), before.available());
    after.push(piece(settings, samples, cut, samples.size()));
    after.finish();
    take(after, rows);
    EXPECT_EQ(rows, expected) << cut;
    after.reset();
    after.push(samples);
    after.finish();
    std::vector<std::vector<float>> again(2);
    take(after, again);
    EXPECT_EQ(again, expected);
  }
}

// In blocks shorter and longer than the filter, in levels that grow, and beyond a state that is saved between.
TEST(ConvolutionStreamTest, SamplesThatAreNotFiniteSpoilWhatTheyTouch) {
  for (const auto& lengths : {std::pair(50U, 64U), std::pair(20U, 64U), std::pair(900U, 16U)}) {
    const unsigned length = lengths.first;
    const StreamSettings settings{.filter_length = length, .filters = 2, .signals = 2, .block = lengths.second};
    const auto filters = random_values<float>(2 * length, 1);
    auto samples = random_values<float>(2 * 3000, 2);
    const std::size_t places[] = {3000 + 1000, 3000 + 1040, 3000 + 2000};  // of the second signal
    for (const std::size_t place : places) samples[place] = 0;
    const auto clean = streamed(settings, filters, samples, 100, 3);
    samples[places[0]] = std::numeric_limits<float>::infinity();
    samples[places[1]] = -std::numeric_limits<float>::infinity();
    samples[places[2]] = std::numeric_limits<float>::quiet_NaN();
    ConvolutionStream before(Device::host(), settings, filters);
    std::vector<std::vector<float>> rows(4);
    before.push(piece(settings, samples, 0, 1030));
    take(before, rows);
    ConvolutionStream after(Device::host(), settings, filters);
    after.restore(before.save());
    after.push(piece(settings, samples, 1030, 3000));
    after.finish();
    take(after, rows);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      ASSERT_EQ(rows[row].size(), clean[row].size());
      for (std::size_t i = 0; i < rows[row].size(); ++i) {
        const bool touched = row >= 2 && std::any_of(std::begin(places), std::end(places), [&](std::size_t place) {
                               return i + 3000 >= place && i + 3000 < place + length;
                             });
        ASSERT_EQ(std::isfinite(rows[row][i]), !touched) << row << ", " << i << " of " << length;
        if (!touched) {
          ASSERT_EQ(rows[row][i], clean[row][i]) << row << ", " << i;
        }
      }
    }
  }
}

// Every level finishes in time, and the filter is covered once.
TEST(StreamLevels, CoverTheFilterInTime) {
  for (const std::size_t block : {0U, 1U, 16U, 64U, 1000U}) {
    for (const std::size_t length : {1U, 63U, 64U, 65U, 1000U, 100000U, 480000U}) {
      const auto levels = plan::choose_stream_levels(length, 1, block, false);
      std::size_t covered = 0;
      for (const plan::StreamLevel& level : levels) {
        EXPECT_EQ(level.offset, covered);
        EXPECT_GE(level.offset + levels[0].block, level.block);
        EXPECT_EQ(level.block % levels[0].block, 0U);
        EXPECT_GE(level.segment + 1, level.block + level.partition);
        covered += level.partitions * level.partition;
      }
      EXPECT_GE(covered, length);
      EXPECT_TRUE(block == 0 || levels[0].block == block);
    }
  }
  EXPECT_GT(plan::choose_stream_levels(100000, 1, 64, false).size(), 1U);  // partitions grow
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(ConvolutionStreamTest, RefusesWhatMakesNoSense) {
  const std::vector<float> filter(8);
  const auto message = [&](const StreamSettings& settings) {
    return message_of([&] { ConvolutionStream(Device::host(), settings, filter); });
  };
  EXPECT_EQ(message({.filter_length = 8}), "");
  EXPECT_NE(message({.filter_length = 0}).find("at least one"), std::string::npos);
  EXPECT_NE(message({.filter_length = 8, .signals = 0}).find("at least one"), std::string::npos);
  EXPECT_NE(message({.filter_length = 9}).find("expected 36"), std::string::npos);
  EXPECT_NE(message({.filter_length = 8, .precision = Precision::float64}).find("precision"), std::string::npos);
  EXPECT_NE(message({.filter_length = 8, .precision = Precision::float16}).find("f32 or f64"), std::string::npos);
  EXPECT_NE(message({.filter_length = 8, .block = std::size_t{1} << 40}).find("at most"), std::string::npos);

  ConvolutionStream stream(Device::host(), {.filter_length = 4, .signals = 2, .block = 4}, std::vector<float>(4, 1));
  EXPECT_NE(message_of([&] { stream.push(std::vector<float>(3)); }).find("whole samples"), std::string::npos);
  EXPECT_NE(message_of([&] { stream.push(std::vector<double>(4)); }).find("precision"), std::string::npos);
  stream.push(std::vector<float>(2 * 7, 0.5F));
  EXPECT_EQ(stream.available(), 4U);
  EXPECT_NE(message_of([&] { stream.pop(std::vector<float>(2 * 5)); }).find("4 are available"), std::string::npos);
  std::vector<std::byte> state = stream.save();
  EXPECT_NE(message_of([&] { stream.restore(std::span(state).first(state.size() - 1)); }), "");
  EXPECT_NE(message_of([&] { stream.restore(std::span(state).first(10)); }).find("too early"), std::string::npos);
  ConvolutionStream other(Device::host(), {.filter_length = 4, .signals = 2, .block = 4}, std::vector<float>(4, 2));
  EXPECT_NE(message_of([&] { other.restore(state); }).find("other settings or filters"), std::string::npos);
  for (std::size_t i = 8 * sizeof(std::uint64_t); i < state.size(); ++i) {  // behind what tells whose state it is
    state[i] ^= std::byte{4};
    EXPECT_NE(message_of([&] { stream.restore(state); }).find("damaged"), std::string::npos) << i;
    state[i] ^= std::byte{4};
  }
  EXPECT_EQ(stream.save(), state);
  stream.finish();
  EXPECT_EQ(stream.available(), 10U);
  EXPECT_NE(message_of([&] { stream.push(std::vector<float>(2)); }).find("reset()"), std::string::npos);
}

}  // namespace
}  // namespace twiddle
