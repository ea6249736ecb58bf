// The problem that `twiddle fft` makes of an array and its options, without computing anything.
#include "array_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "errors.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Shape = std::vector<std::size_t>;

constexpr ElementType float32{Precision::float32, false};
constexpr ElementType float64{Precision::float64, false};
constexpr ElementType float16{Precision::float16, false};
constexpr ElementType complex64{Precision::float32, true};

std::string text_of(const ArrayOptions& options, const Shape& shape, ElementType type = complex64,
                    bool fortran_order = false) {
  return to_string(make_array_problem(options, shape, fortran_order, type).problem);
}

TEST(ArrayProblem, PlainTransformsAreInPlace) {
  EXPECT_EQ(text_of({}, {6, 10}), "c2c:f32:6x10:inplace");
  EXPECT_EQ(text_of({.inverse = true, .axes = {-1}, .normalization = Normalization::ortho}, {6, 10}),
            "c2c:f32:6x10:axes=1:inverse:inplace:norm=ortho");
  EXPECT_EQ(text_of({}, {6, 10}, float64), "c2c:f64:6x10:inplace");
  EXPECT_EQ(text_of({.kind = Kind::dct2}, {6, 10}, float64), "dct2:f64:6x10:inplace");
  EXPECT_EQ(text_of({}, {7}, float16), "c2c:f32:7:inplace");
  EXPECT_EQ(text_of({.precision = Precision::float16}, {7}, float64), "c2c:f16:7:inplace");
}

TEST(ArrayProblem, FortranOrderIsTheReversedShape) {
  EXPECT_EQ(text_of({.axes = {0}}, {6, 10, 4}, complex64, true), "c2c:f32:4x10x6:axes=2:inplace");
  // The last axis is halved, not the contiguous one.
  const ArrayProblem real = make_array_problem({.kind = Kind::r2c}, {6, 10}, true, float32);
  EXPECT_EQ(to_string(real.problem), "r2c:f32:6x10:in=1,6:out=1,6");
  EXPECT_THAT(real.output_shape, ElementsAre(6, 6));
  EXPECT_EQ(text_of({.kind = Kind::r2c, .axes = {0}}, {6, 10}, float32, true), "r2c:f32:10x6:axes=1");
}

TEST(ArrayProblem, RealTransformsHalveTheAxisNamedLast) {
  const ArrayProblem forward = make_array_problem({.kind = Kind::r2c}, {6, 11}, false, float32);
  EXPECT_EQ(to_string(forward.problem), "r2c:f32:6x11");
  EXPECT_THAT(forward.output_shape, ElementsAre(6, 6));
  EXPECT_EQ(forward.input, float32);
  EXPECT_EQ(forward.output, complex64);
  const ArrayProblem turned = make_array_problem({.kind = Kind::r2c, .axes = {1, 0}}, {6, 10}, false, float32);
  EXPECT_EQ(to_string(turned.problem), "r2c:f32:10x6:in=1,10:out=1,10");
  EXPECT_THAT(turned.output_shape, ElementsAre(4, 10));
  const ArrayProblem first = make_array_problem({.kind = Kind::r2c, .axes = {0}}, {6, 10}, false, float32);
  EXPECT_EQ(to_string(first.problem), "r2c:f32:6x10:axes=0");
  EXPECT_THAT(first.output_shape, ElementsAre(4, 10));
}

TEST(ArrayProblem, TheWayBackHasTheLengthAskedFor) {
  const auto back = [](ArrayOptions options, const Shape& shape) {
    options.kind = Kind::r2c;
    options.inverse = true;
    return make_array_problem(options, shape, false, complex64);
  };
  EXPECT_EQ(to_string(back({}, {6, 6}).problem), "c2r:f32:6x10");
  EXPECT_THAT(back({}, {6, 6}).output_shape, ElementsAre(6, 10));
  EXPECT_EQ(back({}, {6, 6}).input, complex64);
  EXPECT_EQ(back({}, {6, 6}).output, float32);
  EXPECT_EQ(to_string(back({.length = 11}, {6, 6}).problem), "c2r:f32:6x11");
  EXPECT_EQ(to_string(back({.length = 7}, {6, 6}).problem), "c2r:f32:6x7:in=6,1");         // 4 frequencies are used
  EXPECT_EQ(to_string(back({.length = 20}, {6, 6}).problem), "c2r:f32:6x20:nonzero=6,6");  // of 11, 6 are there
  EXPECT_EQ(to_string(back({.zero_pad = {8, 9}}, {6, 6}).problem), "c2r:f32:8x16:nonzero=6,6");
  EXPECT_EQ(to_string(back({.length = 1}, {1}).problem), "c2r:f32:1");
}

TEST(ArrayProblem, LengthsPadAndCropAsInNumpy) {
  EXPECT_EQ(text_of({.zero_pad = {8, 12}}, {6, 10}), "c2c:f32:8x12:nonzero=6,10");
  EXPECT_EQ(text_of({.crop = {4, 7}}, {6, 10}), "c2c:f32:4x7:in=10,1");
  EXPECT_EQ(text_of({.crop = {4}, .zero_pad = {16}}, {6, 10}), "c2c:f32:6x16:axes=1:in=10,1:nonzero=6,4");
  EXPECT_EQ(text_of({.axes = {0}, .crop = {4}}, {6, 10}), "c2c:f32:4x10:axes=0");
  EXPECT_EQ(text_of({.axes = {0}, .crop = {6}, .zero_pad = {6}}, {6, 10}), "c2c:f32:6x10:axes=0:inplace");
  EXPECT_EQ(text_of({.inverse = true, .zero_pad = {8, 12}}, {6, 10}), "c2c:f32:8x12:inverse:nonzero=6,10");
  EXPECT_EQ(text_of({.axes = {1, 0}, .zero_pad = {12, 8}}, {6, 10}), "c2c:f32:8x12:nonzero=6,10");
  EXPECT_THAT(make_array_problem({.axes = {1}, .zero_pad = {12}}, {6, 10, 3}, false, complex64).output_shape,
              ElementsAre(6, 12, 3));
}

TEST(ArrayProblem, ComplexElementsUnderRealKindsAreTwoRealOnes) {
  const ArrayProblem problem = make_array_problem({.kind = Kind::dct2}, {6, 10}, false, complex64);
  EXPECT_EQ(to_string(problem.problem), "dct2:f32:6x10x2:axes=0,1:inplace");
  EXPECT_EQ(problem.input, complex64);
  EXPECT_EQ(problem.output, complex64);
  EXPECT_EQ(text_of({.kind = Kind::dht, .axes = {0}}, {6, 10}, complex64, true), "dht:f32:10x6x2:axes=1:inplace");
}

TEST(ArrayProblem, ManyDimensionsBecomeFewer) {
  const Shape shape = {2, 3, 1, 4, 5, 1, 2, 3, 7, 1};
  EXPECT_EQ(text_of({.axes = {-2}}, shape), "c2c:f32:720x7x1:axes=1:inplace");
  EXPECT_EQ(text_of({.axes = {3, 8}, .zero_pad = {4, 9}}, shape), "c2c:f32:6x4x30x9x1:axes=1,3:nonzero=6,4,30,7,1");
  EXPECT_EQ(text_of({.kind = Kind::r2c, .axes = {8, 0}}, shape, float32),
            "r2c:f32:360x7x1x2:axes=1,3:in=7,1,1,2520:out=7,1,1,2520");
  EXPECT_EQ(text_of({.kind = Kind::dct2, .axes = {0}}, {3, 1, 1, 1, 1, 1, 1, 4}), "dct2:f32:3x8:axes=0:inplace");
  EXPECT_EQ(make_array_problem({.axes = {-2}}, shape, false, complex64).output_shape, shape);
}

TEST(ArrayProblem, WhatDoesNotFitTheArrayIsRefused) {
  const auto message = [](const ArrayOptions& options, const Shape& shape,
                          ElementType type = complex64) -> std::string {
    try {
      static_cast<void>(make_array_problem(options, shape, false, type));
    } catch (const UsageError& error) {
      return error.what();
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message({.kind = Kind::r2c}, {6}), HasSubstr("real arrays, but the elements are complex64"));
  EXPECT_THAT(message({.length = 6}, {6}), HasSubstr("--length is for --kind c2r"));
  EXPECT_THAT(message({.kind = Kind::r2c, .length = 6}, {6}, float32), HasSubstr("--length is for --kind c2r"));
  EXPECT_THAT(message({.kind = Kind::r2c, .inverse = true}, {6, 1}),
              HasSubstr("1 frequencies of axis 1 give 0 points"));
  EXPECT_THAT(message({.axes = {0, -2}}, {6, 1}), HasSubstr("axis 0 is named twice"));
  EXPECT_THAT(message({.axes = {2}}, {6, 1}), HasSubstr("axis 2 is out of range"));
  EXPECT_THAT(message({.crop = {7}}, {6}), HasSubstr("--crop 7 of axis 0 is out of range: the axis has 6"));
  EXPECT_THAT(message({.zero_pad = {5}}, {6}), HasSubstr("--zero-pad 5 of axis 0 is less than the 6"));
  EXPECT_THAT(message({.crop = {5, 5}}, {6}), HasSubstr("2 lengths were given for an array of 1 dimension"));
  EXPECT_THAT(message({.axes = {0}, .crop = {5, 5}}, {6, 6}), HasSubstr("--crop was given 2 length(s); expected one"));
  EXPECT_THAT(message({.crop = {5}, .zero_pad = {8, 8}}, {6, 6}), HasSubstr("--crop was given 1 length(s)"));
  EXPECT_THAT(message({.zero_pad = {SIZE_MAX}}, {6}), HasSubstr("longer than any memory"));
  EXPECT_THAT(message({.zero_pad = {SIZE_MAX / 5, 9}}, {6, 6}), HasSubstr("cannot be addressed"));
  EXPECT_THAT(message({.kind = Kind::dct1}, {6, 1}), HasSubstr("dct1 needs at least 2 points"));
  EXPECT_THAT(message({}, {1, 1, 1, 1, 1, 1, 1, 1, 1}), HasSubstr("at most 8 dimensions"));
}

}  // namespace
}  // namespace twiddle::tool
