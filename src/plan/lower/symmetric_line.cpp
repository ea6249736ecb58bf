// Columns with mirrored loads, and rows with mirrored stores.
#include "plan/lower/symmetric_line.hpp"

#include <utility>

#include "plan/lower/axis_drafts.hpp"

namespace twiddle::plan {
namespace {

class SymmetricLine : AxisDrafts {
 public:
  SymmetricLine(const AxisTask& task, Leaf columns, Leaf rows)
      : AxisDrafts(task),
        column_length_(columns.length),
        row_length_(rows.length),
        kept_columns_(rows.length / 2 + 1),
        kept_rows_(columns.length / 2 + 1),
        columns_(draft(std::move(columns), direction_)),
        rows_(draft(std::move(rows), direction_)) {}

  std::vector<Draft> run() {
    columns_.source = task_.source;
    columns_.destination = rows_.source = complex_frame(kept_columns_ * kept_rows_);
    rows_.destination = task_.destination;
    load_columns();
    store_rows();
    return {std::move(columns_), std::move(rows_)};
  }

 private:
  void load_columns() {
    columns_.input_weight = as_weight(row_length_);
    columns_.output_weight = as_weight(kept_columns_);
    add_digit(columns_, {kept_columns_, 1, 1});
    add_other_dimensions(columns_);
    columns_.stage.load_bound = symmetric_bound(columns_, *task_.rule.load_count, &DraftLoop::input_weight);
    columns_.stage.twiddle = StageTwiddle{points_, 0, false, task_.rule.symmetry == Symmetry::odd};
    keep_lower_half(columns_);
  }

  void store_rows() {
    rows_.output_weight = as_weight(column_length_);
    add_digit(rows_, {kept_rows_, as_weight(kept_columns_), 1});
    add_other_dimensions(rows_);
    if (task_.means) {
      rows_.stage.load_bound = Bound{kept_columns_, 1, std::vector<std::int64_t>(rows_.loops.size())};
      rows_.stage.load_bound->period = row_length_;
    } else {
      rows_.stage.load_map = LineMap{LineMap::Rule::hermitian_load, row_length_, kept_columns_, row_length_};
    }
    rows_.stage.store_bound = symmetric_bound(rows_, *task_.rule.store_count, &DraftLoop::output_weight);
    rows_.stage.store_bound->both_halves = column_length_ % 2 == 0 ? column_length_ / 2 : column_length_;
  }

  std::uint64_t column_length_;
  std::uint64_t row_length_;
  std::uint64_t kept_columns_;
  std::uint64_t kept_rows_;
  Draft columns_;
  Draft rows_;
};

}  // namespace

std::vector<Draft> emit_symmetric(const AxisTask& task, const LineRecipe& line) {
  std::vector<Leaf> parts = task.means ? leaves_from_plainest(line) : leaves(line);
  return SymmetricLine(task, std::move(parts[0]), std::move(parts[1])).run();
}

}  // namespace twiddle::plan
