// Problems that the grammar accepts but no device can compute: what a plan says about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/device_test.hpp"
#include "twiddle/plan.hpp"
#include "verify/verify.hpp"

namespace twiddle::verify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Refusals : public test::DeviceTest {
 protected:
  // What is said when the problem is planned and executed.
  template <class Failure>
  std::string message_of(const std::string& text) const {
    try {
      return "nothing was thrown: " + verify(device(), parse_problem(text), 1).complaint;
    } catch (const Failure& error) {
      return error.what();
    }
  }
};

TEST_F(Refusals, LayoutsWhoseResultsWouldOverlap) {
  const struct {
    const char* text;
    const char* extents;
    const char* strides;
  } cases[] = {
      {"c2c:f32:4x6:out=1,1", "1,4,6", "1,1"},
      {"c2c:f32:4x6:out=3,1", "1,4,6", "3,1"},
      {"c2c:f32:2*8:out=batch=0", "2,8", "0,1"},
      {"c2c:f32:2*8:out=batch=7", "2,8", "7,1"},
      {"c2c:f32:2*8:out=1/batch=-7/offset=20", "2,8", "-7,1"},
      {"c2c:f32:8:out=0", "8", "0"},
      {"r2c:f32:8x8:out=4,1", "1,8,5", "4,1"},
      {"c2r:f32:8x8:out=7,1", "1,8,8", "7,1"},
      {"dct2:f32:6x5:out=4,5/offset=2", "1,6,5", "4,5"},
      {"c2c:f32:16:out=planar=8", "1,16", "1"},
      {"c2c:f32:2*8:inplace:in=batch=0:out=batch=8", "2,8", "0,1"},
  };
  for (const auto& [text, extents, strides] : cases) {
    EXPECT_THAT(message_of<InvalidArgument>(text),
                AllOf(HasSubstr("places several elements at the same position"), HasSubstr("must not overlap"),
                      HasSubstr(extents), HasSubstr(strides)))
        << text;
  }
}

TEST_F(Refusals, LayoutsThatInterlockWithoutOverlapAreNone) {
  for (const char* text : {"c2c:f32:2x3:out=3,2", "dct2:f32:5x5:out=4,5", "c2c:f32:4*8:in=batch=0",
                           "c2c:f32:3*8:in=1/batch=2", "r2c:f32:4x6:out=1,4", "c2c:f32:4:out=2/planar=1"}) {
    const Outcome outcome = verify(device(), parse_problem(text), 1);
    EXPECT_TRUE(outcome.within) << text << ": " << outcome.complaint;
  }
}

TEST_F(Refusals, LayoutsThatBeginBeforeTheMemory) {
  EXPECT_THAT(message_of<InvalidArgument>("c2c:f32:8:in=-1"),
              AllOf(HasSubstr("input layout places an element 7 before the start of the memory"),
                    HasSubstr("an offset of at least 7 is needed")));
  EXPECT_THAT(message_of<InvalidArgument>("c2c:f32:3*8:out=1/batch=-8/offset=15"),
              AllOf(HasSubstr("output layout places an element 1 before"), HasSubstr("at least 16")));
  EXPECT_THAT(message_of<InvalidArgument>("c2c:f32:8:in=planar=-8/offset=7"),
              HasSubstr("places an element 1 before the start of the memory"));
}

TEST_F(Refusals, LayoutsThatCannotBeAddressed) {
  EXPECT_THAT(message_of<InvalidArgument>("c2c:f32:8x8:in=4611686018427387904,1"), HasSubstr("cannot be addressed"));
  EXPECT_THAT(message_of<InvalidArgument>("c2c:f32:9:out=1152921504606846976"), HasSubstr("addressed"));
  EXPECT_THAT(message_of<InvalidArgument>("c2c:f32:8:in=offset=9223372036854775807"), HasSubstr("offset"));
  EXPECT_THAT(message_of<InvalidArgument>("c2c:f64:2*4:out=batch=9223372036854775807"), HasSubstr("addressed"));
}

TEST_F(Refusals, SizesThatAreNoneOrOverflow) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"c2c:f32:-8", "'-8' is not a whole number; expected lengths from 1"},
      {"c2c:f32:-1*8", "'-1' in '-1*8' is not a whole number"},
      {"c2c:f32:8x0", "axis 1 of 8x0 has length 0"},
      {"c2c:f32:0*8", "the batch must be at least 1, got 0"},
      {"c2c:f32:18446744073709551616", "is out of range (at most 18446744073709551615)"},
      {"c2c:f32:4294967296x4294967296x4294967296", "has more than 1152921504606846975 elements"},
      {"c2c:f32:18446744073709551615*8", "the array 18446744073709551615x8 has more than"},
      {"dct4:f32:9223372036854775808", "cannot be addressed"},
      {"dct1:f64:1", "dct1 needs at least 2 points"},
      {"c2c:f32:8:nonzero=9", "the input extent of axis 0 is 9; expected 1 to 8"},
      {"c2c:f32:8x8:nonzero=8,0", "expected 1 to 8"},
      {"c2c:f32:8:axes=1", "axis 1 does not exist: 8 has 1 dimension(s), numbered from 0"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(message_of<InvalidArgument>(text), HasSubstr(message)) << text;
}

TEST_F(Refusals, OverlappingLayoutsInPlace) {
  for (const char* text : {"c2c:f32:2*8:inplace:in=1/batch=4", "r2c:f32:8x8:inplace:in=7,1:out=4,1",
                           "c2r:f64:8x8:inplace:out=7,1", "dct2:f32:3*8:inplace:in=2/batch=14:out=2/batch=14"}) {
    EXPECT_THAT(message_of<InvalidArgument>(text), HasSubstr("must not overlap")) << text;
  }
}

TEST_F(Refusals, PrecisionsThatTheDeviceLacksNameTheRemedy) {
  if (test::device_under_test() == "host") GTEST_SKIP() << "the host has all of them";
  EXPECT_THAT(message_of<Unsupported>("c2c:f80:8"), AllOf(HasSubstr("long double"), HasSubstr("'host'")));
}

}  // namespace
}  // namespace twiddle::verify
