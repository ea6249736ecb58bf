// Short columns on packed numbers, in planes, and of reals: the definition, for every SIMD target, and nothing else is
// touched.
#include "backend/host/packed_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "backend/host/pass.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_worker.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {
namespace {

using backend::host::find_packed_columns;
using backend::host::find_short_columns;
using backend::host::PackedColumnsCall;
using backend::host::ShortColumnsKind;

template <class T>
class PackedColumnsTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(PackedColumnsTest, Scalars);

// Two arrays of `columns` columns, with gaps between elements and arrays, on either side or in place.
template <class T>
void expect_transforms(std::int64_t targets, std::size_t length, std::size_t columns, bool inverse, bool in_place) {
  const std::size_t from_step = 2 * columns + 4;
  const std::size_t to_step = in_place ? from_step : 2 * columns + 2;
  const std::size_t from_apart = length * from_step;
  const std::size_t to_apart = length * to_step;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  // Ends with the last number, for tools that watch over memory.
  std::vector<T> source(2 * from_apart - 4);
  for (T& value : source) value = static_cast<T>(normal(random));
  std::vector<T> result = in_place ? source : std::vector<T>(2 * to_apart - 2, T{7});
  std::vector<T> expected = result;
  for (std::size_t array = 0; array < 2; ++array) {
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t k = 0; k < length; ++k) {
        std::complex<double> sum;
        for (std::size_t j = 0; j < length; ++j) {
          const T* const number = source.data() + array * from_apart + j * from_step + 2 * column;
          const double turn = static_cast<double>(j * k % length) / static_cast<double>(length);
          sum += std::complex<double>(number[0], number[1]) *
                 std::polar(1.0, (inverse ? 2 : -2) * std::numbers::pi * turn);
        }
        T* const place = expected.data() + array * to_apart + k * to_step + 2 * column;
        place[0] = static_cast<T>(3 * sum.real());
        place[1] = static_cast<T>(3 * sum.imag());
      }
    }
  }
  PackedColumnsCall<T> call;
  call.from = in_place ? result.data() : source.data();
  call.to = result.data();
  call.from_step = static_cast<std::ptrdiff_t>(from_step);
  call.to_step = static_cast<std::ptrdiff_t>(to_step);
  call.columns = columns;
  call.arrays = 2;
  call.from_apart = static_cast<std::ptrdiff_t>(from_apart);
  call.to_apart = static_cast<std::ptrdiff_t>(to_apart);
  call.scale = 3;
  call.inverse = inverse;
  find_packed_columns<T>(length, targets)(call);
  const double rounding = sizeof(T) == 4 ? 1e-4 : 1e-13;
  for (std::size_t i = 0; i < result.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(result[i]), static_cast<double>(expected[i]), rounding)
        << length << " points, " << columns << " columns" << (in_place ? ", in place" : "");
  }
}

TYPED_TEST(PackedColumnsTest, AreTheDefinition) {
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0;
       targets = backend::host::without_widest(targets)) {
    for (std::size_t length = 2; length <= 32; ++length) {
      if (find_packed_columns<TypeParam>(length, targets) == nullptr) continue;
      for (const std::size_t columns : {1, 2, 3, 4, 5, 7, 8, 13}) {
        expect_transforms<TypeParam>(targets, length, columns, length % 2 == 0, columns % 2 == 0);
      }
    }
  }
}

// The same in planes behind each other.
template <class T>
void expect_planar_transforms(std::int64_t targets, std::size_t length, std::size_t columns, bool inverse) {
  const std::size_t step = columns + 1, apart = length * step, plane = 2 * apart;
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  std::vector<T> source(2 * plane - 1);  // ends with the last number
  for (T& value : source) value = static_cast<T>(normal(random));
  std::vector<T> result(source.size(), T{7});
  std::vector<T> expected = result;
  for (std::size_t at = 0; at < plane; ++at) {
    const std::size_t array = at / apart, k = at % apart / step, column = at % step;
    if (column == columns) continue;
    std::complex<double> sum;
    for (std::size_t j = 0; j < length; ++j) {
      const T* const number = source.data() + array * apart + j * step + column;
      const double turn = static_cast<double>(j * k % length) / static_cast<double>(length);
      sum += std::complex<double>(number[0], number[plane]) *
             std::polar(3.0, (inverse ? 2 : -2) * std::numbers::pi * turn);
    }
    expected[at] = static_cast<T>(sum.real());
    expected[plane + at] = static_cast<T>(sum.imag());
  }
  PackedColumnsCall<T> call;
  call.from = source.data();
  call.to = result.data();
  call.from_step = call.to_step = static_cast<std::ptrdiff_t>(step);
  call.from_apart = call.to_apart = static_cast<std::ptrdiff_t>(apart);
  call.from_imaginary = call.to_imaginary = static_cast<std::ptrdiff_t>(plane);
  call.columns = columns;
  call.arrays = 2;
  call.scale = 3;
  call.inverse = inverse;
  const auto function = find_short_columns<T>(ShortColumnsKind::planar, length, targets);
  function(call);
  const double rounding = sizeof(T) == 4 ? 1e-4 : 1e-13;
  for (std::size_t i = 0; i < result.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(result[i]), static_cast<double>(expected[i]), rounding)
        << length << " points, " << columns << " columns in planes";
  }
  call.from = source.data();
  call.to = source.data();
  function(call);
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (expected[i] != T{7}) {
      EXPECT_EQ(source[i], result[i]) << "in place";
    }
  }
}

TYPED_TEST(PackedColumnsTest, InPlanesAreTheDefinition) {
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0;
       targets = backend::host::without_widest(targets)) {
    for (std::size_t length = 2; length <= 32; ++length) {
      if (find_short_columns<TypeParam>(ShortColumnsKind::planar, length, targets) == nullptr) continue;
      for (const std::size_t columns : {1, 3, 4, 8, 13, 17, 40}) {
        expect_planar_transforms<TypeParam>(targets, length, columns, columns % 2 == 0);
      }
    }
  }
}

// Two arrays of `columns` columns of reals to their spectra, and back to as many reals times 3 * length.
template <class T>
void expect_real_transforms(std::int64_t targets, std::size_t length, std::size_t columns) {
  const std::size_t half = length / 2 + 1;
  const std::size_t real_step = columns + 3, spectrum_step = 2 * columns + 2;
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  // Ends with the last number, for tools that watch over memory.
  std::vector<T> reals(2 * length * real_step - 3);
  for (T& value : reals) value = static_cast<T>(normal(random));
  std::vector<T> spectrum(2 * half * spectrum_step - 2, T{7});
  std::vector<T> expected = spectrum;
  for (std::size_t array = 0; array < 2; ++array) {
    for (std::size_t i = 0; i < half * columns; ++i) {
      const std::size_t k = i / columns, column = i % columns;
      std::complex<double> sum;
      for (std::size_t j = 0; j < length; ++j) {
        const double turn = static_cast<double>(j * k % length) / static_cast<double>(length);
        sum += static_cast<double>(reals[(array * length + j) * real_step + column]) *
               std::polar(3.0, -2 * std::numbers::pi * turn);
      }
      T* const place = expected.data() + (array * half + k) * spectrum_step + 2 * column;
      place[0] = static_cast<T>(sum.real());
      place[1] = static_cast<T>(sum.imag());
    }
  }
  PackedColumnsCall<T> call;
  call.from = reals.data();
  call.to = spectrum.data();
  call.from_step = static_cast<std::ptrdiff_t>(real_step);
  call.to_step = static_cast<std::ptrdiff_t>(spectrum_step);
  call.columns = columns;
  call.arrays = 2;
  call.from_apart = static_cast<std::ptrdiff_t>(length * real_step);
  call.to_apart = static_cast<std::ptrdiff_t>(half * spectrum_step);
  call.scale = 3;
  find_short_columns<T>(ShortColumnsKind::reals, length, targets)(call);
  const double rounding = sizeof(T) == 4 ? 1e-4 : 1e-13;
  for (std::size_t i = 0; i < spectrum.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(spectrum[i]), static_cast<double>(expected[i]), rounding)
        << length << " reals, " << columns << " columns";
  }
  std::vector<T> back(reals.size(), T{7});
  std::swap(call.from_step, call.to_step);
  std::swap(call.from_apart, call.to_apart);
  call.from = spectrum.data();
  call.to = back.data();
  call.scale = static_cast<T>(1 / (3 * static_cast<double>(length)));
  find_short_columns<T>(ShortColumnsKind::reals_back, length, targets)(call);
  for (std::size_t i = 0; i < back.size(); ++i) {
    const T wanted = i % real_step < columns ? reals[i] : T{7};
    EXPECT_NEAR(static_cast<double>(back[i]), static_cast<double>(wanted), rounding)
        << "back to " << length << " reals, " << columns << " columns";
  }
}

TYPED_TEST(PackedColumnsTest, OfRealsAreTheDefinition) {
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0;
       targets = backend::host::without_widest(targets)) {
    const std::size_t most = backend::host::vector_lanes<TypeParam>(targets);
    for (std::size_t length = 2; length <= 16; ++length) {
      if (find_short_columns<TypeParam>(ShortColumnsKind::reals, length, targets) == nullptr) continue;
      for (std::size_t columns = 1; columns <= most; ++columns) {
        expect_real_transforms<TypeParam>(targets, length, columns);
      }
    }
  }
}

template <class T>
bool has_worker(const std::string& problem, bool streamed = false) {
  const plan::Stage stage = backend::host::in_scalars(program_of(problem, plan::named_limits("host")).stages.back());
  return backend::host::make_short_column_worker<T>(
             stage, {.targets = backend::host::simd_targets(), .streamed = streamed}) != nullptr;
}

TEST(ShortColumns, AreThoseSideBySide) {
  if (find_packed_columns<float>(8, backend::host::simd_targets()) == nullptr) GTEST_SKIP() << "plain code";
  EXPECT_TRUE(has_worker<float>("c2c:f32:8x8"));
  EXPECT_TRUE(has_worker<double>("c2c:f64:30*3x5x7:axes=0"));
  EXPECT_TRUE(has_worker<float>("r2c:f32:8x8"));
  EXPECT_FALSE(has_worker<float>("c2c:f32:8x8:axes=1"));          // rows
  EXPECT_FALSE(has_worker<float>("c2c:f32:8x8:axes=0:in=16,2"));  // apart
  EXPECT_FALSE(has_worker<float>("c2c:f32:17x8:axes=0"));         // no butterfly
  EXPECT_FALSE(has_worker<float>("c2c:f16:8x8:axes=0"));          // halves
  EXPECT_TRUE(has_worker<double>("r2c:f64:8x2:axes=0"));
  EXPECT_TRUE(has_worker<double>("c2r:f64:5*7x2:axes=0"));
  EXPECT_TRUE(has_worker<double>("c2c:f64:8x100:axes=0:in=planar:out=planar"));
  EXPECT_FALSE(has_worker<double>("c2c:f64:8x100:axes=0:in=planar"));  // mixed
  EXPECT_FALSE(has_worker<double>("c2c:f64:16x512:axes=0"));           // in the same sets
  EXPECT_TRUE(has_worker<double>("c2c:f64:16x500:axes=0"));
  EXPECT_FALSE(has_worker<double>("r2c:f64:8x100:axes=0"));         // more than a vector's
  EXPECT_FALSE(has_worker<float>("c2c:f32:8x64:axes=0", true));     // bundles store past the cache
  EXPECT_TRUE(has_worker<float>("c2c:f32:1000*8x3:axes=0", true));  // these could not
}

// So many columns are shared by threads: items give the bits of one call on all of them.
TEST(ShortColumns, OfOneArrayAreSeveralItems) {
  const std::int64_t targets = backend::host::simd_targets();
  const auto kernel = find_packed_columns<float>(16, targets);
  if (kernel == nullptr) GTEST_SKIP() << "plain code";
  constexpr std::size_t columns = 300;  // no multiple of an item's
  const plan::Stage stage = backend::host::in_scalars(first_stage("c2c:f32:16x300:axes=0", plan::named_limits("host")));
  const auto worker = backend::host::make_short_column_worker<float>(stage, {.targets = targets});
  ASSERT_NE(worker, nullptr);
  EXPECT_GT(worker->items(), 1U);
  std::mt19937 random(9);
  std::normal_distribution<float> normal;
  std::vector<float> source(2 * 16 * columns);
  for (float& value : source) value = normal(random);
  std::vector<float> expected(source.size());
  PackedColumnsCall<float> call;
  call.from = source.data();
  call.to = expected.data();
  call.from_step = call.to_step = 2 * columns;
  call.columns = columns;
  kernel(call);
  std::vector<float> result(source.size());
  for (std::uint64_t item = worker->items(); item-- > 0;) {
    worker->run(reinterpret_cast<const std::byte*>(source.data()), reinterpret_cast<std::byte*>(result.data()), item,
                item + 1);
  }
  EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace twiddle::test
