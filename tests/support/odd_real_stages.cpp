// Stages by hand of odd numbers of reals that keep to their places, and of what multiplies and moves their frequencies.
#include <algorithm>
#include <iterator>

#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/shape.hpp"
#include "support/stage_list.hpp"

namespace twiddle::test {
namespace {

using plan::Bound;
using plan::Factor;
using plan::Stage;
using plan::Storage;

constexpr Storage reals{Storage::Form::real, Precision::float32, 0};

Storage parts(std::int64_t apart) { return {Storage::Form::planar, Precision::float32, apart}; }

// Columns of an odd number of reals: real parts of their frequencies, and imaginary ones of all but the first, in the
// places of the reals.
Stage real_columns(std::uint64_t length, std::int64_t columns) {
  const auto count = static_cast<std::uint64_t>(columns);
  const std::uint64_t half = length / 2;
  Stage stage;
  stage.length = length;
  stage.input_stride = stage.output_stride = columns;
  stage.loops = {{count, 1, 1},
                 {2, static_cast<std::int64_t>(length) * columns, static_cast<std::int64_t>(length) * columns}};
  stage.input_storage = reals;
  stage.output_storage = parts(static_cast<std::int64_t>(half) * columns);
  stage.twiddle = plan::StageTwiddle{length * count, 0, false};
  stage.store_bound = Bound{.count = half + 1, .loop_strides = {0, 0}, .real_first = true};
  return stage;
}

// The other way.
Stage to_real_columns(Stage stage) {
  std::swap(stage.input_storage, stage.output_storage);
  stage.store_bound.reset();
  stage.direction = Direction::inverse;
  stage.twiddle->on_load = true;
  stage.load_bound = Bound{.count = stage.length / 2 + 1, .loop_strides = {0, 0}};
  stage.load_factor = Factor{.sequence = Factor::Sequence::half_spectrum,
                             .length = stage.length,
                             .inputs = stage.length / 2 + 1,
                             .direction = Direction::inverse,
                             .loop_strides = {0, 0}};
  return stage;
}

// Rows whose imaginary parts are as many rows behind, multiplied by turns of their frequencies, as decimation leaves
// these.
Stage turned_rows(std::uint64_t length, Factor::Sequence sequence, bool stores) {
  const auto row = static_cast<std::int64_t>(length);
  constexpr std::int64_t rows = 4;
  Stage stage;
  stage.length = length;
  stage.loops = {{rows, row, row}};
  stage.input_offset = stage.output_offset = row;
  stage.input_storage = stage.output_storage = parts(rows * row);
  const std::uint64_t points = (2 * rows + 1) * length;
  Factor turns{
      .sequence = sequence, .length = points, .element_stride = 2 * rows + 1, .loop_strides = {1}, .offset = 1};
  if (!stores) turns.direction = stage.direction = Direction::inverse;
  (stores ? stage.store_factor : stage.load_factor) = turns;
  return stage;
}

// A row of reals that become frequencies, or are made of them, with their turns.
Stage turned_reals(std::uint64_t length, bool stores) {
  Stage stage = real_columns(length, 1);
  stage.loops.erase(stage.loops.begin());
  stage.twiddle.reset();
  stage.store_bound->loop_strides = {0};
  Factor turns{.sequence = Factor::Sequence::quarter_turn,
               .length = 99 * length,
               .element_stride = 9,
               .loop_strides = {0},
               .first_weight = 0.75L};
  if (stores) {
    stage.store_factor = turns;
    return stage;
  }
  std::swap(stage.input_storage, stage.output_storage);
  stage.load_bound = Bound{.count = length / 2 + 1, .loop_strides = {0}};
  stage.store_bound.reset();
  turns.sequence = Factor::Sequence::half_spectrum_turn;
  turns.direction = stage.direction = Direction::inverse;
  stage.load_factor = turns;
  return stage;
}

// Rows of frequencies, whose parts are apart, to the lower half of a spectrum in order.
Stage moved_rows(std::int64_t rows, std::int64_t length) {
  const std::int64_t points = (2 * rows + 1) * length;
  Stage stage;
  stage.input_storage = parts(rows * length);
  stage.input_offset = length;
  stage.output_offset = 1;
  stage.loops = {{static_cast<std::uint64_t>(rows), length, 1}, {static_cast<std::uint64_t>(length), 1, 2 * rows + 1}};
  stage.store_bound = Bound{.count = static_cast<std::uint64_t>(points / 2 + 1), .loop_strides = {1, 2 * rows + 1}};
  stage.store_bound->offset = 1;
  stage.store_bound->period = static_cast<std::uint64_t>(points);
  stage.store_bound->both_halves = 0;
  return stage;
}

}  // namespace

std::vector<NamedStage> odd_real_stages(const DeviceLimits& limits) {
  using Sequence = Factor::Sequence;
  std::vector<NamedStage> all;
  for (const std::uint64_t length : {9, 45}) {
    const Stage forward = real_columns(length, 7);
    all.push_back({"RealColumns", forward});
    all.push_back({"RealColumnsInPlace", in_place(forward)});
    all.push_back({"RealColumnsBack", to_real_columns(forward)});
    all.push_back({"RealColumnsBackInPlace", in_place(to_real_columns(forward))});
    all.push_back({"TurnedReals", turned_reals(length, true)});
    all.push_back({"TurnedRealsBack", turned_reals(length, false)});
    for (const Sequence sequence :
         {Sequence::quarter_turn, Sequence::eighth_turns, Sequence::alternating_eighth_turns}) {
      all.push_back({"TurnedRows", in_place(turned_rows(length, sequence, true))});
      all.push_back({"TurnedRowsBack", turned_rows(length, sequence, false)});
    }
  }
  all.push_back({"MovedRows", moved_rows(3, 20)});
  std::ranges::move(symmetric_place_stages(), std::back_inserter(all));
  std::vector<NamedStage> result;
  for (NamedStage& named : all) {
    if (limits.local_memory == 0 && (named.stage.load_map || named.stage.store_map)) continue;  // elsewhere by itself
    if (named.stage.length > 1) {
      const auto choice = plan::choose_radices(named.stage.length, 1, limits);
      if (!choice) continue;
      named.stage.radices = choice->radices;
    }
    named.stage.shape = plan::choose_shape(named.stage, limits);
    result.push_back(std::move(named));
  }
  return result;
}

}  // namespace twiddle::test
