// Inputs of known spectra: that the spectra are theirs, and that a single wrong element is noticed.
#include "verify/known_spectrum.hpp"

#include <gtest/gtest.h>

#include <set>

#include "plan/lower/view.hpp"
#include "support/sample.hpp"
#include "twiddle/error.hpp"
#include "verify/large_problem.hpp"
#include "verify/long_fourier.hpp"
#include "verify/memory.hpp"
#include "verify/product_line.hpp"
#include "verify/reference.hpp"

namespace twiddle::verify {
namespace {

using Line = ProductLine<long double>;

std::vector<Value> all_values(const Line& line, bool spectrum, std::uint64_t length) {
  std::vector<Value> room(length);
  const Value* values = line.values(spectrum, 0, length, room.data());
  return {values, values + length};
}

TEST(ProductLine, HasTheSpectrumOfItsLine) {
  // Combs of four and two columns; tables; 2^17 times 3.
  for (const std::uint64_t length :
       test::sampled_if_instrumented<std::uint64_t>({524288, 262144, 1, 393216, 12, 4099}, 2)) {
    for (const bool real : {false, true}) {
      if (real && length > 300000) continue;
      const Line line(length, real, true, 5);
      std::vector<Value> expected = all_values(line, false, length);
      LongFourier(length).forward(expected);
      const std::vector<Value> actual = all_values(line, true, length);
      long double difference = 0, norm = 0;
      for (std::uint64_t k = 0; k < length; ++k) {
        difference += std::norm(actual[k] - expected[k]);
        norm += std::norm(expected[k]);
      }
      ASSERT_GT(norm, 0) << length;
      EXPECT_LT(std::sqrt(difference / norm), 1e-17) << length;
    }
  }
}

TEST(ProductLine, GivesThePartThatIsAskedFor) {
  for (const std::uint64_t length : {1000u, 393216u, 262144u}) {
    const Line line(length, false, true, 1);
    for (const bool spectrum : {false, true}) {
      const std::vector<Value> all = all_values(line, spectrum, length);
      const std::uint64_t begin = length / 3, count = 77;
      std::vector<Value> room(count);
      const Value* part = line.values(spectrum, begin, count, room.data());
      for (std::uint64_t i = 0; i < count; ++i) {
        EXPECT_LT(std::abs(part[i] - all[begin + i]), 1e-15) << length << " " << spectrum << " " << i;
      }
    }
  }
}

TEST(ProductLine, RefusesLongPrimes) {
  EXPECT_FALSE(Line::serves(1000003));
  EXPECT_THROW((Line(1000003, false, true, 1)), Unsupported);
}

// The result of the reference for what a problem reads.
std::vector<std::byte> reference_result(const Problem& problem, const KnownSpectrum& known) {
  const plan::Sides sides = plan::sides_of(problem.transform, problem.direction, problem.placement);
  std::vector<std::byte> input(plan::memory_bytes(sides.read), std::byte{0xff});
  known.fill(input);
  std::vector<std::byte> output(plan::memory_bytes(sides.written), std::byte{0xff});
  const auto full = full_shape(problem, true);
  const std::vector<Value> results =
      reference_transform(problem, load_array(input, sides.read, full_shape(problem, false)));
  for_each_element(sides.written, full, [&](std::size_t index, std::int64_t position) {
    store(output, sides.written.storage, position, results[index]);
  });
  return output;
}

TEST(KnownSpectrum, AgreesWithTheReference) {
  for (const char* text : {"c2c:f64:300", "c2c:f64:5*40x6:norm=ortho", "c2c:f64:7*12x5:inverse:axes=0",
                           "r2c:f64:3*9x10:inplace", "c2r:f64:3*9x11:norm=none", "r2c:f64:4x6x5:axes=0",
                           "c2r:f64:2*30:inplace", "c2c:f64:3*8:factor=-2", "c2c:f64:65600*2"}) {
    const Problem problem = parse_problem(text);
    ASSERT_TRUE(KnownSpectrum::serves(problem)) << text;
    const KnownSpectrum known(problem, 3);
    std::vector<std::byte> result = reference_result(problem, known);
    EXPECT_LT(known.error(result), 3e-16) << text;
    // One scalar that is off by its size.
    auto* scalars = reinterpret_cast<double*>(result.data());
    scalars[0] = 2 * scalars[0] + 0.1;
    EXPECT_GT(known.error(result), 1e-5) << text;
  }
}

TEST(KnownSpectrum, InputsOfForwardTransformsAreExact) {
  const Problem single = parse_problem("c2c:f32:4*12x10x6"), twice = parse_problem("c2c:f64:4*12x10x6");
  std::vector<std::byte> floats(4 * 720 * 8), doubles(4 * 720 * 16);
  KnownSpectrum(single, 9).fill(floats);
  KnownSpectrum(twice, 9).fill(doubles);
  for (std::size_t i = 0; i < 4 * 720 * 2; ++i) {
    EXPECT_EQ(reinterpret_cast<const float*>(floats.data())[i], reinterpret_cast<const double*>(doubles.data())[i]);
  }
}

TEST(KnownSpectrum, RefusesWhatItCannotKnow) {
  for (const char* text : {"dct2:f32:100", "c2c:f16:16", "c2c:f32:16:nonzero=5", "c2c:f32:16:load=conjugate",
                           "c2c:f32:4x6:in=1,4", "c2c:f32:1000003"}) {
    EXPECT_FALSE(KnownSpectrum::serves(parse_problem(text))) << text;
  }
}

TEST(KnownSpectrum, VerifiesProblemsThatAreTooLargeForTheReference) {
  const Outcome outcome = verify(Device::host(), parse_problem("r2c:f32:4160*4096:inplace"), 1);
  EXPECT_TRUE(outcome.within) << outcome.complaint;
  EXPECT_GT(outcome.error, 0);
}

TEST(LargeProblem, TakesTheBytesAndReachesEveryKind) {
  std::set<std::string> seen;
  const std::uint64_t least = std::uint64_t{1} << 32;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = large_problem(seed, least, true);
    const Transform& transform = problem.transform;
    EXPECT_EQ(problem, large_problem(seed, least, true));
    const std::uint64_t element =
        (transform.kind == Kind::c2c ? 2 : 1) * (transform.precision == Precision::float64 ? 8 : 4);
    EXPECT_GT(total_elements(transform) * element, least) << to_string(problem);
    EXPECT_LT(total_elements(transform) * element, 6 * least) << to_string(problem);
    const bool one_line = transform.lengths.size() == 1;
    seen.insert(one_line && transform.batch > 1 ? "lines"
                : one_line                      ? "line"
                : transform.lengths.size() == 2 ? "image"
                                                : "volume");
    seen.emplace(to_string(transform.kind));
    seen.emplace(to_string(transform.precision));
    seen.insert(problem.direction == Direction::forward ? "forward" : "inverse");
  }
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_EQ(large_problem(1, 1 << 20, false).transform.precision, Precision::float32);
}

}  // namespace
}  // namespace twiddle::verify
