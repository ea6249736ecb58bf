// What the verification notices: for each kind of mistake, an execution that makes it.
#include "verify/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <vector>

#include "plan/lower/view.hpp"
#include "support/sample.hpp"
#include "twiddle/error.hpp"
#include "twiddle/half.hpp"
#include "twiddle/hook.hpp"
#include "verify/memory.hpp"
#include "verify/properties.hpp"
#include "verify/reference.hpp"

namespace twiddle::verify {
namespace {

using ::testing::HasSubstr;

// Executes a problem by the reference, rounding its results: what a perfect device would do.
Execute perfect(const Problem& problem) {
  return [problem](Bytes input, Bytes output) {
    const plan::Sides sides = plan::sides_of(problem.transform, problem.direction, problem.placement);
    const std::vector<Value> result =
        reference_transform(problem, load_array(input, sides.read, full_shape(problem, false)));
    for_each_element(sides.written, full_shape(problem, true), [&](std::size_t index, std::int64_t position) {
      store(output, sides.written.storage, position, result[index]);
    });
  };
}

Execute spoiled(const Problem& problem, const std::function<void(Bytes, Bytes)>& spoil) {
  return [=, execute = perfect(problem)](Bytes input, Bytes output) {
    execute(input, output);
    spoil(input, output);
  };
}

void flip_bit(Bytes memory, std::size_t byte) { memory[byte] ^= std::byte{1}; }

const std::vector<const char*> sound_problems{"c2c:f32:1000",
                                              "c2c:f64:8*12x35:axes=1:inplace",
                                              "c2r:f32:9x10:norm=ortho",
                                              "r2c:f64:3*7x9:inplace",
                                              "dct1:f32:17x5:inverse",
                                              "dst3:f64:40:norm=ortho:factor=-2",
                                              "dct4:f80:2x3x4x5",
                                              "dht:f32:2*30:in=2/offset=3/batch=77",
                                              "c2c:f16:64:norm=ortho",
                                              "c2c:f32:6x10:in=-10,1/planar/offset=50:out=1,6",
                                              "c2c:f32:4*16:in=batch=0",
                                              "c2c:f32:30x40:nonzero=7,9:wanted=3,40",
                                              "r2c:f32:64:nonzero=10:wanted=5",
                                              "c2c:f32:8:wanted=1",
                                              "dst1:f16:1"};

TEST(Verify, AppliesHooks) {
  Problem problem = parse_problem("c2c:f32:32:norm=ortho");
  const Execute without_hooks = perfect(problem);
  for (const char* hooks : {":load=alternate", ":load=conjugate", ":load=bartlett/32", ":load=power",
                            ":store=alternate", ":store=conjugate", ":store=bartlett/9", ":store=power"}) {
    const Problem hooked = parse_problem("c2c:f32:32:norm=ortho" + std::string(hooks));
    EXPECT_FALSE(verify_execution(hooked, 3, without_hooks, without_hooks).within) << hooks;
    EXPECT_TRUE(verify(Device::host(), hooked, 3).within) << hooks;
    const Problem longer = parse_problem("c2c:f80:32" + std::string(hooks));  // hooks are functions of double
    EXPECT_TRUE(verify(Device::host(), longer, 3).within) << hooks;
  }
  problem.transform.load_hook = std::make_shared<const Hook>();
  EXPECT_THROW((void)verify_execution(problem, 3, without_hooks, without_hooks), InvalidArgument);
}

// A hook sees reals with imaginary part 0, however the transform computes them; and lines by half the points.
TEST(Verify, LongRealLinesAndTheirHooks) {
  for (const char* text : test::sampled_if_instrumented<const char*>(
           {"dst4:f32:28:store=power", "c2r:f32:1019:store=power", "c2r:f64:100003:store=power",
            "dht:f32:40000:load=power:store=power", "dct1:f64:33001:norm=ortho", "dct2:f32:2*40000:nonzero=30001",
            "dct3:f64:40000:norm=ortho", "dst1:f32:40000:inplace", "dst2:f64:40002:norm=ortho",
            "dst3:f32:40000:wanted=777", "dht:f64:3*65536:inplace", "dct1:f32:3*40001",
            "dst1:f64:40001:norm=ortho:inverse", "dct1:f16:36101:nonzero=30001:wanted=7", "dst1:f80:36099:load=power",
            "dct1:f64:40001x3:axes=0:inplace", "dct1:f80:40001",
            "dst1:f32:2*36099:in=-1/batch=36200/offset=36200:out=3/batch=108500"},
           3)) {
    const Outcome outcome = verify(Device::host(), parse_problem(text), 3);
    EXPECT_TRUE(outcome.within) << text << ": " << outcome.complaint;
  }
}

TEST(Verify, AcceptsWhatIsRight) {
  for (const char* text : sound_problems) {
    const Problem problem = parse_problem(text);
    const Outcome outcome = verify_execution(problem, 3, perfect(problem), perfect(problem));
    EXPECT_TRUE(outcome.within) << text << ": " << outcome.complaint;
    EXPECT_LE(outcome.error, outcome.bound) << text;
    EXPECT_EQ(outcome.complaint, "") << text;
  }
}

// Of the two results that are wanted, one is three times as large as those of the whole line are on average: a rounding
// of its own is so, too.
TEST(Verify, AcceptsTheRoundingsOfFewLargeResults) {
  const Problem problem = parse_problem("dst2:f64:14:axes=0:inplace:in=2/batch=1:out=2/batch=1:wanted=2");
  const Execute rounded = spoiled(problem, [](Bytes, Bytes output) {
    double first = 0;
    std::memcpy(&first, output.data(), sizeof first);
    for (int i = 0; i < 3; ++i) first = std::nextafter(first, 2 * first);
    std::memcpy(output.data(), &first, sizeof first);
  });
  const Outcome outcome = verify_execution(problem, 2753056208, rounded, rounded);
  EXPECT_GT(outcome.error, 0x1p-52);
  EXPECT_TRUE(outcome.within) << outcome.complaint;
}

// Two reals are one complex number, made of two frequencies that may lie apart.
TEST(Verify, TwoRealsWhoseFrequenciesAreNoNeighbours) {
  for (const char* text : {"c2r:f64:2:in=3", "c2r:f32:5*2:in=-1/batch=2/offset=1:out=1/batch=2", "r2c:f32:3*2:out=4"}) {
    EXPECT_TRUE(verify(Device::host(), parse_problem(text), 3).within) << text;
  }
}

TEST(Verify, NoticesAWrongElementAndSaysWhich) {
  const Problem problem = parse_problem("c2c:f32:3*4x5");
  const auto spoil = [](Bytes, Bytes output) {
    const float value = 1;
    std::memcpy(output.data() + (1 * 20 + 2 * 5 + 3) * 8, &value, sizeof value);
  };
  const Outcome outcome = verify_execution(problem, 3, spoiled(problem, spoil), perfect(problem));
  EXPECT_FALSE(outcome.within);
  EXPECT_GT(outcome.error, outcome.bound);
  EXPECT_THAT(outcome.complaint, HasSubstr("element 1,2,3 (batch first): (1, "));
}

TEST(Verify, NoticesWhatIsNotWritten) {
  for (const char* text : sound_problems) {
    const Problem problem = parse_problem(text);
    if (problem.placement == Placement::in_place) continue;
    const Outcome outcome = verify_execution(
        problem, 3, [](Bytes, Bytes) {}, perfect(problem));
    EXPECT_FALSE(outcome.within) << text;
    EXPECT_THAT(outcome.complaint, HasSubstr("not every result is a finite number, such as element 0,")) << text;
  }
}

TEST(Verify, NoticesAWrongScaleASwappedDirectionAndMissingWeights) {
  for (const auto& [asked, done] :
       {std::pair{"c2c:f32:100", "c2c:f32:100:factor=1.000001"}, std::pair{"c2c:f64:100", "c2c:f64:100:norm=ortho"},
        std::pair{"c2c:f32:8", "c2c:f32:8:inverse:norm=none"}, std::pair{"dct2:f32:50", "dct3:f32:50"},
        std::pair{"dct2:f64:5:norm=ortho", "dct2:f64:5:factor=0.316227766016837933"},
        std::pair{"c2c:f32:4x6", "c2c:f32:4x6:axes=1"},
        std::pair{"dst1:f80:9", "dst1:f80:9:factor=1.0000000000000002"}}) {
    const Problem problem = parse_problem(asked);
    EXPECT_FALSE(verify_execution(problem, 1, perfect(parse_problem(done)), perfect(problem)).within) << asked;
  }
}

TEST(Verify, NoticesCoarserArithmetic) {
  const auto masked = [](std::uint32_t mask) {
    return [mask](Bytes, Bytes output) {
      for (std::size_t i = 0; i < output.size(); i += sizeof mask) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, output.data() + i, sizeof bits);
        bits &= mask;
        std::memcpy(output.data() + i, &bits, sizeof bits);
      }
    };
  };
  const Problem problem = parse_problem("c2c:f32:1024");
  EXPECT_FALSE(verify_execution(problem, 1, spoiled(problem, masked(~0x1fu)), perfect(problem)).within);
  const Problem half = parse_problem("c2c:f16:1024:norm=ortho");
  EXPECT_FALSE(verify_execution(half, 1, spoiled(half, masked(~0x00070007u)), perfect(half)).within);
}

// What is beyond 65504 is infinite in half precision, and only that.
TEST(Verify, KnowsTheRangeOfHalves) {
  const Problem problem = parse_problem("c2c:f16:2*65536:factor=100");
  EXPECT_TRUE(verify_execution(problem, 5, perfect(problem), perfect(problem)).within);
  EXPECT_TRUE(verify(Device::host(), parse_problem("c2c:f16:65536:store=power"), 1).within);
  const Problem back = parse_problem("c2c:f16:1024:factor=1000000000:store=bartlett/1000000000");  // beyond, and within
  EXPECT_TRUE(verify(Device::host(), back, 1).within);
  EXPECT_FALSE(verify_execution(back, 1, perfect(back), perfect(back)).within);  // without the hook
  const auto replace = [](std::uint16_t infinity, std::uint16_t by) {
    return [=](Bytes, Bytes output) {
      for (std::size_t i = 0; i < output.size(); i += sizeof by) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, output.data() + i, sizeof bits);
        if (bits == infinity) std::memcpy(output.data() + i, &by, sizeof by);
      }
    };
  };
  constexpr std::uint16_t infinity = 0x7c00, negative_infinity = 0xfc00, largest = 0x7bff, not_a_number = 0x7e00;
  for (const std::uint16_t wrong : {largest, negative_infinity, not_a_number}) {
    EXPECT_FALSE(verify_execution(problem, 5, spoiled(problem, replace(infinity, wrong)), perfect(problem)).within);
  }
  const auto overflow = [](Bytes, Bytes output) {  // of one number that is in range
    for (std::size_t i = 0; i < output.size(); i += 2) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, output.data() + i, sizeof bits);
      if (bits >= 0x7000) continue;
      bits = infinity;
      return std::memcpy(output.data() + i, &bits, sizeof bits), void();
    }
  };
  EXPECT_FALSE(verify_execution(problem, 5, spoiled(problem, overflow), perfect(problem)).within);
}

TEST(Verify, NoticesChangesToTheInput) {
  const auto spoil = [](Bytes input, Bytes) { flip_bit(input, 40); };
  for (const char* text : {"c2c:f32:8", "r2c:f64:6x3", "c2c:f32:8:in=batch=16"}) {
    const Problem problem = parse_problem(text);
    EXPECT_EQ(verify_execution(problem, 1, spoiled(problem, spoil), perfect(problem)).complaint, "the input changed");
    EXPECT_THAT(verify_execution(problem, 1, perfect(problem), spoiled(problem, spoil)).complaint,
                HasSubstr("the input changed when executed from buffers"));
  }
  const Problem allowed = parse_problem("c2c:f32:8:overwrite");
  EXPECT_TRUE(verify_execution(allowed, 1, spoiled(allowed, spoil), perfect(allowed)).within);
  const Problem gap = parse_problem("c2c:f32:8:overwrite:in=4");  // byte 40 lies between elements
  EXPECT_EQ(verify_execution(gap, 1, spoiled(gap, spoil), perfect(gap)).complaint, "memory around the input changed");
}

TEST(Verify, NoticesChangesBetweenElements) {
  const auto spoil = [](Bytes, Bytes output) { flip_bit(output, 8); };
  const Problem strided = parse_problem("c2c:f32:8:out=2");
  EXPECT_EQ(verify_execution(strided, 1, spoiled(strided, spoil), perfect(strided)).complaint,
            "memory around the output changed");
  const Problem in_place = parse_problem("c2c:f32:8:inplace:in=2:out=2");
  EXPECT_EQ(verify_execution(in_place, 1, spoiled(in_place, spoil), perfect(in_place)).complaint,
            "memory around the elements changed");
}

TEST(Verify, NoticesOtherBitsTheSecondTime) {
  for (const char* text : {"c2c:f32:1000", "dct2:f80:10"}) {
    const Problem problem = parse_problem(text);
    const auto spoil = [](Bytes, Bytes output) { flip_bit(output, 0); };
    EXPECT_THAT(verify_execution(problem, 1, perfect(problem), spoiled(problem, spoil)).complaint,
                HasSubstr("other bits"));
  }
}

TEST(Verify, DoesNotMindThePaddingOfLongDoubles) {
  const Problem problem = parse_problem("c2c:f80:10");
  const auto spoil = [](Bytes, Bytes output) { flip_bit(output, 12); };
  EXPECT_TRUE(verify_execution(problem, 1, spoiled(problem, spoil), perfect(problem)).within);
}

TEST(Properties, AcceptWhatIsRight) {
  std::vector<const char*> problems = sound_problems;
  problems.insert(problems.end(), {"c2r:f64:6x5x8:axes=0,2", "r2c:f32:2*9x4", "c2c:f64:5x6:inverse"});
  for (const char* text : problems) {
    const Problem problem = parse_problem(text);
    const Outcome outcome = verify_properties(problem, 3, perfect(problem));
    EXPECT_TRUE(outcome.within) << text << ": " << outcome.complaint;
  }
}

TEST(Properties, NoticeMistakes) {
  const Problem problem = parse_problem("c2c:f32:2*30x20");
  const auto done_as = [&](const char* text) { return verify_properties(problem, 1, perfect(parse_problem(text))); };
  EXPECT_THAT(done_as("c2c:f32:2*30x20:factor=1.00001").complaint, HasSubstr("impulse"));
  EXPECT_THAT(done_as("c2c:f32:2*30x20:inverse:norm=none").complaint, HasSubstr("impulse"));
  EXPECT_THAT(done_as("c2c:f32:2*30x20:axes=1").complaint, HasSubstr("impulse"));
  const auto zero = [](Bytes, Bytes output) { std::memset(output.data() + 800, 0, 8); };
  EXPECT_FALSE(verify_properties(problem, 1, spoiled(problem, zero)).within);
  const auto constant = [](Bytes, Bytes output) { std::memset(output.data() + 800, 0x40, 8); };
  EXPECT_THAT(verify_properties(problem, 1, spoiled(problem, constant)).complaint, HasSubstr("linearity"));
  EXPECT_FALSE(verify_properties(problem, 1, [](Bytes, Bytes) {}).within);
}

// A sum of millions of numbers that are not zero in the mean would be beyond the range of halves.
TEST(Properties, HaveSumsWithinTheRangeOfHalves) {
  const Problem problem = parse_problem("c2c:f16:4194304:factor=5");
  const auto sum_alone = [](Bytes input, Bytes output) {
    std::vector<ComplexHalf> numbers(input.size() / sizeof(ComplexHalf));
    std::memcpy(numbers.data(), input.data(), input.size());
    std::complex<double> sum = 0;
    for (const ComplexHalf& number : numbers)
      sum += std::complex<double>(to_float(number.real), to_float(number.imaginary));
    std::ranges::fill(output, std::byte{0});
    const ComplexHalf first{to_half(static_cast<float>(5 * sum.real())), to_half(static_cast<float>(5 * sum.imag()))};
    std::memcpy(output.data(), &first, sizeof(first));
  };
  EXPECT_THAT(verify_properties(problem, 1, sum_alone).complaint, HasSubstr("impulse"));  // the first that is wrong
}

// Results that a scale makes so small that halves have few digits for them, or none.
TEST(Properties, OfHalvesAreOfResultsThatHalvesHold) {
  for (const char* text : {"c2c:f16:30x20:factor=1e-7", "c2r:f16:4x64:factor=1e-5", "r2c:f16:100:factor=-1e-6"}) {
    const Problem problem = parse_problem(text);
    const Outcome outcome = verify_properties(problem, 3, perfect(problem));
    EXPECT_TRUE(outcome.within) << text << ": " << outcome.complaint;
    const auto nothing = [](Bytes, Bytes output) { std::ranges::fill(output, std::byte{0}); };
    EXPECT_FALSE(verify_properties(problem, 3, nothing).within) << text;
  }
}

}  // namespace
}  // namespace twiddle::verify
