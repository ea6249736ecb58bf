// Problems in the words of FFTW's guru interface.
#include "fftw_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "twiddle/error.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::bench {

// How a failing test shows one.
void PrintTo(const FftwDimension& dimension, std::ostream* stream) {
  *stream << dimension.length << ":" << dimension.input_stride << "->" << dimension.output_stride;
}

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FftwProblem of(const std::string& text) { return fftw_problem(parse_problem(text)); }

TEST(FftwProblem, DefaultLayoutsAreRowMajor) {
  const FftwProblem problem = of("c2c:f32:7*3x5");
  EXPECT_THAT(problem.transformed, ElementsAre(FftwDimension{3, 5, 5}, FftwDimension{5, 1, 1}));
  EXPECT_THAT(problem.repeated, ElementsAre(FftwDimension{7, 15, 15}));
  EXPECT_EQ(problem.input, (FftwElement{0, 1}));
  EXPECT_FALSE(problem.split);
  EXPECT_THAT(problem.kinds, IsEmpty());
}

TEST(FftwProblem, RealLengthsStandForTheirSpectra) {
  EXPECT_THAT(of("r2c:f64:2*4x6").transformed, ElementsAre(FftwDimension{4, 6, 4}, FftwDimension{6, 1, 1}));
  EXPECT_THAT(of("r2c:f64:2*4x6").repeated, ElementsAre(FftwDimension{2, 24, 16}));
  EXPECT_THAT(of("c2r:f64:4x6:norm=none").transformed, ElementsAre(FftwDimension{4, 4, 6}, FftwDimension{6, 1, 1}));
  // In place rows of reals have room for their spectra.
  EXPECT_THAT(of("r2c:f64:4x6:inplace").transformed, ElementsAre(FftwDimension{4, 8, 4}, FftwDimension{6, 1, 1}));
}

TEST(FftwProblem, AxesThatAreNotTransformedAreRepeated) {
  const FftwProblem problem = of("c2c:f32:2*3x5x7:axes=0,2");
  EXPECT_THAT(problem.transformed, ElementsAre(FftwDimension{3, 35, 35}, FftwDimension{7, 1, 1}));
  EXPECT_THAT(problem.repeated, ElementsAre(FftwDimension{2, 105, 105}, FftwDimension{5, 7, 7}));
}

TEST(FftwProblem, StridesAndOffsetsCountNumbersOfEitherSide) {
  const FftwProblem problem = of("r2c:f32:4*6:in=3/batch=20/offset=5:out=2/batch=-8/offset=24");
  EXPECT_THAT(problem.transformed, ElementsAre(FftwDimension{6, 3, 2}));
  EXPECT_THAT(problem.repeated, ElementsAre(FftwDimension{4, 20, -8}));
  EXPECT_EQ(problem.input.real, 5);
  EXPECT_EQ(problem.output, (FftwElement{48, 49}));
}

TEST(FftwProblem, PlanarSidesMakeAllStridesCountScalars) {
  const FftwProblem problem = of("c2c:f32:4*6:in=planar:out=3/batch=18");
  EXPECT_TRUE(problem.split);
  EXPECT_THAT(problem.transformed, ElementsAre(FftwDimension{6, 1, 6}));
  EXPECT_THAT(problem.repeated, ElementsAre(FftwDimension{4, 6, 36}));
  EXPECT_EQ(problem.input, (FftwElement{0, 24}));
  EXPECT_EQ(problem.output, (FftwElement{0, 1}));
}

TEST(FftwProblem, RealToRealKindsAreThoseOfTheirDirection) {
  EXPECT_THAT(of("dct2:f32:8x8").kinds, ElementsAre(5, 5));               // FFTW_REDFT10
  EXPECT_THAT(of("dct2:f32:8:inverse:norm=none").kinds, ElementsAre(4));  // FFTW_REDFT01
  EXPECT_THAT(of("dst3:f32:8").kinds, ElementsAre(8));                    // FFTW_RODFT01
  EXPECT_THAT(of("dht:f32:8").kinds, ElementsAre(2));                     // FFTW_DHT
}

TEST(FftwProblem, RefusesWhatPeersHaveNoWordsFor) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      (void)of(text);
    } catch (const Unsupported& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("c2c:f32:16:nonzero=8"), HasSubstr("neither nonzero nor wanted"));
  EXPECT_THAT(refusal("c2c:f32:16:inplace:in=2:out=3"), HasSubstr("one layout for both sides in place"));
  EXPECT_THAT(refusal("r2c:f32:16:inplace:in=2:out=2"), HasSubstr("one layout for both sides in place"));
  EXPECT_EQ(refusal("c2c:f32:16:inplace:in=2:out=2"), "");
}

}  // namespace
}  // namespace twiddle::bench
