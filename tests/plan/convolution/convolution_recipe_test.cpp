// Which method convolutions take on devices of different size.
#include "plan/convolution/convolution_recipe.hpp"

#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "twiddle/error.hpp"

namespace twiddle::test {
namespace {

using Method = Convolution::Method;
using Mode = Convolution::Mode;

Convolution picture(std::size_t side, std::size_t kernel) {
  return {.signal_lengths = {side, side}, .kernel_lengths = {kernel, kernel}, .mode = Mode::same};
}

plan::ConvolutionRecipe on_large_card(const Convolution& convolution) {
  return plan::make_convolution_recipe(convolution, plan::named_limits("nvidia-cuda"));
}

plan::ConvolutionRecipe on_two_units(const Convolution& convolution) {
  DeviceLimits limits = plan::named_limits("nvidia-opencl");
  limits.compute_units = 2;
  return plan::make_convolution_recipe(convolution, limits);
}

plan::ConvolutionRecipe on_two_cores(const Convolution& convolution) {
  const DeviceLimits limits{
      .max_group_size = 4096, .local_memory = 32 * 1024, .registers_per_item = 64, .compute_units = 2};
  return plan::make_convolution_recipe(convolution, limits);
}

// What PoCL took on two cores of an EPYC: reals whose samples and results are even in number are transformed two at a
// time. (1024 doubles with 257 taps took 1.35 times as long by segments as by the whole on a Xeon, too.)
TEST(ConvolutionRecipe, CpusBehindOpenClTakeWholesOfEvenNumbersOfRealsForWhatTheyCost) {
  const auto line_of_doubles = [](bool complex, std::size_t length, std::size_t taps, std::size_t filters) {
    Convolution convolution{.signal_lengths = {length}, .kernel_lengths = {taps}, .filters = filters};
    convolution.precision = Precision::float64;
    convolution.complex = complex;
    return on_two_cores(convolution).method;
  };
  EXPECT_EQ(line_of_doubles(false, 1024, 257, 1), Method::whole);
  EXPECT_EQ(line_of_doubles(false, 1024, 257, 32), Method::whole);          // 0.106 ms, 0.175 by segments
  EXPECT_EQ(line_of_doubles(false, 32768, 257, 32), Method::overlap_save);  // 2.4 ms, 11.6 by the whole
  EXPECT_EQ(line_of_doubles(false, 1024, 17, 1), Method::overlap_save);     // 7.2 us, 10.8 by sums
  EXPECT_EQ(line_of_doubles(false, 32768, 4097, 1), Method::whole);         // 0.42 ms, 0.53 by segments through memory
  EXPECT_EQ(line_of_doubles(true, 1024, 257, 32), Method::whole);           // 0.173 ms, 0.188 by segments
}

// Terms of pictures, too: 64 x 64 doubles with 9 x 9 took 57 and 63 us by sums, 60 and 93 by the whole.
TEST(ConvolutionRecipe, CpusBehindOpenClSumPicturesForWhatItCosts) {
  Convolution small = picture(64, 9);
  small.precision = Precision::float64;
  EXPECT_EQ(on_two_cores(small).method, Method::direct);
  EXPECT_EQ(on_two_cores(picture(256, 9)).method, Method::whole);    // 0.41 ms, 0.78 by sums
  EXPECT_EQ(on_two_cores(picture(1024, 9)).method, Method::whole);   // 7.8 ms, 13.0 by sums
  EXPECT_EQ(on_two_cores(picture(1024, 3)).method, Method::direct);  // 1.9 ms, 9.0 by the whole
}

// Groups of 64 work-items have registers for 832 points, so that 8192 take two passes over memory there.
TEST(ConvolutionRecipe, SmallGroupsTakeSegmentsThatTheyHold) {
  const auto recipe = plan::make_convolution_recipe(
      {.signal_lengths = {1 << 18}, .kernel_lengths = {257}, .filters = 8, .complex = true},
      plan::named_limits("small"));
  EXPECT_EQ(plan::to_string(recipe), "overlap-save in segments of 512 = 8.8.8");
}

TEST(ConvolutionRecipe, SumsFewTapsOfPicturesOnDevices) {
  EXPECT_EQ(on_large_card(picture(2048, 3)).method, Method::direct);
  EXPECT_EQ(on_large_card(picture(2048, 65)).method, Method::whole);
  EXPECT_EQ(on_two_units(picture(1024, 3)).method, Method::direct);
  EXPECT_EQ(on_two_units(picture(1024, 15)).method, Method::whole);
}

// Where the choice was 1.3 to 1.9 times slower than the best (docs/convolution.md).
TEST(ConvolutionRecipe, LargeCardsTakeWhatTheH200WasFastestWith) {
  const auto line = [](std::size_t length, std::size_t taps, std::size_t filters) {
    return on_large_card({.signal_lengths = {length}, .kernel_lengths = {taps}, .filters = filters});
  };
  for (const std::size_t length : {256, 2048}) {
    for (const std::size_t filters : {1, 8}) {
      const plan::ConvolutionRecipe recipe = line(length, 16384, filters);
      EXPECT_EQ(recipe.method, Method::whole) << length;
      EXPECT_EQ(recipe.padded, (std::vector<std::size_t>{32768})) << length;
    }
  }
  EXPECT_EQ(line(std::size_t{1} << 20, 16384, 1).method, Method::whole);
  EXPECT_EQ(line(std::size_t{1} << 20, 16384, 8).method, Method::overlap_save);
  EXPECT_EQ(line(std::size_t{1} << 20, 65536, 8).method, Method::overlap_save);
  EXPECT_EQ(line(std::size_t{1} << 23, 65536, 1).method, Method::overlap_save);
  EXPECT_EQ(line(16384, 16384, 200).method, Method::whole);
  Convolution whole{.signal_lengths = {32767}, .kernel_lengths = {4095}, .filters = 32, .method = Method::whole};
  EXPECT_EQ(on_large_card(whole).padded.front(), 65536u);  // half of 36864 points in one group: 74 us on an H100
  EXPECT_EQ(line(std::size_t{1} << 24, 65537, 1).bank.segment, std::size_t{1} << 19);
  EXPECT_EQ(on_large_card(picture(1024, 9)).method, Method::whole);
  EXPECT_EQ(on_large_card(picture(1024, 3)).method, Method::direct);
}

TEST(ConvolutionRecipe, SumsColumnsAndRowsOnDevicesWhereFiltersAllowIt) {
  EXPECT_TRUE(on_large_card(picture(2048, 9)).separable);
  EXPECT_TRUE(on_two_units(picture(1024, 15)).separable);
  EXPECT_FALSE(on_two_units(picture(1024, 65)).separable);
  Convolution forced = picture(1024, 15);
  forced.method = Method::separable;
  EXPECT_TRUE(on_large_card(forced).bank.separable);
}

// Groups of a device hold columns for so many taps of a row, and those without local memory for none.
TEST(ConvolutionRecipe, ColumnsAreHeldInLocalMemory) {
  Convolution convolution{.signal_lengths = {20, 70000}, .kernel_lengths = {3, 60000}, .method = Method::separable};
  EXPECT_THROW((void)on_large_card(convolution), Unsupported);
  convolution.kernel_lengths = {3, 5};
  DeviceLimits limits = plan::named_limits("nvidia-opencl");
  EXPECT_NO_THROW((void)plan::make_convolution_recipe(convolution, limits));
  limits.shape = DeviceLimits::Shape::staged;
  EXPECT_THROW((void)plan::make_convolution_recipe(convolution, limits), Unsupported);
}

TEST(ConvolutionRecipe, LinesGoBySegmentsOnDevicesUntilFiltersAreTooLong) {
  for (const std::size_t taps : {65u, 257u, 1025u, 4097u}) {
    Convolution convolution{.signal_lengths = {1 << 21}, .kernel_lengths = {taps}, .filters = 8};
    EXPECT_EQ(on_large_card(convolution).method, Method::overlap_save) << taps;
    convolution.complex = true;
    EXPECT_EQ(on_large_card(convolution).method, Method::overlap_save) << taps;
  }
  const plan::ConvolutionRecipe longer =
      on_large_card({.signal_lengths = {1 << 22}, .kernel_lengths = {7500}, .mode = Mode::same});
  EXPECT_EQ(plan::to_string(longer), "overlap-save in segments of 16384 through memory");
  EXPECT_EQ(longer.step, 8864u);
}

// What an H200 took least time with: segments of two passes for long signals, where a whole line takes more.
TEST(ConvolutionRecipe, LongFiltersGoBySegmentsThroughMemory) {
  for (const std::size_t taps : {16385u, 65537u}) {
    const plan::ConvolutionRecipe recipe = on_large_card({.signal_lengths = {1 << 24}, .kernel_lengths = {taps}});
    EXPECT_EQ(recipe.method, Method::overlap_save) << taps;
    EXPECT_GE(recipe.step, recipe.bank.segment / 2) << taps;
    EXPECT_GE(recipe.bank.segment, 65536u) << taps;
  }
  const Convolution many{.signal_lengths = {1 << 20}, .kernel_lengths = {16385}, .signals = 16};  // as many points
  EXPECT_EQ(on_large_card(many).method, Method::overlap_save);
  EXPECT_EQ(on_large_card({.signal_lengths = {1 << 18}, .kernel_lengths = {65537}}).method, Method::whole);
  EXPECT_EQ(on_two_cores({.signal_lengths = {1 << 22}, .kernel_lengths = {65537}}).method, Method::whole);
}

TEST(ConvolutionRecipe, SegmentsThroughMemoryThatAreAskedFor) {
  Convolution convolution{.signal_lengths = {1 << 20}, .kernel_lengths = {257}, .method = Method::overlap_save};
  convolution.segment = 99999;
  EXPECT_EQ(on_large_card(convolution).padded, std::vector<std::uint64_t>{100000});
  convolution.segment = 4000;
  EXPECT_EQ(on_large_card(convolution).bank.segment, 4096u);
  EXPECT_EQ(on_large_card(convolution).step, 0u);
  convolution.kernel_lengths = {9001};  // at least half of a segment are outputs
  EXPECT_EQ(on_large_card(convolution).bank.segment, 18000u);
}

Convolution line(std::size_t signal, std::size_t taps, std::size_t filters) {
  return {.signal_lengths = {signal}, .kernel_lengths = {taps}, .filters = filters};
}

// What an H200 took least time with of complex numbers and doubles, whose terms of sums wait for each other and not for
// memory, and of lines through memory, which take longer where they have few twos as factors.
TEST(ConvolutionRecipe, LargeCardsTakeComplexNumbersAndDoublesForWhatTheyCost) {
  const auto method = [](bool complex, Precision precision, std::size_t signal, std::size_t taps, std::size_t filters) {
    Convolution convolution{.signal_lengths = {signal}, .kernel_lengths = {taps}, .filters = filters};
    convolution.complex = complex;
    convolution.precision = precision;
    return on_large_card(convolution).method;
  };
  const auto doubles = [&](auto... lengths) { return method(false, Precision::float64, lengths...); };
  EXPECT_EQ(doubles(1048576u, 1u, 1u), Method::direct);                                 // 3.7 us, 7.2 by segments
  EXPECT_EQ(doubles(1048576u, 5u, 1u), Method::direct);                                 // 4.9 us, 7.2 by segments
  EXPECT_EQ(doubles(32768u, 5u, 32u), Method::direct);                                  // 5.0 us, 7.8 by segments
  EXPECT_EQ(doubles(1048576u, 17u, 1u), Method::overlap_save);                          // 7.3 us, 15.7 by sums
  EXPECT_EQ(doubles(1048576u, 16385u, 1u), Method::whole);                              // 42 us, 58 by segments
  EXPECT_EQ(method(true, Precision::float64, 1048576, 1, 1), Method::direct);           // 5.5 us, 12.9 by segments
  EXPECT_EQ(method(true, Precision::float64, 1048576, 5, 1), Method::direct);           // 8.7 us, 12.7 by segments
  EXPECT_EQ(method(true, Precision::float64, 1048576, 4097, 1), Method::overlap_save);  // 57 us, 81 by the whole
  const auto floats = [&](auto... lengths) { return method(false, Precision::float32, lengths...); };
  EXPECT_EQ(floats(4194304u, 65537u, 1u), Method::whole);         // 90 us, 120 by segments
  EXPECT_EQ(floats(2097152u, 65537u, 1u), Method::whole);         // 50 us, 67 by segments
  EXPECT_EQ(floats(4194304u, 16385u, 1u), Method::overlap_save);  // 99 us, 115 by the whole
  EXPECT_EQ(floats(4194304u, 20000u, 1u), Method::overlap_save);  // 110 us, 137 by the whole
}

// The same card through OpenCL, where a group has 48 KiB: complex segments of 16384 points go through these in two
// parts. 2^21 samples with 32 x 2049 took 0.338 ms on chip, 0.654 through memory.
TEST(ConvolutionRecipe, LargeCardsTakeSegmentsThroughLittleLocalMemoryForWhatTheyCost) {
  DeviceLimits limits = plan::named_limits("nvidia-opencl");
  limits.compute_units = 132;
  const auto segment = [&](std::size_t taps, std::size_t filters) {
    Convolution convolution = line(std::size_t{1} << 21, taps, filters);
    convolution.complex = true;
    return plan::to_string(plan::make_convolution_recipe(convolution, limits));
  };
  EXPECT_EQ(segment(2049, 8), "overlap-save in segments of 4096 = 16.16.16");  // 0.094 ms
  EXPECT_EQ(segment(2049, 32), "overlap-save in segments of 4096 = 16.16.16");
  EXPECT_EQ(segment(4097, 8), "overlap-save in segments of 16384 through memory");   // 0.226 ms
  EXPECT_EQ(segment(4097, 32), "overlap-save in segments of 16384 through memory");  // 0.726 ms
}

// What an H200 took least time with where launches are most of it: 2.5 us for direct sums, 4.5 us for segments.
TEST(ConvolutionRecipe, ShortSignalsAreSummedOnLargeCardsWhileTapsAreFew) {
  for (const std::size_t filters : {1u, 8u, 200u}) {
    for (const std::size_t taps : {1u, 4u, 16u}) {
      EXPECT_EQ(on_large_card(line(256, taps, filters)).method, Method::direct) << taps << " " << filters;
    }
    for (const std::size_t taps : {256u, 1024u, 4096u}) {
      EXPECT_EQ(on_large_card(line(256, taps, filters)).method, Method::overlap_save) << taps << " " << filters;
    }
  }
}

// PoCL on two cores: transforms of many filters are one launch, and so are segments.
TEST(ConvolutionRecipe, ShortSignalsOnCpusBehindOpenCl) {
  const auto method = [](std::size_t signal, std::size_t taps, std::size_t filters) {
    return on_two_cores(line(signal, taps, filters)).method;
  };
  EXPECT_EQ(method(256, 4, 1), Method::direct);
  EXPECT_EQ(method(256, 4, 200), Method::direct);
  EXPECT_EQ(method(256, 16, 200), Method::whole);  // 131 us, 141 by segments, 320 by sums
  EXPECT_EQ(method(256, 64, 8), Method::whole);
  EXPECT_EQ(method(256, 1024, 8), Method::whole);
  EXPECT_EQ(method(256, 256, 200), Method::whole);  // 520 us, 982 by segments
}

// What PoCL took on an EPYC's two cores: groups share segments and filters, and few of them leave a core idle.
TEST(ConvolutionRecipe, CpusBehindOpenClShareSegmentsAndFiltersAmongFewGroups) {
  const auto method = [](std::size_t signal, std::size_t taps, std::size_t filters) {
    return on_two_cores(line(signal, taps, filters)).method;
  };
  EXPECT_EQ(method(2048, 16, 1), Method::overlap_save);    // 11 us, 19 by sums
  EXPECT_EQ(method(256, 16, 8), Method::whole);            // 13 us, 17 by segments, 19 by sums
  EXPECT_EQ(method(256, 64, 200), Method::whole);          // 0.26 ms, 0.40 by segments
  EXPECT_EQ(method(2048, 256, 8), Method::whole);          // 0.15 ms, 0.28 by segments
  EXPECT_EQ(method(2048, 1024, 200), Method::whole);       // 2.2 ms, 4.1 by segments
  EXPECT_EQ(method(131072, 4, 8), Method::direct);         // 1.7 ms, 2.4 by segments
  EXPECT_EQ(method(131072, 16384, 8), Method::whole);      // 7.9 ms, 8.3 in segments through memory
  EXPECT_EQ(method(16384, 256, 8), Method::overlap_save);  // 0.48 ms, 0.74 by the whole
}

// What PoCL took on an EPYC's two cores: terms of sums and lines that a group holds take about as long of complex
// numbers and of doubles as of real floats.
TEST(ConvolutionRecipe, CpusBehindOpenClTakeSumsAndWholesOfComplexNumbersAndDoublesForWhatTheyCost) {
  const auto method = [](bool complex, Precision precision, std::size_t signal, std::size_t taps, std::size_t filters) {
    Convolution convolution = line(signal, taps, filters);
    convolution.complex = complex;
    convolution.precision = precision;
    return on_two_cores(convolution).method;
  };
  const auto complex_floats = [&](auto... lengths) { return method(true, Precision::float32, lengths...); };
  EXPECT_EQ(complex_floats(1024u, 5u, 1u), Method::direct);            // 5.5 us, 12 by segments
  EXPECT_EQ(complex_floats(32768u, 5u, 1u), Method::direct);           // 0.12 ms, 0.27 by segments
  EXPECT_EQ(complex_floats(32768u, 5u, 32u), Method::direct);          // 2.8 ms, 4.0 by segments
  EXPECT_EQ(complex_floats(1048576u, 5u, 1u), Method::direct);         // 3.6 ms, 9.6 by segments
  EXPECT_EQ(complex_floats(1024u, 17u, 1u), Method::overlap_save);     // 12 us, 20 by sums
  EXPECT_EQ(complex_floats(1048576u, 17u, 1u), Method::overlap_save);  // 9.1 ms, 18 by sums
  EXPECT_EQ(complex_floats(1024u, 257u, 32u), Method::whole);          // 0.30 ms, 0.52 by segments
  EXPECT_EQ(complex_floats(32768u, 4097u, 1u), Method::whole);         // 0.60 ms, 0.81 by segments through memory
  const auto doubles = [&](auto... lengths) { return method(false, Precision::float64, lengths...); };
  EXPECT_EQ(doubles(32768u, 5u, 1u), Method::direct);                          // 0.084 ms, 0.15 by segments
  EXPECT_EQ(doubles(1048576u, 5u, 1u), Method::direct);                        // 2.5 ms, 7.2 by segments
  EXPECT_EQ(doubles(1048576u, 65u, 1u), Method::overlap_save);                 // 7.3 ms, 54 by sums
  EXPECT_EQ(method(true, Precision::float64, 1048576, 5, 1), Method::direct);  // 1.7 ms, 5.4 by segments
}

// The best on an EPYC and a Xeon with AVX-512, one thread; or within a tenth of it on one of them.
TEST(ConvolutionRecipe, TheHostTakesWhatTwoProcessorsWereFastestWith) {
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = 16;
  limits.level1_cache = 48 * 1024;
  for (const std::size_t level2 : {std::size_t{1} << 20, std::size_t{2} << 20}) {
    limits.level2_cache = level2;
    const auto method = [&](std::size_t signal, std::size_t taps, std::size_t filters) {
      return plan::make_convolution_recipe(line(signal, taps, filters), limits).method;
    };
    EXPECT_EQ(method(2048, 16, 8), Method::direct);  // 9.4 and 12.8 us by segments on the Xeon; 6.4 and 5.8 on the EPYC
    EXPECT_EQ(method(2048, 16, 200), Method::direct);  // 233 and 365; 158 and 148
    EXPECT_EQ(method(256, 1024, 200), Method::whole);  // 335 and 443; 183 and 194
    EXPECT_EQ(method(256, 64, 1), Method::overlap_save);
    EXPECT_EQ(method(2048, 64, 8), Method::overlap_save);
    EXPECT_EQ(method(16384, 1024, 1), Method::overlap_save);
    EXPECT_EQ(method(16384, 4096, 1), Method::whole);     // 45 us, 48 by segments; 32 and 36
    EXPECT_EQ(method(16384, 16384, 8), Method::whole);    // 0.40 ms, 0.52 by segments; 0.26 and 0.44
    EXPECT_EQ(method(16384, 16384, 200), Method::whole);  // 11.8 ms, 15.0 by segments; 8.6 and 15.3
    EXPECT_EQ(method(65536, 16384, 8), Method::whole);    // 0.80 ms, 1.15 by segments on the EPYC
    EXPECT_EQ(method(1 << 20, 65536, 1), Method::overlap_save);
    EXPECT_EQ(method(2048, 1024, 200), Method::whole);   // 0.31 ms, 0.41 by segments
    EXPECT_EQ(method(256, 65536, 200), Method::whole);   // 12 ms, 57 by segments: lines just leave half of the cache
    EXPECT_EQ(method(131072, 65536, 8), Method::whole);  // 1.9 ms, 3.1 by segments
    EXPECT_EQ(method(131072, 4096, 1), Method::overlap_save);  // 0.15 ms, 0.23 by the whole
    Convolution few = line(1024, 5, 32);                       // 55 and 30 us, 74 and 33 by segments
    few.complex = true;
    few.precision = Precision::float64;
    EXPECT_EQ(plan::make_convolution_recipe(few, limits).method, Method::direct);
  }
}

// Two threads share the segments, in 0.22 ms, and not the whole's one line, which takes 0.41.
TEST(ConvolutionRecipe, ThreadsShareSegmentsThatLeaveTheFirstLevelCache) {
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = 16;
  limits.level1_cache = 32 * 1024;
  limits.level2_cache = std::size_t{1} << 20;
  EXPECT_EQ(plan::make_convolution_recipe(line(131072, 16384, 1), limits).method, Method::whole);
  limits.compute_units = 2;
  EXPECT_EQ(plan::make_convolution_recipe(line(131072, 16384, 1), limits).method, Method::overlap_save);
  // 0.06 ms, 0.13 by sums: of so few points the transforms there and back are enough to share.
  EXPECT_EQ(plan::make_convolution_recipe(line(131072, 64, 1), limits).method, Method::overlap_save);
  Convolution few =
      line(32768, 4097, 1);  // of doubles, 0.15 ms in segments that are too few to share, 0.10 by the whole
  few.precision = Precision::float64;
  EXPECT_EQ(plan::make_convolution_recipe(few, limits).method, Method::whole);
}

// What a Xeon's sixteen cores took: half of the points of a line of reals may be too few to share, and what is shared
// of longer ones is not all that they take.
TEST(ConvolutionRecipe, ThreadsShareLessOfAWholeThanOfSegments) {
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = 16;
  limits.level1_cache = 48 * 1024;
  limits.level2_cache = std::size_t{2} << 20;
  limits.compute_units = 16;
  const auto method = [&](const Convolution& convolution) {
    return plan::make_convolution_recipe(convolution, limits).method;
  };
  EXPECT_EQ(method(line(131072, 1024, 1)), Method::overlap_save);   // 0.07 ms, 0.72 by the whole; one thread 0.70
  EXPECT_EQ(method(line(131072, 16384, 1)), Method::overlap_save);  // 0.25 ms, 0.54
  EXPECT_EQ(method(line(131072, 65536, 8)), Method::overlap_save);  // 1.4 ms, 2.9; one thread 4.5
  Convolution sums = line(32768, 65, 1);  // 0.041 ms, 0.058 by segments, which are too few points to share
  sums.precision = Precision::float64;
  EXPECT_EQ(method(sums), Method::direct);
}

}  // namespace
}  // namespace twiddle::test
