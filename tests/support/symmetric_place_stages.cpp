// Stages by hand of an even or odd line of reals that keep to their places (moved_symmetric_line.hpp).
#include <fmt/format.h>

#include <string>

#include "support/stage_list.hpp"

namespace twiddle::test {
namespace {

using plan::Bound;
using plan::Factor;
using plan::LineMap;
using plan::Stage;
using plan::StageTwiddle;
using plan::Storage;

constexpr Storage real_storage{Storage::Form::real, Precision::float32, 0};

// Two lines that lie one after the other, of columns of `count` reals, and rows of frequencies of `half_row` places.
struct Line {
  std::uint64_t count;
  std::int64_t half_row;
  bool odd;

  [[nodiscard]] bool has_middle() const { return count % 2 == 0; }
  [[nodiscard]] bool ascends() const { return odd || has_middle(); }
  [[nodiscard]] std::uint64_t half() const { return count / 2; }
  [[nodiscard]] std::int64_t first() const { return odd ? 1 : 0; }
  [[nodiscard]] std::int64_t reals() const { return static_cast<std::int64_t>(count) * half_row + 1 - 2 * first(); }
  [[nodiscard]] std::int64_t part() const { return ascends() ? -half_row : half_row; }
  [[nodiscard]] std::int64_t row(std::uint64_t frequency) const {
    const std::int64_t begin = odd ? -1 : ascends() ? 0 : static_cast<std::int64_t>(2 * half()) * half_row;
    return begin - 2 * part() * static_cast<std::int64_t>(frequency);
  }
  [[nodiscard]] plan::Loop lines() const { return {2, reals(), reals()}; }
};

Stage columns_of(const Line& line) {
  Stage stage;
  stage.length = line.count;
  stage.direction = Direction::inverse;
  stage.input_storage = stage.output_storage = real_storage;
  stage.output_stride = -2 * line.part();
  return stage;
}

// The columns between the two symmetric ones.
Stage inner_columns(const Line& line) {
  Stage stage = columns_of(line);
  stage.input_stride = line.half_row;
  stage.input_offset = 1 - line.first();
  stage.output_offset = line.row(0) + 1;
  stage.output_storage = {Storage::Form::planar, Precision::float32, line.part()};
  stage.loops = {{static_cast<std::uint64_t>(line.half_row) - 1, 1, 1}, line.lines()};
  const std::uint64_t points = 2 * line.count * static_cast<std::uint64_t>(line.half_row);
  stage.twiddle = StageTwiddle{points, 0};
  stage.store_factor = Factor{.sequence = line.odd ? Factor::Sequence::odd_half_turn : Factor::Sequence::half_turn,
                              .length = points / 2,
                              .inputs = line.half() + 1,
                              .direction = Direction::inverse,
                              .loop_strides = {0, 0}};
  stage.store_bound =
      Bound{.count = line.half() + 1, .loop_strides = {0, 0}, .real_first = true, .imaginary_last = line.has_middle()};
  return stage;
}

// Both symmetric ones.
Stage outer_columns(const Line& line) {
  Stage stage = columns_of(line);
  stage.input_stride = 2 * line.half_row;
  stage.input_offset = -line.first();
  stage.output_offset = line.row(0);
  stage.loops = {{2, line.half_row, line.odd ? -line.half_row : line.half_row}, line.lines()};
  stage.twiddle = StageTwiddle{2 * line.count, 0, false, line.odd};
  Bound places{.count = line.count + (line.odd ? 0 : 1), .element_stride = 2, .loop_strides = {1, 0}};
  places.first = static_cast<std::uint64_t>(line.first());
  stage.load_bound = places;
  stage.load_bound->period = 2 * line.count;
  stage.load_bound->odd = line.odd;
  stage.store_bound = places;
  if (line.odd) stage.store_bound->loop_strides.front() = -1;
  if (!line.ascends()) stage.store_bound = Bound{.count = line.half() + 1, .loop_strides = {0, 0}};
  return stage;
}

// Rows of frequencies but the first and the middle one, to as many reals.
Stage rows_of(const Line& line) {
  const auto points = static_cast<std::uint64_t>(line.half_row);
  const bool ends_last = line.has_middle() && !line.odd;
  Stage stage;
  stage.length = points;
  stage.direction = Direction::inverse;
  stage.input_offset = stage.output_offset = line.row(1) + (ends_last ? 1 : 0);
  stage.input_storage = stage.output_storage = {Storage::Form::planar, Precision::float32, line.part()};
  stage.loops = {{line.half() - (line.has_middle() ? 1 : 0), -2 * line.part(), -2 * line.part()}, line.lines()};
  using Rule = LineMap::Rule;
  const Rule rule = ends_last ? Rule::half_spectrum_shifted_load : Rule::half_spectrum_load;
  stage.load_map = LineMap{rule, 2 * points, points, points};
  return stage;
}

// The row of the middle frequency.
Stage middle_row(const Line& line) {
  const auto points = static_cast<std::uint64_t>(line.half_row);
  Stage stage;
  stage.length = points;
  stage.direction = Direction::inverse;
  stage.input_offset = stage.output_offset =
      static_cast<std::int64_t>(2 * line.half() - 1) * line.half_row + (line.odd ? -1 : 1);
  stage.input_storage = stage.output_storage = real_storage;
  stage.loops = {line.lines()};
  using Rule = LineMap::Rule;
  stage.load_map = LineMap{line.odd ? Rule::dst3_row_load : Rule::dct3_row_load, points, points, points};
  stage.store_map = LineMap{line.odd ? Rule::dst3_store : Rule::dct3_store, points, points, points};
  return stage;
}

}  // namespace

std::vector<NamedStage> symmetric_place_stages() {
  std::vector<NamedStage> all;
  for (const std::uint64_t count : {9, 45, 8, 40}) {
    for (const bool odd : {false, true}) {
      const Line line{count, count < 10 ? 6 : 5, odd};
      const auto add = [&](const char* name, const Stage& stage) {
        const std::string full = fmt::format("{}{}Of{}", name, odd ? "Odd" : "Even", count);
        all.push_back({full, stage});
        all.push_back({full + "InPlace", in_place(stage)});
      };
      add("Inner", inner_columns(line));
      add("Outer", outer_columns(line));
      add("Rows", rows_of(line));
      if (line.has_middle()) add("Middle", middle_row(line));
    }
  }
  return all;
}

}  // namespace twiddle::test
