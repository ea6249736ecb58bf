// Strides and bounds of the two stages.
#include "support/symmetric_stages.hpp"

#include "support/stage_list.hpp"

namespace twiddle::test {
namespace {

using plan::Stage;

std::int64_t as_stride(std::uint64_t n) { return static_cast<std::int64_t>(n); }

std::uint64_t kept_columns(const SymmetricLines& lines) {
  return lines.all_columns ? lines.row_length : lines.row_length / 2 + 1;
}
std::uint64_t kept_rows(const SymmetricLines& lines) { return lines.column_length / 2 + 1; }

std::int64_t line_pitch(const SymmetricLines& lines) {
  return as_stride(lines.column_length * lines.row_length / 2 + 3);
}

std::int64_t kept_pitch(const SymmetricLines& lines) { return as_stride(kept_columns(lines) * kept_rows(lines) + 2); }

plan::Bound mirrored(const SymmetricLines& lines, std::uint64_t element_stride) {
  const std::uint64_t period = lines.column_length * lines.row_length;
  const std::uint64_t first = lines.odd ? 1 : 0;
  plan::Bound bound{period / 2 + 1 - first - lines.left_out, as_stride(element_stride), {1, 0}};
  bound.period = period;
  bound.odd = lines.odd;
  bound.first = first;
  bound.end_weight = lines.end_weight;
  return bound;
}

}  // namespace

Stage symmetric_columns(const SymmetricLines& lines) {
  Stage stage;
  stage.length = lines.column_length;
  stage.radices = {static_cast<unsigned>(stage.length)};
  stage.direction = Direction::inverse;
  stage.input_storage.form = plan::Storage::Form::real;
  stage.input_stride = as_stride(lines.row_length);
  stage.output_stride = as_stride(kept_columns(lines));
  stage.loops = {{kept_columns(lines), 1, 1}, {lines.lines, line_pitch(lines), kept_pitch(lines)}};
  stage.load_bound = mirrored(lines, lines.row_length);
  stage.twiddle = plan::StageTwiddle{lines.column_length * lines.row_length, 0, false, lines.odd, lines.means};
  if (lines.means) {
    stage.load_factor = plan::Factor{
        .sequence = plan::Factor::Sequence::oblique, .inputs = lines.column_length, .loop_strides = {0, 0}};
    stage.store_map =
        plan::LineMap{plan::LineMap::Rule::mean_store, lines.column_length, lines.column_length, kept_rows(lines)};
  } else {
    stage.store_bound = plan::Bound{kept_rows(lines), 1, {0, 0}};
  }
  return stage;
}

Stage symmetric_rows(const SymmetricLines& lines) {
  Stage stage;
  stage.length = lines.row_length;
  stage.radices = {static_cast<unsigned>(stage.length)};
  stage.direction = Direction::inverse;
  stage.output_storage.form = plan::Storage::Form::real;
  stage.output_stride = as_stride(lines.column_length);
  stage.output_offset = as_stride(lines.first_row);
  stage.loops = {{kept_rows(lines) - lines.first_row, as_stride(kept_columns(lines)), 1},
                 {lines.lines, kept_pitch(lines), line_pitch(lines)}};
  if (lines.means) {
    stage.load_bound = plan::Bound{kept_columns(lines), 1, {0, 0}};
    stage.load_bound->period = lines.row_length;
  } else if (!lines.all_columns) {
    stage.load_map =
        plan::LineMap{plan::LineMap::Rule::hermitian_load, lines.row_length, kept_columns(lines), lines.row_length};
  }
  stage.store_bound = mirrored(lines, lines.column_length);
  stage.store_bound->offset = as_stride(lines.first_row);
  stage.store_bound->both_halves = lines.column_length % 2 == 0 ? lines.column_length / 2 : lines.column_length;
  return stage;
}

// Of 960 points and of 1260, of the latter not all of which exist.
std::vector<NamedStage> symmetric_line_stages() {
  std::vector<NamedStage> all;
  const auto in_double = [](Stage stage) {
    stage.precision = stage.input_storage.precision = stage.output_storage.precision = Precision::float64;
    return stage;
  };
  all.push_back({"EvenColumns", symmetric_columns({30, 32, 3})});
  all.push_back({"EvenRows", symmetric_rows({30, 32, 3})});
  const SymmetricLines odd_lines{35, 36, 2, true};
  Stage columns_of_odd = symmetric_columns(odd_lines);
  columns_of_odd.input_offset = -1;  // nothing stands at position 0
  all.push_back({"OddColumns", columns_of_odd});
  all.push_back({"OddRows", symmetric_rows(odd_lines)});
  const SymmetricLines pruned_lines{35, 36, 2, true, 300};
  all.push_back({"OddColumnsPruned", in_double(symmetric_columns(pruned_lines))});
  all.push_back({"OddRowsPruned", in_double(symmetric_rows(pruned_lines))});
  all.push_back({"EvenRowsFromTheTenth", symmetric_rows({35, 36, 2, false, 0, 1.75L, true, 9})});
  const SymmetricLines even_means{.column_length = 30, .row_length = 32, .lines = 3, .means = true};
  all.push_back({"EvenColumnsOfMeans", symmetric_columns(even_means)});
  all.push_back({"EvenRowsOfMeans", symmetric_rows(even_means)});
  const SymmetricLines odd_means{.column_length = 35, .row_length = 36, .lines = 2, .odd = true, .means = true};
  all.push_back({"OddColumnsOfMeans", in_double(symmetric_columns(odd_means))});
  return all;
}

}  // namespace twiddle::test
