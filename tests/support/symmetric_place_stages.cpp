// Stages by hand of an even or odd line of reals that keep to their places (moved_symmetric_line.hpp).
#include <fmt/format.h>

#include <utility>

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

// Two lines that lie one after the other, of columns of an odd number `count` of reals, and rows of half_row / 2 + 1.
struct Line {
  std::uint64_t count;
  std::int64_t half_row;
  bool odd;

  [[nodiscard]] std::uint64_t half() const { return count / 2; }
  [[nodiscard]] std::int64_t first() const { return odd ? 1 : 0; }
  [[nodiscard]] std::int64_t reals() const { return static_cast<std::int64_t>(count) * half_row + 1 - 2 * first(); }
  [[nodiscard]] std::int64_t part() const { return odd ? -half_row : half_row; }
  [[nodiscard]] std::int64_t row(std::uint64_t frequency) const {
    const std::int64_t begin = odd ? -1 : static_cast<std::int64_t>(2 * half()) * half_row;
    return begin - 2 * part() * static_cast<std::int64_t>(frequency);
  }
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
  stage.loops = {{static_cast<std::uint64_t>(line.half_row) - 1, 1, 1}, {2, line.reals(), line.reals()}};
  const std::uint64_t points = 2 * line.count * static_cast<std::uint64_t>(line.half_row);
  stage.twiddle = StageTwiddle{points, 0};
  stage.store_factor = Factor{.sequence = line.odd ? Factor::Sequence::odd_half_turn : Factor::Sequence::half_turn,
                              .length = points / 2,
                              .inputs = line.half() + 1,
                              .direction = Direction::inverse,
                              .loop_strides = {0, 0}};
  stage.store_bound = Bound{.count = line.half() + 1, .loop_strides = {0, 0}, .real_first = true};
  return stage;
}

// Both symmetric ones.
Stage outer_columns(const Line& line) {
  Stage stage = columns_of(line);
  stage.input_stride = 2 * line.half_row;
  stage.input_offset = -line.first();
  stage.output_offset = line.row(0);
  stage.loops = {{2, line.half_row, line.part()}, {2, line.reals(), line.reals()}};
  stage.twiddle = StageTwiddle{2 * line.count, 0, false, line.odd};
  Bound mirrored{.count = line.count + (line.odd ? 0 : 1), .element_stride = 2, .loop_strides = {1, 0}};
  mirrored.first = static_cast<std::uint64_t>(line.first());
  mirrored.period = 2 * line.count;
  mirrored.odd = line.odd;
  stage.load_bound = mirrored;
  stage.store_bound = Bound{.count = line.half() + 1, .loop_strides = {0, 0}};
  stage.store_bound->first = mirrored.first;
  return stage;
}

// Rows of frequencies but the first, to as many reals.
Stage rows_of(const Line& line) {
  const auto points = static_cast<std::uint64_t>(line.half_row);
  Stage stage;
  stage.length = points;
  stage.direction = Direction::inverse;
  stage.input_offset = stage.output_offset = line.row(1);
  stage.input_storage = stage.output_storage = {Storage::Form::planar, Precision::float32, line.part()};
  stage.loops = {{line.half(), -2 * line.part(), -2 * line.part()}, {2, line.reals(), line.reals()}};
  stage.load_map = LineMap{LineMap::Rule::half_spectrum_load, 2 * points, points, points};
  return stage;
}

}  // namespace

std::vector<NamedStage> symmetric_place_stages() {
  std::vector<NamedStage> all;
  for (const Line& line : {Line{9, 6, false}, Line{9, 6, true}, Line{45, 5, false}, Line{45, 5, true}}) {
    const char* const parity = line.odd ? "Odd" : "Even";
    for (const auto& [name, stage] :
         {std::pair{"Inner", inner_columns(line)}, {"Outer", outer_columns(line)}, {"Rows", rows_of(line)}}) {
      all.push_back({fmt::format("{}{}", name, parity), stage});
      all.push_back({fmt::format("{}{}InPlace", name, parity), in_place(stage)});
    }
  }
  return all;
}

}  // namespace twiddle::test
