// Every kind at every length beside FFTW's own error in the same precision: a selection each day, all of them by
// `make test-exhaustive`. Its parts write their results into the folder TWIDDLE_RESULTS, if that is set, line by line;
// a part that is done and without failures need not be run again until this program changes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <ostream>
#include <utility>
#include <vector>

#include "support/device_test.hpp"
#include "support/line_accuracy.hpp"
#include "support/sample.hpp"
#include "twiddle/error.hpp"
#include "verify/exhaustive_lengths.hpp"
#include "verify/results_file.hpp"

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

  void measure(const Type& type, std::size_t length, ResultsFile* results = nullptr) {
    if (type.kind == Kind::dct1 && length < 2) return;
    const std::string kind = kind_name(type.kind, type.direction);
    for (const LineAccuracy& accuracy : measure_line(device(), {type.kind, type.direction, length}, precisions_)) {
      const std::string line =
          fmt::format("{},{},{},{:.4g},{:.4g},{:.4g},{:.4f}", kind, to_string(accuracy.precision), length,
                      accuracy.error, accuracy.fftw_error, accuracy.bound, accuracy.ratio());
      EXPECT_TRUE(accuracy.within_bound()) << "kind,precision,length,error,FFTW's,bound,ratio: " << line;
      if (results != nullptr) results->add(line);
    }
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
      if (is_sampled(i + t, plans_are_cheap() ? 3 : 24)) measure(types[t], lengths[i]);
    }
  }
}

// Two transforms in a row round more than FFTW's sums, unless the halves of a symmetric spectrum are averaged, and the
// more the more factors of 3 or 5 their points have.
TEST_F(Lengths, OfRealLinesByConvolutionAreAsExactAsFftw) {
  const std::vector<std::pair<Kind, std::size_t>> lines{
      {Kind::r2c, 53},   {Kind::r2c, 59},       // 58 = 29.2
      {Kind::r2c, 3721},                        // 61 x 61, of which halves are kept
      {Kind::dct1, 178}, {Kind::r2c, 226981},   // 61 x 61 x 61
      {Kind::dct1, 306}, {Kind::dct4, 106},     // no mean: FFTW takes 53 points by the definition
      {Kind::dct4, 118}, {Kind::dct2, 30031}};  // 59 x 509, of which halves are kept
  for (const auto& [kind, length] : sampled_on_devices(lines, 8)) measure({kind, Direction::forward}, length);
  if (!plans_are_cheap()) return;
  measure({Kind::dct1, Direction::forward}, 1966);   // 30 x 131
  measure({Kind::dct4, Direction::forward}, 20413);  // 137 x 149
}

// FFTW rounds little where a factor is 43 or 47: convolutions would round more.
TEST_F(Lengths, WithAFactorOf43Or47AreAsExactAsFftw) {
  const std::vector<std::pair<Type, std::size_t>> lines{{{Kind::c2c, Direction::forward}, 344},
                                                        {{Kind::r2c, Direction::forward}, 47},
                                                        {{Kind::r2c, Direction::inverse}, 47},
                                                        {{Kind::dct2, Direction::forward}, 47}};
  for (const auto& [type, length] : sampled_on_devices(lines, 3)) measure(type, length);
}

// Just above the floor by the order of passes that is fastest.
TEST_F(Lengths, OfReals400FromTheirSpectrumAreAsExactAsFftw) {
  if (!plans_are_cheap()) GTEST_SKIP() << "the host's passes";
  measure({Kind::r2c, Direction::inverse}, 400);
}

// Ten passes alike: what each one's constants leave of a factor adds up.
TEST_F(Lengths, OfManyEqualPassesAreAsExactAsFftw) {
  if (!plans_are_cheap()) GTEST_SKIP() << "the host's butterflies";
  const LineAccuracy accuracy =
      measure_line(device(), {Kind::c2c, Direction::forward, 9765625}, {Precision::float32}).front();
  EXPECT_TRUE(accuracy.within_bound()) << accuracy.ratio();
}

// Two lines as one complex one: FFTW sums up to 173 points by the definition, which rounds little.
TEST_F(Lengths, OfManyRealsByRadersAlgorithmAreAsExactAsFftw) {
  auto lengths = sampled_on_devices<std::size_t>({59, 61, 3721}, 3);  // 3721 = 61 x 61
  if (plans_are_cheap()) lengths.insert(lengths.end(), {67, 71});
  for (const std::size_t length : lengths) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      for (const LineAccuracy& accuracy :
           measure_line(device(), {Kind::r2c, direction, length, true}, {Precision::float32, Precision::float64})) {
        EXPECT_TRUE(accuracy.within_bound()) << length << ": " << accuracy.ratio();
      }
    }
  }
}

// Two stages leave the results where the map behind them finds them: 268125 = 3 x 5^4 x 11 x 13.
TEST_F(Lengths, OfLongExtendedLinesAreAsExactAsFftw) {
  const std::vector<std::pair<Kind, std::size_t>> lines{{Kind::dct1, 268126}, {Kind::dst1, 268124}};
  for (const auto& [kind, length] : sampled_on_devices(lines, 2)) measure({kind, Direction::forward}, length);
}

// Even and odd lines in two stages, most of them with factors that FFTW rounds little with.
TEST_F(Lengths, OfLongSymmetricLinesAreAsExactAsFftw) {
  measure({Kind::dct1, Direction::forward}, 65537);
  measure({Kind::dst1, Direction::forward}, 33613);
  if (!plans_are_cheap()) return;
  measure({Kind::dct1, Direction::forward}, 262145);
  measure({Kind::dst1, Direction::forward}, 171365);  // 171366 = 6 x 13^4
  measure({Kind::dct1, Direction::forward}, 1000001);
}

// The first so many lengths, or the longer ones.
enum class Range { every, longer };

std::vector<std::size_t> lengths_of(const Type& type, Range range) {
  const bool host = device_under_test() == "host";
  const std::size_t every = host && is_complex(type) ? 4096 : 1024;
  if (range == Range::longer) return varied_lengths(every, host ? 1 << 24 : 1 << 20, 500);
  std::vector<std::size_t> lengths(every);
  std::iota(lengths.begin(), lengths.end(), std::size_t{1});
  return lengths;
}

// A part is every `parts`th length of a type, so that parts take about as long as each other.
struct Part {
  std::size_t type;
  Range range;
  std::size_t index;
  std::size_t parts;
  [[nodiscard]] std::string name() const {
    const Type& t = types[type];
    return fmt::format("{}_{}_{}_of_{}", kind_name(t.kind, t.direction), range == Range::every ? "every" : "longer",
                       index + 1, parts);
  }
};

void PrintTo(const Part& part, std::ostream* stream) { *stream << part.name(); }

std::vector<Part> all_parts() {
  std::vector<Part> parts;
  for (std::size_t type = 0; type < types.size(); ++type) {
    for (std::size_t i = 0; i < 16; ++i) parts.push_back({type, Range::every, i, 16});
    for (std::size_t i = 0; is_complex(types[type]) && i < 64; ++i) parts.push_back({type, Range::longer, i, 64});
  }
  return parts;
}

class Exhaustive : public Lengths, public testing::WithParamInterface<Part> {};

TEST_P(Exhaustive, Part) {
  const Part part = GetParam();
  ResultsFile results(device_under_test(), part.name());
  if (results.done_before()) GTEST_SKIP() << "done before";
  const auto lengths = lengths_of(types[part.type], part.range);
  for (std::size_t i = part.index; i < lengths.size(); i += part.parts) measure(types[part.type], lengths[i], &results);
  results.finish(HasFailure());
}

INSTANTIATE_TEST_SUITE_P(All, Exhaustive, testing::ValuesIn(all_parts()),
                         [](const auto& info) { return info.param.name(); });

}  // namespace
}  // namespace twiddle::test
