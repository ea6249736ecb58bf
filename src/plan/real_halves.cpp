// Columns of reals, and rows with mirrored bounds.
#include "plan/real_halves.hpp"

#include <utility>
#include <variant>

#include "plan/axis_drafts.hpp"

namespace twiddle::plan {
namespace {

class Halves : AxisDrafts {
 public:
  Halves(const AxisTask& task, Leaf columns, Leaf rows)
      : AxisDrafts(task),
        column_length_(columns.length),
        row_length_(rows.length),
        half_(columns.length / 2 + 1),
        columns_(draft(std::move(columns), direction_)),
        rows_(draft(std::move(rows), direction_)) {}

  // Columns a row apart; between the stages, rows of their frequencies.
  std::vector<Draft> forward() {
    const AxisRule& rule = task_.rule;
    place(columns_, rows_);
    columns_.input_weight = columns_.output_weight = as_weight(row_length_);
    add_digit(columns_, {row_length_, 1, 1});
    rows_.output_weight = as_weight(column_length_);
    add_digit(rows_, {half_, as_weight(row_length_), 1});
    finish_loops();
    if (rule.load_count) columns_.stage.load_bound = bound(columns_, *rule.load_count, &DraftLoop::input_weight);
    columns_.stage.store_bound = Bound{half_, 1, std::vector<std::int64_t>(columns_.loops.size())};
    rows_.stage.twiddle = StageTwiddle{points_, 0, true};
    rows_.stage.store_bound = mirrored(*rule.store_count, &DraftLoop::output_weight);
    return {std::move(columns_), std::move(rows_)};
  }

  // Rows of every so-manieth frequency; between the stages, the frequencies of each column side by side.
  std::vector<Draft> backward() {
    const AxisRule& rule = task_.rule;
    place(rows_, columns_);
    rows_.input_weight = as_weight(column_length_);
    rows_.output_weight = as_weight(half_);
    add_digit(rows_, {half_, 1, 1});
    columns_.output_weight = as_weight(row_length_);
    add_digit(columns_, {row_length_, as_weight(half_), 1});
    finish_loops();
    rows_.stage.load_bound = mirrored(rule.load_map->source_count, &DraftLoop::input_weight);
    rows_.stage.twiddle = StageTwiddle{points_, 0, false};
    columns_.stage.load_map = LineMap{LineMap::Rule::hermitian_load, column_length_, half_, column_length_};
    if (rule.store_count) columns_.stage.store_bound = bound(columns_, *rule.store_count, &DraftLoop::output_weight);
    return {std::move(rows_), std::move(columns_)};
  }

 private:
  void place(Draft& first, Draft& last) const {
    first.source = task_.source;
    first.destination = last.source = complex_frame(half_ * row_length_);
    last.destination = task_.destination;
  }

  void finish_loops() {
    add_other_dimensions(columns_);
    add_other_dimensions(rows_);
  }

  // The bound of the rows' side whose positions are the line's frequencies, of which `count` exist.
  [[nodiscard]] Bound mirrored(std::uint64_t count, std::int64_t DraftLoop::*weight) const {
    Bound result = bound(rows_, count, weight);
    result.period = points_;
    result.both_halves = column_length_;
    return result;
  }

  std::uint64_t column_length_;
  std::uint64_t row_length_;
  std::uint64_t half_;  // frequencies of a column that say everything
  Draft columns_;
  Draft rows_;
};

}  // namespace

bool keeps_halves(const AxisTask& task, const LineRecipe& line, const DeviceLimits& limits) {
  const auto* parts = std::get_if<FourStep>(&line.algorithm);
  if (parts == nullptr || limits.strategy != Strategy{} || task.rule.points % 2 == 0) return false;
  if (!chip_leaf(*parts->columns) || !chip_leaf(*parts->rows)) return false;
  if (task.rule.load_map) return task.rule.load_map->rule == LineMap::Rule::hermitian_load;
  return task.source.real && !task.destination.real && !task.rule.packed_input;
}

std::vector<Draft> emit_halves(const AxisTask& task, const LineRecipe& line) {
  const auto& parts = std::get<FourStep>(line.algorithm);
  Halves halves(task, *chip_leaf(*parts.columns), *chip_leaf(*parts.rows));
  return task.rule.load_map ? halves.backward() : halves.forward();
}

}  // namespace twiddle::plan
