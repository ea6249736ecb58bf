// twiddle fft for every kind, type of elements, order and length, beside the reference in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "npy.hpp"
#include "npy_types.hpp"
#include "support/device_test.hpp"
#include "support/sample.hpp"
#include "tools/arrays.hpp"
#include "tools/command.hpp"
#include "twiddle/problem.hpp"
#include "verify/reference.hpp"

namespace twiddle::test {
namespace {

using Shape = std::vector<std::size_t>;
using tool::ElementType;
using tool::NpyArray;
using verify::Value;

constexpr ElementType float16{Precision::float16, false};
constexpr ElementType float32{Precision::float32, false};
constexpr ElementType float64{Precision::float64, false};
constexpr ElementType longdouble{Precision::extended, false};
constexpr ElementType complex64{Precision::float32, true};
constexpr ElementType complex128{Precision::float64, true};
constexpr ElementType clongdouble{Precision::extended, true};

struct Case {
  Shape shape;
  ElementType type;
  std::vector<std::string> options;
  std::string problem;  // what is expected to be computed, of an array without gaps
  ElementType result;
  bool fortran_order = false;
};

NpyArray converted(const NpyArray& from, ElementType type) {
  NpyArray to{.shape = from.shape, .fortran_order = from.fortran_order, .type = type};
  to.bytes.resize(from.bytes.size() / element_bytes(from.type) * element_bytes(type));
  convert_elements(from.bytes, from.type, to.bytes, type);
  return to;
}

NpyArray random_array(const Case& c) {
  std::mt19937 generator(2026);
  std::size_t scalars = c.type.complex ? 2 : 1;
  for (const std::size_t length : c.shape) scalars *= length;
  std::vector<double> values(scalars);
  for (double& value : values) value = std::ldexp(static_cast<double>(generator()), -31) - 1;
  if (!c.type.complex) return converted(make_array(c.shape, values, c.fortran_order), c.type);
  std::vector<std::complex<double>> pairs;
  for (std::size_t i = 0; i < scalars; i += 2) pairs.emplace_back(values[i], values[i + 1]);
  return converted(make_array(c.shape, pairs, c.fortran_order), c.type);
}

// The array in another shape, row-major: cut off where it is longer, zero where it is shorter.
std::vector<Value> in_shape(const NpyArray& array, const Shape& shape) {
  const std::vector<Value> values = values_of<Value>(converted(array, clongdouble));
  std::vector<std::size_t> strides(shape.size());
  std::size_t stride = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t axis = array.fortran_order ? i : shape.size() - 1 - i;
    strides[axis] = stride;
    stride *= array.shape[axis];
  }
  std::vector<Value> result;
  std::vector<std::size_t> at(shape.size());
  for (;;) {
    std::size_t position = 0;
    bool present = true;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      present = present && at[axis] < array.shape[axis];
      position += at[axis] * strides[axis];
    }
    result.push_back(present ? values[position] : Value());
    std::size_t axis = at.size();
    while (axis > 0 && ++at[axis - 1] == shape[axis - 1]) at[--axis] = 0;
    if (axis == 0) return result;
  }
}

Shape shape_of(const Problem& problem, bool written) {
  const auto full = verify::full_shape(problem, written);
  return Shape(full.begin() + 1, full.end());  // without the batch
}

// The real-to-real kinds take real numbers: parts go one after the other.
std::vector<Value> reference(const Problem& problem, const std::vector<Value>& values) {
  if (!is_real_to_real(problem.transform.kind)) return verify::reference_transform(problem, values);
  std::vector<Value> real;
  std::vector<Value> imaginary;
  for (const Value& value : values) {
    real.emplace_back(value.real());
    imaginary.emplace_back(value.imag());
  }
  real = verify::reference_transform(problem, real);
  imaginary = verify::reference_transform(problem, imaginary);
  for (std::size_t i = 0; i < real.size(); ++i) real[i] = {real[i].real(), imaginary[i].real()};
  return real;
}

double tolerance(Precision precision) {
  if (precision == Precision::float16) return 2e-3;
  if (precision == Precision::float32) return 5e-7;
  return precision == Precision::float64 ? 1e-15 : 1e-18;
}

class FftKinds : public DeviceTest {
 protected:
  void check(const Case& c) {
    if (!is_sampled_on_devices(checks_++, 3)) return;
    SCOPED_TRACE(c.problem + (c.fortran_order ? " in Fortran order" : ""));
    const Folder folder;
    const NpyArray input = random_array(c);
    write_npy(folder.path("in.npy"), input);
    std::vector<std::string> arguments = {"fft", folder.path("in.npy"), folder.path("out.npy"), "--device",
                                          device_under_test()};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    const CommandResult result = run_twiddle(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const NpyArray output = tool::read_npy(folder.path("out.npy"));
    const Problem problem = parse_problem(c.problem);
    EXPECT_EQ(type_name(output.type), type_name(c.result));
    EXPECT_EQ(output.fortran_order, c.fortran_order);
    ASSERT_EQ(output.shape, shape_of(problem, true));
    const auto expected = reference(problem, in_shape(input, shape_of(problem, false)));
    const std::vector<Value> actual = in_shape(output, output.shape);
    long double error = 0;
    long double norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      error += std::norm(actual[i] - expected[i]);
      norm += std::norm(expected[i]);
    }
    EXPECT_LT(std::sqrt(error / norm), tolerance(problem.transform.precision));
  }

 private:
  std::size_t checks_ = 0;
};

TEST_F(FftKinds, EveryKindInBothDirections) {
  check({{6, 10}, complex64, {"--axes", "0"}, "c2c:f32:6x10:axes=0", complex64});
  check({{6, 10}, float32, {"--kind", "r2c"}, "r2c:f32:6x10", complex64});
  check({{6, 11}, float32, {"--kind", "r2c", "--norm", "forward"}, "r2c:f32:6x11:norm=forward", complex64});
  check({{6, 6}, complex64, {"--kind", "c2r"}, "c2r:f32:6x10", float32});
  check({{6, 6}, complex64, {"--kind", "r2c", "--inverse", "--length", "11"}, "c2r:f32:6x11", float32});
  for (const std::string kind : {"dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht"}) {
    if (!plans_are_cheap() && kind != "dct1" && kind != "dst3" && kind != "dht") continue;
    check({{6, 9}, float32, {"--kind", kind}, kind + ":f32:6x9", float32});
    if (!plans_are_cheap()) continue;
    check({{6, 9}, float32, {"--kind", kind, "--inverse"}, kind + ":f32:6x9:inverse", float32});
    check({{6, 9}, float32, {"--kind", kind, "--norm", "ortho"}, kind + ":f32:6x9:norm=ortho", float32});
  }
}

TEST_F(FftKinds, EveryTypeOfElements) {
  check({{30}, float32, {}, "c2c:f32:30", complex64});  // real input, as NumPy
  check({{30}, float16, {}, "c2c:f32:30", complex64});
  check({{30}, float16, {"--kind", "r2c"}, "r2c:f32:30", complex64});
  check({{30}, float16, {"--kind", "dct2"}, "dct2:f32:30", float32});
  check({{30}, float64, {}, "c2c:f64:30", complex128});
  check({{30}, complex128, {"--kind", "c2r"}, "c2r:f64:58", float64});
  check({{30}, float64, {"--precision", "f32"}, "c2c:f32:30", complex64});
  check({{30}, float32, {"--precision", "f64", "--kind", "dht"}, "dht:f64:30", float64});
  check({{30}, float64, {"--precision", "f16"}, "c2c:f16:30", complex64});
  check({{30}, float64, {"--precision", "f16", "--kind", "dct2"}, "dct2:f16:30", float16});
  check({{6, 10}, complex64, {"--kind", "dct2"}, "dct2:f32:6x10", complex64});  // both parts, as SciPy
  if (device_under_test() != "host") return;
  check({{30}, longdouble, {"--kind", "r2c"}, "r2c:f80:30", clongdouble});
  check({{30}, clongdouble, {"--inverse"}, "c2c:f80:30:inverse", clongdouble});
}

TEST_F(FftKinds, OrderAndAxesBecomeStrides) {
  check({{6, 10, 4}, float64, {"--kind", "r2c"}, "r2c:f64:6x10x4", complex128, true});
  check({{6, 10, 4}, float64, {"--kind", "r2c", "--axes", "0"}, "r2c:f64:6x10x4:axes=0", complex128, true});
  check({{6, 4, 3}, complex128, {"--kind", "c2r", "--axes", "0,1"}, "c2r:f64:6x6x3:axes=0,1", float64, true});
  check({{6, 10}, complex64, {"--kind", "dst4", "--axes", "1"}, "dst4:f32:6x10:axes=1", complex64, true});
}

TEST_F(FftKinds, LengthsPadAndCrop) {
  check({{6, 10}, complex64, {"--zero-pad", "8,12"}, "c2c:f32:8x12", complex64});
  check({{6, 10}, complex64, {"--crop", "4,7"}, "c2c:f32:4x7", complex64, true});
  check({{6, 10}, float64, {"--kind", "dct2", "--zero-pad", "16"}, "dct2:f64:6x16:axes=1", float64});
  check({{6, 10}, float64, {"--kind", "r2c", "--crop", "4,10", "--zero-pad", "4,15"}, "r2c:f64:4x15", complex128});
  check({{6, 10}, complex128, {"--kind", "c2r", "--length", "8"}, "c2r:f64:6x8", float64});
  check({{6, 10}, complex128, {"--kind", "c2r", "--length", "31"}, "c2r:f64:6x31", float64, true});
}

TEST_F(FftKinds, NotANumberAndInfinitiesPassThrough) {
  const Folder folder;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float odd : {nan, infinity}) {
    write_npy(folder.path("in.npy"), make_array<float>({4}, {1, odd, 2, 3}));
    const CommandResult result = run_twiddle(
        {"fft", folder.path("in.npy"), folder.path("out.npy"), "--kind", "dct2", "--device", device_under_test()});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const std::vector<float> values = values_of<float>(tool::read_npy(folder.path("out.npy")));
    ASSERT_EQ(values.size(), 4U);
    for (const float value : values) EXPECT_FALSE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace twiddle::test
