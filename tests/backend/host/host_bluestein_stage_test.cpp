// Stages of Bluestein's algorithm through memory on the host engine: columns at either end of the padded line, and rows
// there and back in between.
#include <gtest/gtest.h>

#include "backend/host/any_stage.hpp"
#include "backend/host/stage_case.hpp"
#include "plan/recipe/host_radices.hpp"

namespace twiddle::test {
namespace {

using plan::Bound;
using plan::Factor;
using plan::Stage;
using plan::Storage;

class HostBluesteinStageTest : public AnyStageTargetTest {
 protected:
  // Columns of the padded line.
  Stage columns(std::size_t rows, std::size_t count, Precision precision) const {
    Stage stage = column_stage(engine(), rows, count, static_cast<std::int64_t>(count));
    stage.precision = stage.input_storage.precision = stage.output_storage.precision = precision;
    return stage;
  }
};

struct Shape {
  std::size_t rows;
  std::size_t columns;
};

// Lines that fill half of the padded one: whole rows of columns, and some columns with an element more than others;
// fewer elements than columns.
std::vector<std::uint64_t> lengths(const Shape& shape) {
  const std::uint64_t half = shape.rows / 2 * shape.columns;
  return {half, half - shape.columns / 2 - 1, half - 3, shape.columns - 3};
}

constexpr Shape shapes[] = {{8, 32}, {16, 37}, {60, 64}, {100, 48}};
constexpr Precision precisions[] = {Precision::float32, Precision::float64, Precision::extended};

TEST_P(HostBluesteinStageTest, FirstColumns) {
  for (const Precision precision : precisions) {
    for (const Shape& shape : shapes) {
      for (const std::uint64_t n : lengths(shape)) {
        const auto step = static_cast<std::int64_t>(shape.columns);
        const std::uint64_t padded = shape.rows * shape.columns;
        Stage stage = columns(shape.rows, shape.columns, precision);
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
          stage.direction = direction;
          stage.load_factor = Factor{Factor::Sequence::chirp, n, n, n, padded, direction, step, {1}};
          stage.twiddle = plan::StageTwiddle{padded, 0, false};
          EXPECT_TRUE(computes_its_share(stage));
          Stage part = stage;
          part.load_bound = Bound{n - n / 3, step, {1}};
          EXPECT_TRUE(computes_its_share(part));
          part.input_storage.form = Storage::Form::real;
          EXPECT_TRUE(computes_its_share(part));
          Stage half = stage;
          half.load_factor->sequence = Factor::Sequence::half_spectrum_chirp;
          half.load_factor->inputs = n / 2 + 1;
          EXPECT_TRUE(computes_its_share(half));
        }
        // Two lines one behind the other, of which the second has other values.
        stage.loops.push_back({2, static_cast<std::int64_t>(padded), static_cast<std::int64_t>(padded)});
        stage.load_factor->loop_strides.push_back(static_cast<std::int64_t>(n / 2));
        EXPECT_TRUE(computes_its_share(stage));
      }
    }
  }
}

TEST_P(HostBluesteinStageTest, LastColumns) {
  for (const Precision precision : precisions) {
    for (const Shape& shape : shapes) {
      for (const std::uint64_t n : lengths(shape)) {
        const auto step = static_cast<std::int64_t>(shape.columns);
        const std::uint64_t padded = shape.rows * shape.columns;
        Stage stage = columns(shape.rows, shape.columns, precision);
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
          stage.direction = direction;
          stage.twiddle = plan::StageTwiddle{padded, 0, true};
          stage.store_factor = Factor{Factor::Sequence::chirp, n, n, n, padded, direction, step, {1}};
          stage.scale = 0.375;
          EXPECT_TRUE(computes_its_share(stage));
          Stage part = stage;
          part.store_bound = Bound{n - n / 3, step, {1}};
          EXPECT_TRUE(computes_its_share(part));
          part.output_storage.form = Storage::Form::real;
          EXPECT_TRUE(computes_its_share(part));
        }
        stage.loops.push_back({2, static_cast<std::int64_t>(padded), static_cast<std::int64_t>(padded)});
        stage.store_factor->loop_strides.push_back(0);
        stage.twiddle->hermitian = true;
        EXPECT_TRUE(computes_its_share(stage));
      }
    }
  }
}

// Rows of odd and even lengths, by one radix and several, one behind the other and with gaps.
TEST_P(HostBluesteinStageTest, RowsThereAndBack) {
  for (const Precision precision : precisions) {
    for (const std::size_t n : {5, 8, 24, 45, 121, 256, 750, 2048}) {
      const std::uint64_t rows = 7;
      Stage stage = row_stage(engine(), n, rows);
      stage.precision = stage.input_storage.precision = stage.output_storage.precision = precision;
      const std::uint64_t padded = rows * n;
      const std::uint64_t length = padded / 2;
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        stage.direction = direction;
        stage.store_factor = Factor{Factor::Sequence::chirp_spectrum, length, length, length, padded, direction,
                                    static_cast<std::int64_t>(rows),  {1}};
        stage.returns = true;
        stage.scale = 1.0L / static_cast<long double>(padded);
        EXPECT_TRUE(computes_its_share(stage));
        Stage in_place = stage;
        in_place.destination = in_place.source;
        in_place.loops[0].input_stride = in_place.loops[0].output_stride = static_cast<std::int64_t>(n) + 3;
        in_place.loops.push_back({2, static_cast<std::int64_t>(8 * n + 24), static_cast<std::int64_t>(8 * n + 24)});
        in_place.store_factor->loop_strides.push_back(0);
        EXPECT_TRUE(computes_its_share(in_place));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, HostBluesteinStageTest, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace twiddle::test
