// Short real-to-real lines as products with a matrix: what it is, which lines there are, and that every SIMD target
// multiplies by it and touches nothing else.
#include "backend/host/matrix_line.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "backend/host/pass.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_worker.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {
namespace {

using backend::host::matrix_line;
using backend::host::MatrixLine;
using backend::host::most_matrix_points;

std::vector<std::optional<MatrixLine>> lines_of(const std::string& problem) {
  std::vector<std::optional<MatrixLine>> result;
  for (const plan::Stage& stage : program_of(problem, plan::named_limits("host")).stages) {
    result.push_back(matrix_line(backend::host::in_scalars(stage), most_matrix_points));
  }
  return result;
}

TEST(MatrixLine, IsTheDefinitionTimesTheScale) {
  const auto lines = lines_of("dct2:f64:8:norm=none:factor=3");
  ASSERT_EQ(lines.size(), 1U);
  ASSERT_TRUE(lines[0]);
  ASSERT_EQ(lines[0]->matrix.size(), 64U);
  for (std::size_t k = 0; k < 8; ++k) {
    for (std::size_t j = 0; j < 8; ++j) {
      const long double angle = std::numbers::pi_v<long double> * static_cast<long double>((2 * j + 1) * k) / 16;
      EXPECT_NEAR(static_cast<double>(lines[0]->matrix[k * 8 + j] - 6 * std::cos(angle)), 0, 1e-17) << k << ", " << j;
    }
  }
}

// The rows of an orthogonal matrix are of length 1, and at right angles.
TEST(MatrixLine, IsOrthogonalWhereThatIsSaid) {
  for (const char* kind : {"dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht"}) {
    for (const std::size_t n : {5, 8}) {
      const auto lines = lines_of(std::string(kind) + ":f64:" + std::to_string(n) + ":norm=ortho");
      ASSERT_EQ(lines.size(), 1U) << kind;
      ASSERT_TRUE(lines[0]) << kind << " of " << n;
      const auto& m = lines[0]->matrix;
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
          long double product = 0;
          for (std::size_t i = 0; i < n; ++i) product += m[a * n + i] * m[b * n + i];
          EXPECT_NEAR(static_cast<double>(product), a == b ? 1 : 0, 1e-15) << kind << ": " << a << ", " << b;
        }
      }
    }
  }
}

TEST(MatrixLine, PairsOfLinesAreLines) {
  const auto lines = lines_of("dct2:f32:10*8x8");
  ASSERT_EQ(lines.size(), 2U);
  ASSERT_TRUE(lines[0] && lines[1]);
  EXPECT_EQ(lines[0]->reals.input_stride, 1);
  EXPECT_EQ(lines[0]->reals.loops, (std::vector<plan::Loop>{{80, 8, 8}}));
  EXPECT_EQ(lines[1]->reals.input_stride, 8);
  EXPECT_EQ(lines[1]->reals.loops, (std::vector<plan::Loop>{{8, 1, 1}, {10, 64, 64}}));
}

TEST(MatrixLine, IsNoneOfOtherStages) {
  for (const char* problem : {"c2c:f32:8", "r2c:f32:8", "r2c:f32:2*9", "c2r:f32:8", "dct2:f32:34", "dct2:f16:8",
                              "dct2:f32:8:load=alternate", "dct3:f32:2*8:store=alternate"}) {
    for (const auto& line : lines_of(problem)) EXPECT_FALSE(line) << problem;
  }
}

// Results are the matrix times the lines, elements that belong to no line stay as they are.
template <class T>
void expect_products(const std::string& problem, std::int64_t targets) {
  const plan::Program program = program_of(problem, plan::named_limits("host"));
  for (const plan::Stage& stage : program.stages) {
    const plan::Stage scalars = backend::host::in_scalars(stage);
    const auto line = matrix_line(scalars, most_matrix_points);
    ASSERT_TRUE(line) << problem;
    const auto worker = backend::host::make_matrix_worker<T>(scalars, {.targets = targets});
    ASSERT_NE(worker, nullptr) << problem;
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    std::vector<T> source(1500);
    for (T& value : source) value = static_cast<T>(normal(random));
    std::vector<T> result(1500, T{7});
    const bool in_place = stage.source == stage.destination;
    if (in_place) result = source;
    std::vector<double> expected(result.begin(), result.end());
    std::vector<plan::Loop> loops = line->reals.loops;
    loops.resize(2);
    for (std::uint64_t outer = 0; outer < loops[1].count; ++outer) {
      for (std::uint64_t inner = 0; inner < loops[0].count; ++inner) {
        const auto at = [&](std::int64_t plan::Loop::*stride) {
          return static_cast<std::int64_t>(inner) * loops[0].*stride +
                 static_cast<std::int64_t>(outer) * loops[1].*stride;
        };
        for (std::size_t k = 0; k < line->results; ++k) {
          double sum = 0;
          for (std::size_t j = 0; j < line->inputs; ++j) {
            const auto place = line->reals.input_offset + at(&plan::Loop::input_stride) +
                               static_cast<std::int64_t>(j) * line->reals.input_stride;
            sum += static_cast<double>(line->matrix[k * line->inputs + j]) *
                   static_cast<double>(source[static_cast<std::size_t>(place)]);
          }
          const auto place = line->reals.output_offset + at(&plan::Loop::output_stride) +
                             static_cast<std::int64_t>(k) * line->reals.output_stride;
          expected[static_cast<std::size_t>(place)] = sum;
        }
      }
    }
    const T* const from = in_place ? result.data() : source.data();
    worker->call(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(result.data()));
    const double rounding = sizeof(T) == 4 ? 1e-5 : 1e-14;
    for (std::size_t i = 0; i < result.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(result[i]), expected[i], rounding) << problem << ": " << i;
    }
  }
}

TEST(MatrixLine, EveryTargetMultipliesByIt) {
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0;
       targets = backend::host::without_widest(targets)) {
    for (const char* kind : {"dct2", "dst1", "dht", "dct4"}) {
      for (const std::size_t n : {2, 3, 4, 7, 8}) {
        const std::string length = std::to_string(n);
        const std::string name = std::string(kind) + ":";
        for (const std::string& shape :
             {length, "5*" + length, "70*" + length, length + "x3:axes=0", length + "x37:axes=0",
              "3*" + length + "x16:axes=0", length + "x" + length, "9*" + length + ":inplace",
              length + "x21:axes=0:inplace", "6*" + length + ":in=1/batch=11:out=1/batch=9"}) {
          expect_products<float>(name + "f32:" + shape, targets);
          expect_products<double>(name + "f64:" + shape, targets);
        }
      }
    }
  }
}

// Results of more than a vector are stored over lines that are read again.
TEST(MatrixLine, LongerLinesByWideVectors) {
  const std::int64_t targets = backend::host::simd_targets();
  if (backend::host::vector_lanes<float>(targets) < 16) GTEST_SKIP() << "no vectors of 64 bytes here";
  for (const char* shape : {"24", "9*24", "9*24:inplace", "7*17:inplace", "20x11:axes=0"}) {
    expect_products<float>(std::string("dct2:f32:") + shape, targets);
    expect_products<double>(std::string("dst2:f64:") + shape, targets);
  }
}

// A line that is the only one has kernels of its own, in place as well; of part of its elements, and for part of its
// results.
TEST(MatrixLine, LinesByThemselves) {
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0;
       targets = backend::host::without_widest(targets)) {
    const std::size_t lanes = backend::host::vector_lanes<double>(targets);
    const std::size_t most = lanes >= 4 ? most_matrix_points : lanes >= 2 ? 16 : 8;
    for (std::size_t n = 2; n <= most; ++n) {
      const std::string length = std::to_string(n);
      const std::string part = std::to_string(n / 2 + 1);
      for (const std::string& rest : {std::string(), std::string(":inplace"), ":wanted=" + part, ":nonzero=" + part}) {
        expect_products<float>("dct2:f32:" + length + rest, targets);
        expect_products<double>("dst4:f64:" + length + rest, targets);
      }
    }
  }
}

// They are one call where their results fit registers, which gives the same bits as any other way to execute them.
TEST(MatrixLine, LinesByThemselvesAreOneCall) {
  const std::int64_t targets = backend::host::simd_targets();
  const std::size_t lanes = backend::host::vector_lanes<double>(targets);
  for (const std::size_t n : {7, 16}) {
    if (lanes == 1 && n > 8) continue;  // not a product with a matrix
    const plan::Program program = program_of("dct3:f64:" + std::to_string(n), plan::named_limits("host"));
    const plan::Stage stage = backend::host::in_scalars(program.stages.front());
    const auto worker = backend::host::make_matrix_worker<double>(stage, {.targets = targets});
    ASSERT_NE(worker, nullptr);
    EXPECT_EQ(worker->shortest_call() != worker.get(), n <= 4 * lanes) << n;
    std::vector<double> source(n);
    std::mt19937 random(5);
    for (double& value : source) value = std::normal_distribution<double>()(random);
    std::vector<double> first(n);
    std::vector<double> second(n);
    const auto* const from = reinterpret_cast<const std::byte*>(source.data());
    worker->shortest_call()->call(from, reinterpret_cast<std::byte*>(first.data()));
    worker->run(from, reinterpret_cast<std::byte*>(second.data()), 0, 1);
    EXPECT_EQ(first, second) << n;
  }
}

}  // namespace
}  // namespace twiddle::test
