// twiddle fft on arrays, beside the long-double reference, and on files that are no arrays.
#include <gtest/gtest.h>

#include <numeric>

#include "npy.hpp"
#include "support/device_test.hpp"
#include "support/reference.hpp"
#include "support/sample.hpp"
#include "tools/arrays.hpp"
#include "tools/command.hpp"

namespace twiddle::test {
namespace {

using Value = std::complex<float>;

struct Case {
  std::vector<std::size_t> shape;
  std::vector<std::size_t> axes;  // empty: all
  Normalization normalization;
  Direction direction;
  std::vector<std::string> options;
};

class FftCommand : public DeviceTest {
 protected:
  tool::NpyArray random_array(const std::vector<std::size_t>& shape) const {
    const std::size_t count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    return make_array(shape, random_signal(count));
  }

  CommandResult fft(std::vector<std::string> options) const {
    std::vector<std::string> arguments = {"fft", folder.path("in.npy"), folder.path("out.npy"), "--device",
                                          device_under_test()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_twiddle(arguments);
  }

  Folder folder;
};

TEST_F(FftCommand, AgreesWithTheReference) {
  const auto forward = Direction::forward;
  const auto inverse = Direction::inverse;
  for (const Case& c : sampled_on_devices<Case>(
           {Case{{1000}, {}, Normalization::backward, forward, {}},
            Case{{1000}, {}, Normalization::backward, inverse, {"--inverse"}},
            Case{{12, 10, 14}, {}, Normalization::ortho, forward, {"--norm", "ortho"}},
            Case{{12, 10, 14}, {1}, Normalization::forward, forward, {"--axes", "1", "--norm", "forward"}},
            Case{{12, 10, 14}, {0, 2}, Normalization::backward, inverse, {"--axes", "-1,0", "--inverse"}},
            Case{{4, 6}, {1}, Normalization::ortho, inverse, {"--axes=-1", "--inverse", "--norm=ortho"}},
            Case{{1}, {}, Normalization::backward, forward, {}}},
           2)) {
    const tool::NpyArray array = random_array(c.shape);
    tool::write_npy(folder.path("in.npy"), array);
    const CommandResult result = fft(c.options);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const tool::NpyArray actual = tool::read_npy(folder.path("out.npy"));
    EXPECT_EQ(actual.shape, c.shape);
    EXPECT_FALSE(actual.fortran_order);
    const Transform transform{.lengths = c.shape, .axes = c.axes, .normalization = c.normalization};
    EXPECT_LT(relative_l2_error(values_of<Value>(actual),
                                reference_transform(transform, c.direction, values_of<Value>(array))),
              3e-7)
        << to_string(transform);
  }
}

TEST_F(FftCommand, WorksWhereNoCacheFolderCanBeMade) {
  folder.write("file", "");
  tool::write_npy(folder.path("in.npy"), random_array({16}));
  const CommandResult result =
      run_twiddle({"fft", folder.path("in.npy"), folder.path("out.npy"), "--device", device_under_test()},
                  {"TWIDDLE_CACHE_DIR=" + folder.path("file") + "/cache"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
}

TEST_F(FftCommand, FortranOrderIsKept) {
  // The same numbers in C order have the reversed shape; axis 0 of three is then axis 2.
  tool::NpyArray array = random_array({6, 10, 4});
  array.fortran_order = true;
  tool::write_npy(folder.path("in.npy"), array);
  ASSERT_EQ(fft({"--axes", "0"}).exit_code, 0);
  const tool::NpyArray actual = tool::read_npy(folder.path("out.npy"));
  EXPECT_TRUE(actual.fortran_order);
  EXPECT_EQ(actual.shape, array.shape);
  const Transform transform{.lengths = {4, 10, 6}, .axes = {2}};
  EXPECT_LT(relative_l2_error(values_of<Value>(actual),
                              reference_transform(transform, Direction::forward, values_of<Value>(array))),
            3e-7);
}

// As numpy.fft: nothing is transformed, and the result has the shape of a transform.
TEST_F(FftCommand, ArraysWithoutElementsHaveResultsWithoutAny) {
  for (const auto& [options, shape] :
       {std::pair<std::vector<std::string>, std::vector<std::size_t>>{{"--axes", "1"}, {0, 6}},
        {{"--axes", "1", "--zero-pad", "9"}, {0, 9}},
        {{"--axes", "1", "--kind", "dct2"}, {0, 6}},
        {{"--axes", "1", "--kind", "c2r"}, {0, 10}}}) {
    tool::write_npy(folder.path("in.npy"), {.shape = {0, 6}, .type = {Precision::float32, true}});
    const CommandResult result = fft(options);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const tool::NpyArray actual = tool::read_npy(folder.path("out.npy"));
    EXPECT_EQ(actual.shape, shape);
    EXPECT_TRUE(actual.bytes.empty());
    EXPECT_EQ(actual.type, (tool::ElementType{Precision::float32, options.back() != "c2r"}));
  }
  const CommandResult result = fft({"--axes", "0"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("axis 0 is to be transformed, but has no elements"), std::string::npos) << result.errors;
}

TEST_F(FftCommand, BadArraysExitWithOneAndLeaveNothing) {
  const auto expect_failure = [&](int exit_code, const std::string& mention, const std::vector<std::string>& options) {
    const CommandResult result = fft(options);
    EXPECT_EQ(result.exit_code, exit_code) << result.errors;
    EXPECT_TRUE(result.errors.starts_with("twiddle: ")) << result.errors;
    EXPECT_NE(result.errors.find(mention), std::string::npos) << result.errors << "does not mention " << mention;
    for (const std::string& name : folder.names()) EXPECT_EQ(name, "in.npy");
  };
  expect_failure(1, "No such file", {});
  folder.write("in.npy", "");
  expect_failure(1, "ends within its header", {});
  folder.write("in.npy", "not an array at all");
  expect_failure(1, "not a .npy file", {});
  tool::write_npy(folder.path("in.npy"), random_array({4, 6}));
  const std::string good = folder.read("in.npy");
  expect_failure(2, "axis 2 is out of range", {"--axes", "2"});
  expect_failure(2, "twice", {"--axes", "0,-2"});
  expect_failure(2, "--axes", {"--axes", "first"});
  expect_failure(2, "expected one of backward, ortho, forward", {"--norm", "sideways"});
  folder.write("in.npy", good.substr(0, good.size() - 5));
  expect_failure(1, "truncated", {});
  folder.write("in.npy", good + "more");
  expect_failure(1, "followed by something else", {});
  folder.write("in.npy", good);
  expect_failure(2, "real arrays, but the elements are complex64", {"--kind", "r2c"});
  expect_failure(2, "expected no --inverse", {"--kind", "c2r", "--inverse"});
  expect_failure(2, "--zero-pad 4 of axis 1 is less than the 6", {"--zero-pad", "4"});
  expect_failure(2, "--zero-pad", {"--zero-pad", "-4"});
  expect_failure(2, "--crop", {"--crop", "0"});
  expect_failure(2, "--crop", {"--crop", "99999999999999999999"});
  expect_failure(2, "--length is for --kind c2r", {"--length", "4"});
  expect_failure(2, "expected one of c2c, r2c, c2r, dct1", {"--kind", "fourier"});
  expect_failure(2, "expected one of f16, f32, f64, f80", {"--precision", "double"});
  expect_failure(2, "cannot be addressed", {"--zero-pad", "1000000000000,1000000000000"});
#ifndef TWIDDLE_SANITIZED  // whose operator new ends the program instead of throwing
  expect_failure(1, "not enough memory", {"--zero-pad", "8388608,4194304"});  // 2^48 bytes: more than can be addressed
#endif
}

}  // namespace
}  // namespace twiddle::test
