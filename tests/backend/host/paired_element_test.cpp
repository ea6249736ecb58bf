// Maps whose elements are made together with their mirror images, and copies of halves to the places of these: every
// SIMD target, all storages, in one piece and in many.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "backend/host/any_stage.hpp"

namespace twiddle::test {
namespace {

using plan::Bound;
using plan::LineMap;
using plan::Stage;
using plan::Storage;

using PairedElementTest = AnyStageTargetTest;

// As pairs of neighbouring reals, with gaps, and in halves.
TEST_P(PairedElementTest, AreThoseOfTheirMaps) {
  using enum LineMap::Rule;
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const LineMap::Rule rule : {r2c_store, c2r_load, dht_pairs_store, dct2_pairs_store, dct3_pairs_load}) {
      for (const std::uint64_t n : {2, 4, 6, 50, 1030, 20002}) {
        Stage stage;
        stage.precision = precision;
        stage.load_map = LineMap{rule, n, full_source_count(rule, n), full_count(rule, n), n == 50};
        stage.length = stage.load_map->count;
        stage.mirrored = true;
        stage.scale = 0.5;
        const auto step = static_cast<std::int64_t>(n / 2 + 1);
        stage.input_storage = stage.output_storage = {Storage::Form::interleaved, precision, 0};
        stage.loops = {{3, step, step + 4}};
        EXPECT_TRUE(computes_its_share(stage)) << n;
        stage.input_storage = {Storage::Form::planar, precision, 1};
        stage.output_storage = {Storage::Form::planar, Precision::float16, 3};
        stage.input_stride = 2;
        stage.output_stride = 6;
        stage.loops = {{3, 2 * step, 1}};
        EXPECT_TRUE(computes_its_share(stage)) << n;
        if (!is_half_spectrum(rule)) continue;
        // Of a spectrum the lower frequencies alone are wanted, or there.
        const bool back = rule == c2r_load;
        for (const std::uint64_t frequencies : {n / 5 + 1, n / 2}) {
          (back ? stage.load_map->source_count : stage.load_map->count) = frequencies;
          if (!back) stage.length = frequencies;
          EXPECT_TRUE(computes_its_share(stage)) << n << ", " << frequencies;
        }
      }
    }
  }
}

// The position of pair m's real, or the one that holds it: even reals and then odd ones backwards; and m and n - m, of
// which n is none.
TEST_P(PairedElementTest, HalvesThatMoveToMirrorImages) {
  for (const std::int64_t n : {10, 130, 9002}) {
    const auto count = static_cast<std::uint64_t>(n);
    for (const bool odd : {false, true}) {
      for (const bool loads : {false, true}) {
        for (const auto& [number, part, period] :
             {std::tuple(std::int64_t{4}, std::int64_t{2}, 2 * n - 1), {2, n, 2 * n - 1}, {1, n + 1, 2 * n + 1}}) {
          Stage stage;
          stage.input_storage = stage.output_storage = {Storage::Form::real, Precision::float16, 0};
          stage.loops = {{2, 1, 1}, {count / 2, 2, 2}, {3, n + 3, n + 1}};
          Bound bound{count, 1, {part, number, 0}};
          bound.period = static_cast<std::uint64_t>(period);
          bound.both_halves = 0;
          bound.odd = odd;
          (loads ? stage.load_bound : stage.store_bound) = bound;
          for (std::size_t i = 0; i < 2; ++i) {
            (loads ? stage.loops[i].input_stride : stage.loops[i].output_stride) = i == 0 ? part : number;
          }
          EXPECT_TRUE(computes_its_share(stage)) << n << ", " << part;
        }
      }
    }
  }
}

// Both parts of complex numbers, and their conjugates; and what else a bound leaves, with the other sign.
TEST_P(PairedElementTest, HalvesOfComplexNumbersAndSomeOfThem) {
  for (const std::int64_t rows : {1, 3, 70}) {
    for (const std::int64_t length : {1, 37, 150}) {
      const std::int64_t points = (2 * rows + 1) * length;
      for (const bool loads : {false, true}) {
        for (const bool odd : {false, true}) {
          Stage stage;
          const Storage parts{Storage::Form::planar, Precision::float16, rows * length};
          const Storage together{Storage::Form::interleaved, Precision::float16, 0};
          const std::int64_t step = 2 * rows + 1;
          stage.loops = {{static_cast<std::uint64_t>(rows), length, 1}, {static_cast<std::uint64_t>(length), 1, step}};
          stage.input_storage = parts;
          stage.output_storage = together;
          stage.input_offset = length;
          stage.output_offset = 1;
          Bound bound{static_cast<std::uint64_t>(points / 2 + 1), 1, {1, step}, 1};
          bound.period = static_cast<std::uint64_t>(points);
          bound.both_halves = 0;
          bound.odd = odd;
          (loads ? stage.load_bound : stage.store_bound) = bound;
          if (loads) {
            std::swap(stage.input_storage, stage.output_storage);
            std::swap(stage.input_offset, stage.output_offset);
            for (plan::Loop& loop : stage.loops) std::swap(loop.input_stride, loop.output_stride);
          }
          EXPECT_TRUE(computes_its_share(stage)) << rows << " x " << length;
          stage.input_storage = stage.output_storage = {Storage::Form::real, Precision::float16, 0};
          Bound& some = loads ? *stage.load_bound : *stage.store_bound;
          some.period = 0;
          some.both_halves = 1;
          some.odd = false;
          some.first = static_cast<std::uint64_t>(points / 3);
          stage.scale = odd ? -1 : 1;
          EXPECT_TRUE(computes_its_share(stage)) << rows << " x " << length;
          some.element_stride = 0;
          EXPECT_TRUE(computes_its_share(stage)) << rows << " x " << length;
          (loads ? stage.load_bound : stage.store_bound).reset();
          stage.scale = -1;
          EXPECT_TRUE(computes_its_share(stage)) << rows << " x " << length;
          stage.loops.pop_back();
          EXPECT_TRUE(computes_its_share(stage)) << rows << " x " << length;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, PairedElementTest, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace twiddle::test
