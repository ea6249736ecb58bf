// Convolutions as text.
#include <gtest/gtest.h>

#include "twiddle/convolution_text.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

TEST(ParseConvolution, ReadsWhatIsSaid) {
  EXPECT_EQ(parse_convolution("conv:real:f32:1048576:32*257"),
            (Convolution{.signal_lengths = {1048576}, .kernel_lengths = {257}, .filters = 32}));
  Convolution all{.signal_lengths = {30, 40},
                  .kernel_lengths = {3, 5},
                  .signals = 2,
                  .precision = Precision::float64,
                  .complex = true,
                  .operation = Convolution::Operation::correlate,
                  .mode = Convolution::Mode::same,
                  .boundary = Boundary::reflect,
                  .method = Convolution::Method::direct};
  EXPECT_EQ(parse_convolution("conv:complex:f64:2*30x40:3x5:correlate:mode=same:boundary=reflect:method=direct"), all);
  all = {.signal_lengths = {1000}, .kernel_lengths = {9}, .method = Convolution::Method::overlap_save, .segment = 64};
  all.post = {.function = PostProcessing::Function::power, .maximum = true, .decimation = 2};
  EXPECT_EQ(parse_convolution("conv:real:f32:1000:9:method=overlap-save:segment=64:post=power:maximum:decimation=2"),
            all);
}

TEST(ConvolutionText, IsWhatIsReadAgain) {
  for (const char* text : {"conv:real:f32:1048576:32*257", "conv:real:f64:9:3",
                           "conv:complex:f64:2*30x40:3x5:correlate:mode=same:boundary=reflect:method=direct",
                           "conv:real:f32:1000:9:method=overlap-save:segment=64:post=power:maximum:decimation=2",
                           "conv:complex:f32:4x5x6:7*1x2x3:mode=valid:boundary=nearest:post=interbin-pi/4"}) {
    EXPECT_EQ(convolution_text(parse_convolution(text)), text);
  }
  // Defaults that are said are not said again.
  EXPECT_EQ(convolution_text(parse_convolution("conv:real:f32:1*9:3:mode=full:decimation=1:method=automatic")),
            "conv:real:f32:9:3");
}

TEST(ParseConvolution, SaysWhatIsWrong) {
  const auto message = [](const char* text) -> std::string {
    try {
      (void)parse_convolution(text);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("c2c:f32:64"),
            "convolution 'c2c:f32:64': expected conv:ELEMENTS:PRECISION:SIGNALS:FILTERS and options, such as "
            "conv:real:f32:1048576:32*257");
  EXPECT_EQ(message("conv:imaginary:f32:9:3"),
            "convolution 'conv:imaginary:f32:9:3': 'imaginary' was given; expected real or complex");
  EXPECT_EQ(message("conv:real:f16:9:3"), "convolution 'conv:real:f16:9:3': 'f16' was given; expected one of f32, f64");
  for (const char* text : {"conv:real:f32::3", "conv:real:f32:9:3*", "conv:real:f32:-9:3", "conv:real:f32:9:3x",
                           "conv:real:f32:99999999999999999999999:3", "conv:real:f32:9:3:segment="}) {
    EXPECT_NE(message(text).find("expected a whole number"), std::string::npos) << message(text);
  }
  EXPECT_NE(message("conv:real:f32:9:3:mode=middle").find("expected one of full, same, valid"), std::string::npos);
  EXPECT_NE(message("conv:real:f32:9:3:mode=same:mode=full").find("'mode' at most once"), std::string::npos);
  EXPECT_NE(message("conv:real:f32:9:3:inplace").find("expected correlate, mode="), std::string::npos);
  EXPECT_NE(message("conv:real:f32:9:30:mode=valid"), "no error");  // what validate() refuses
}

TEST(ParseConvolution, IsToldFromTransforms) {
  EXPECT_TRUE(is_convolution_text("conv:real"));
  EXPECT_FALSE(is_convolution_text("c2c:f32:64"));
}

}  // namespace
}  // namespace twiddle
