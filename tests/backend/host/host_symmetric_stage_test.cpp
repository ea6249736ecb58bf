// The stages of even and odd lines on the host engine: lengths, precisions, what exists, hooks.
#include <gtest/gtest.h>

#include <utility>

#include "backend/host/any_stage.hpp"
#include "backend/host/stage_case.hpp"
#include "plan/recipe/host_radices.hpp"
#include "support/symmetric_stages.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

using plan::Stage;

class HostSymmetricStageTest : public AnyStageTargetTest {
 protected:
  void expect_right(Stage stage, Precision precision) {
    stage.precision = stage.input_storage.precision = stage.output_storage.precision = precision;
    if (!stage.convolution) stage.radices = plan::host_radices(stage.length, engine().info().limits);
    EXPECT_TRUE(computes_its_share(stage));
  }

  void expect_right(const SymmetricLines& lines, Precision precision) {
    expect_right(symmetric_columns(lines), precision);
    expect_right(symmetric_rows(lines), precision);
  }
};

// Lengths of either parity, rows and columns enough and too few to fill vectors, and lengths without real butterflies.
TEST_P(HostSymmetricStageTest, Lengths) {
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const std::uint64_t columns : {2, 3, 8, 16, 35, 60}) {
      for (const std::uint64_t rows : {2, 6, 15, 17, 64, 150}) {
        if (columns * rows % 2 != 0) continue;
        for (const bool odd : {false, true}) {
          expect_right({columns, rows, 3, odd}, precision);
          expect_right({.column_length = columns, .row_length = rows, .lines = 3, .odd = odd, .means = true},
                       precision);
        }
      }
    }
  }
}

TEST_P(HostSymmetricStageTest, LinesOfWhichSomeExists) {
  for (const bool odd : {false, true}) {
    for (const std::uint64_t left_out : {1, 7, 500, 1240}) {
      expect_right({50, 50, 2, odd, left_out}, Precision::float32);
      expect_right({27, 100, 2, odd, left_out}, Precision::float64);
    }
  }
}

TEST_P(HostSymmetricStageTest, WeightsOfEnds) {
  for (const std::uint64_t columns : {2, 3, 8, 35}) {
    for (const std::uint64_t rows : {2, 6, 17, 64}) {
      if (columns * rows % 2 != 0) continue;
      expect_right({columns, rows, 3, false, 0, 1.75L}, Precision::float32);
      expect_right({columns, rows, 2, false, 1, 0.75L}, Precision::float64);
    }
  }
}

TEST_P(HostSymmetricStageTest, RowsFromAnyOneOn) {
  for (const std::uint64_t columns : {16, 35, 60}) {
    for (const std::uint64_t first : {1, 5, 8}) {
      for (const bool odd : {false, true}) {
        expect_right(symmetric_rows({columns, 64, 2, odd, 7, 1, true, first}), Precision::float32);
        expect_right(symmetric_rows({columns, 6, 3, odd, 0, 1, false, first}), Precision::float64);
      }
      expect_right(symmetric_rows({columns, 64, 2, false, 0, 1.75L, true, first}), Precision::float32);
    }
  }
}

TEST_P(HostSymmetricStageTest, OtherStoragesAndHooks) {
  using Form = plan::Storage::Form;
  Hook hook;
  hook.function = [](std::complex<double> value, std::uint64_t index) {
    return value * (1.0 + 0.001 * static_cast<double>(index)) + std::complex<double>(0, 0.5);
  };
  const auto shared = std::make_shared<const Hook>(hook);
  for (const bool odd : {false, true}) {
    const SymmetricLines lines{30, 40, 2, odd};
    for (const Form form : {Form::real, Form::planar, Form::interleaved}) {
      Stage columns = symmetric_columns(lines);
      columns.input_storage = {form, Precision::float32, form == Form::planar ? 2000 : 0};
      Stage rows = symmetric_rows(lines);
      rows.output_storage = {form, Precision::float32, form == Form::planar ? 2000 : 0};
      expect_right(columns, Precision::float32);
      expect_right(rows, Precision::float32);
      columns.load_hook = plan::StageHook{shared, 1};
      rows.store_hook = plan::StageHook{shared, 1};
      rows.scale = 0.25L;
      expect_right(columns, Precision::float32);
      expect_right(rows, Precision::float32);
    }
  }
}

// By convolution, whose element 0 Rader's algorithm keeps apart.
TEST_P(HostSymmetricStageTest, ColumnsByConvolution) {
  for (const bool odd : {false, true}) {
    for (const auto& [points, means] : {std::pair(112, false), {256, false}, {112, true}, {256, true}}) {
      Stage stage = symmetric_columns({.column_length = 113, .row_length = 40, .lines = 2, .odd = odd, .means = means});
      stage.convolution = plan::Convolution{
          points == 112 ? plan::Convolution::Algorithm::rader : plan::Convolution::Algorithm::bluestein,
          static_cast<std::uint64_t>(points)};
      stage.radices = points == 112 ? std::vector<unsigned>{16, 7} : std::vector<unsigned>{16, 16};
      expect_right(stage, Precision::float64);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, HostSymmetricStageTest, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace twiddle::test
