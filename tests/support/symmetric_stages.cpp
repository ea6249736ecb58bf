// Strides and bounds of the two stages.
#include "support/symmetric_stages.hpp"

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
  stage.twiddle = plan::StageTwiddle{lines.column_length * lines.row_length, 0, false, lines.odd};
  stage.store_bound = plan::Bound{kept_rows(lines), 1, {0, 0}};
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
  if (!lines.all_columns) {
    stage.load_map =
        plan::LineMap{plan::LineMap::Rule::hermitian_load, lines.row_length, kept_columns(lines), lines.row_length};
  }
  stage.store_bound = mirrored(lines, lines.column_length);
  stage.store_bound->offset = as_stride(lines.first_row);
  stage.store_bound->both_halves = lines.column_length % 2 == 0 ? lines.column_length / 2 : lines.column_length;
  return stage;
}

}  // namespace twiddle::test
