// Halves in several stages on a device, against the reference: between stages they stand in their places as floats,
// whose imaginary parts, or lower words, are in scratch memory.
#include <gtest/gtest.h>

#include "support/device_test.hpp"
#include "support/sample.hpp"
#include "verify/verify.hpp"

namespace twiddle::verify {
namespace {

class Halves : public test::DeviceTest, public testing::WithParamInterface<const char*> {};

TEST_P(Halves, AreRight) {
  const Outcome outcome = verify(device(), parse_problem(GetParam()), 7);
  EXPECT_TRUE(outcome.within) << GetParam() << ": " << outcome.complaint;
}

INSTANTIATE_TEST_SUITE_P(
    Images, Halves,
    testing::ValuesIn(test::sampled_if_instrumented(
        test::sampled_on_devices<const char*>(
            {"c2c:f16:256x300:inplace", "c2c:f16:17x1000:inplace:inverse", "c2c:f16:2*12x263x20",
             "c2c:f16:1009x6:inplace:norm=ortho", "r2c:f16:64x600:inplace", "r2c:f16:33x45:load=alternate",
             "c2r:f16:64x600:inplace:store=alternate", "c2r:f16:33x45:inplace",
             "c2c:f16:30x40:inplace:in=50,1/offset=3:out=50,1/offset=3", "c2c:f16:6x30031:inplace", "dct2:f16:256x300",
             "dct3:f16:256x300:inplace", "dct4:f16:17x100:inplace:norm=ortho", "dst1:f16:2*31x63x5",
             "dht:f16:1009x6:inplace:load=alternate", "dst4:f16:33x45:store=alternate", "dct2:f16:5x30031:inplace",
             "dct1:f16:4097x6", "dst3:f16:30x41:inplace:in=50,1/offset=3:out=50,1/offset=3"},
            4),
        4)));

// Rows side by side, which the host converts as they are transposed: some beyond whole vectors, and pieces of rows.
INSTANTIATE_TEST_SUITE_P(Rows, Halves,
                         testing::ValuesIn(test::sampled_if_instrumented(
                             test::sampled_on_devices<const char*>(
                                 {"dct2:f16:37*100", "dct3:f16:19*263:inplace", "dct4:f16:5*17",
                                  "dst2:f16:33*600:norm=ortho", "dht:f16:16*1000:inverse",
                                  "c2c:f16:21*300:in=planar:out=planar", "c2c:f16:40*64:inplace:in=planar:out=planar",
                                  "dct2:f16:37*100:load=alternate:store=alternate",
                                  "dct2:f16:30*90:nonzero=70:wanted=50", "dct1:f16:3*20x65:axes=1"},
                                 3),
                             3)));

// Even numbers of reals in several stages, which keep to their places, and between which mirror images are made
// together.
INSTANTIATE_TEST_SUITE_P(LongLines, Halves,
                         testing::ValuesIn(test::sampled_if_instrumented(
                             test::sampled_on_devices<const char*>(
                                 {"r2c:f16:400000", "c2r:f16:400002:inplace:norm=ortho", "dct2:f16:400000:inplace",
                                  "dct3:f16:354294", "dct4:f16:327680", "dst2:f16:400000:norm=ortho",
                                  "dst3:f16:400000:inplace", "dst4:f16:400000:inplace", "dht:f16:360000",
                                  "c2r:f16:500000", "r2c:f16:500000:inplace"},
                                 4),
                             4)));

}  // namespace
}  // namespace twiddle::verify
