// Columns of reals, two of which are symmetric, and rows of half of their points.
#include "plan/lower/moved_symmetric_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "plan/lower/axis_drafts.hpp"
#include "plan/lower/leaves.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

class SymmetricInPlaces : AxisDrafts {
 public:
  SymmetricInPlaces(const AxisTask& task, Leaf columns, Leaf rows, bool first_moves)
      : AxisDrafts(task),
        odd_(task.rule.symmetry == Symmetry::odd),
        first_moves_(first_moves),
        columns_(std::move(columns)),
        rows_(std::move(rows)),
        count_(columns_.length),
        half_(count_ / 2),
        q_(rows_.length),
        has_middle_(count_ % 2 == 0),
        first_(odd_ ? 1 : 0),
        ascending_(odd_ || has_middle_),
        part_(ascending_ ? -as_weight(q_) : as_weight(q_)),
        row_step_(-2 * part_) {}

  [[nodiscard]] LineInPlaces run(long double scale) const {
    LineInPlaces result;
    Draft columns = inner_columns();
    columns.beside.push_back(outer_columns());
    columns.reorders = columns.beside.front().reorders = true;
    Draft rows = complex_rows();
    rows.beside.push_back(first_row());
    if (has_middle_) rows.beside.push_back(middle_row());
    rows.stage.scale = scale;
    for (Draft& row : rows.beside) row.stage.scale = scale;
    if (!first_moves_) {
      result.before = move_inner_columns();
      result.before->beside.push_back(move_outer_columns());
    }
    result.stages = {std::move(columns), std::move(rows)};
    result.behind = move_complex_rows();
    result.behind->beside.push_back(move_first_row());
    if (has_middle_) result.behind->beside.push_back(move_middle_row());
    return result;
  }

 private:
  // Of element `element` of the real parts of a frequency's row; that of frequency 0 of odd lines has no element 0.
  [[nodiscard]] std::int64_t place(std::uint64_t row, std::int64_t element) const {
    const std::int64_t begin = odd_ ? -1 : ascending_ ? 0 : as_weight(2 * half_ * q_);
    return begin + as_weight(row) * row_step_ + element;
  }
  // Columns between the symmetric ones, and how many elements of these there are in memory.
  [[nodiscard]] std::uint64_t inner() const { return q_ - 1; }
  [[nodiscard]] std::uint64_t outer() const { return odd_ ? count_ - 1 : count_ + 1; }
  [[nodiscard]] std::uint64_t existing() const { return *task_.rule.load_count; }

  [[nodiscard]] Draft in_places(const Leaf& leaf, Direction direction) const {
    Draft result = draft(leaf, direction);
    result.source = result.destination = task_.destination;
    return result;
  }

  // Of whose elements all are in memory, by themselves or as mirror images.
  [[nodiscard]] Draft inner_columns() const {
    Draft columns = in_places(columns_, direction_);
    columns.begin = {task_.dimension, first_moves_ ? 1 : 1 - first_, place(0, 1)};
    columns.input_weight = as_weight(first_moves_ ? 2 * q_ : q_);
    columns.output_weight = row_step_;
    columns.output_part = part_;
    add_digit(columns, {inner(), 1, 1});
    add_other_dimensions(columns);
    const std::vector<std::int64_t> no_strides(columns.loops.size());
    Stage& stage = columns.stage;
    if (first_moves_) stage.load_bound = line_bound(columns, &DraftLoop::input_weight, 1);
    if (inner() > 1) stage.twiddle = StageTwiddle{points_, 0};
    // The first of them is column 1.
    stage.store_factor = Factor{.sequence = odd_ ? Factor::Sequence::odd_half_turn : Factor::Sequence::half_turn,
                                .length = points_ / 2,
                                .inputs = half_ + 1,
                                .direction = direction_,
                                .loop_strides = no_strides};
    stage.store_bound =
        Bound{.count = half_ + 1, .loop_strides = no_strides, .real_first = true, .imaginary_last = has_middle_};
    return columns;
  }

  // Each is every other element of the symmetric line of 2 n1 points that both are, whose elements lie q apart.
  [[nodiscard]] Draft outer_columns() const {
    Draft columns = in_places(columns_, direction_);
    columns.begin = {task_.dimension, 0, place(0, 0) + first_};
    columns.input_weight = as_weight(2 * q_);
    columns.output_weight = row_step_;
    add_digit(columns, {2, as_weight(q_), odd_ ? -as_weight(q_) : as_weight(q_)});
    add_other_dimensions(columns);
    Bound line = symmetric_bound(columns, existing(), &DraftLoop::input_weight);
    line.count = outer() + static_cast<std::uint64_t>(first_);
    line.element_stride = 2;
    line.loop_strides.front() = 1;
    line.period = 2 * count_;
    columns.stage.load_bound = std::move(line);
    columns.stage.twiddle = StageTwiddle{2 * count_, 0, false, odd_};
    columns.stage.store_bound = outer_results(columns);
    return columns;
  }

  // Where rows ascend, results that their places, q apart, are within the line for; else all of both columns'.
  [[nodiscard]] Bound outer_results(const Draft& columns) const {
    Bound result{.count = half_ + 1, .loop_strides = std::vector<std::int64_t>(columns.loops.size())};
    if (!ascending_) return result;
    result.count = outer() + static_cast<std::uint64_t>(first_);
    result.element_stride = 2;
    result.loop_strides.front() = odd_ ? -1 : 1;
    result.first = static_cast<std::uint64_t>(first_);
    return result;
  }

  // Rows of frequencies that are neither the first nor the middle one. Both real ends of each are one number, which is
  // the first, or of even lines with a middle the last.
  [[nodiscard]] std::uint64_t complex_row_count() const { return has_middle_ ? half_ - 1 : half_; }
  [[nodiscard]] bool ends_are_last() const { return has_middle_ && !odd_; }
  [[nodiscard]] std::int64_t complex_row_begin() const { return place(1, ends_are_last() ? 1 : 0); }

  [[nodiscard]] Draft complex_rows() const {
    Draft rows = in_places(rows_, direction_);
    rows.begin = {task_.dimension, complex_row_begin(), complex_row_begin()};
    rows.input_part = rows.output_part = part_;
    add_digit(rows, {complex_row_count(), row_step_, row_step_});
    add_other_dimensions(rows);
    const Rule rule = ends_are_last() ? Rule::half_spectrum_shifted_load : Rule::half_spectrum_load;
    rows.stage.load_map = LineMap{rule, 2 * q_, q_, q_};
    return rows;
  }

  // Of the middle row imaginary parts are there, and the end that is not zero: behind them, or of odd lines before
  // them.
  [[nodiscard]] std::int64_t middle_begin() const { return as_weight((2 * half_ - 1) * q_) + (odd_ ? -1 : 1); }

  [[nodiscard]] Draft middle_row() const {
    Draft row = in_places(rows_, Direction::inverse);
    row.begin = {task_.dimension, middle_begin(), middle_begin()};
    add_other_dimensions(row);
    row.stage.load_map = LineMap{odd_ ? Rule::dst3_row_load : Rule::dct3_row_load, q_, q_, q_};
    row.stage.store_map = LineMap{odd_ ? Rule::dst3_store : Rule::dct3_store, q_, q_, q_};
    return row;
  }

  [[nodiscard]] Draft move_middle_row() const {
    Draft moved = copy();
    moved.begin = {task_.dimension, middle_begin(), as_weight(half_) - first_};
    add_digit(moved, {q_, 1, as_weight(count_)});
    add_other_dimensions(moved);
    return moved;
  }

  [[nodiscard]] Draft first_row() const {
    const std::uint64_t n = first_row_length();
    Draft row = in_places(rows_, Direction::forward);
    row.begin = {task_.dimension, place(0, first_), place(0, first_)};
    add_other_dimensions(row);
    row.stage.load_map = LineMap{odd_ ? Rule::dst1_half_load : Rule::dct1_half_load, n, n, q_};
    row.stage.store_map = LineMap{odd_ ? Rule::dst1_half_store : Rule::dct1_half_store, n, q_, n};
    row.stage.store_map->orthogonal = task_.rule.weighted_ends;
    return row;
  }
  [[nodiscard]] std::uint64_t first_row_length() const { return odd_ ? q_ - 1 : q_ + 1; }

  [[nodiscard]] Draft copy() const {
    Draft result = in_places({1, {}}, direction_);
    result.stage.step = fmt::format("{}: copy", task_.name);
    return result;
  }

  // Positions of the line, from `offset` on, on that side of a draft.
  [[nodiscard]] Bound line_bound(const Draft& draft, std::int64_t DraftLoop::*weight, std::int64_t offset) const {
    Bound result = symmetric_bound(draft, existing(), weight);
    result.offset = offset;
    result.both_halves = 0;
    result.end_weight = 1;
    return result;
  }

  [[nodiscard]] Draft move_inner_columns() const {
    Draft moved = copy();
    moved.begin = {task_.dimension, 1, 1 - first_};
    add_digit(moved, {inner(), 1, 1});
    add_digit(moved, {count_, as_weight(2 * q_), as_weight(q_)});
    add_other_dimensions(moved);
    moved.stage.load_bound = line_bound(moved, &DraftLoop::input_weight, 1);
    return moved;
  }

  // These stand where they belong.
  [[nodiscard]] Draft move_outer_columns() const {
    Draft moved = copy();
    const std::int64_t begin = odd_ ? as_weight(q_) - 1 : 0;
    moved.begin = {task_.dimension, begin, begin};
    add_digit(moved, {outer(), as_weight(q_), as_weight(q_)});
    add_other_dimensions(moved);
    return moved;
  }

  [[nodiscard]] Draft move_complex_rows() const {
    Draft moved = copy();
    moved.begin = {task_.dimension, complex_row_begin(), 1};
    add_digit(moved, {2, part_, as_weight(count_)});
    add_digit(moved, {q_, 1, as_weight(2 * count_)});
    add_digit(moved, {complex_row_count(), row_step_, 1});
    add_other_dimensions(moved);
    moved.stage.store_bound = line_bound(moved, &DraftLoop::output_weight, 1);
    return moved;
  }

  [[nodiscard]] Draft move_first_row() const {
    Draft moved = copy();
    moved.begin = {task_.dimension, place(0, first_), odd_ ? as_weight(count_) - 1 : 0};
    add_digit(moved, {first_row_length(), 1, as_weight(count_)});
    add_other_dimensions(moved);
    return moved;
  }

  bool odd_;  // the line
  bool first_moves_;
  Leaf columns_;
  Leaf rows_;            // of half of the points
  std::uint64_t count_;  // points of a column, n1
  std::uint64_t half_;
  std::uint64_t q_;
  bool has_middle_;     // a frequency of columns that is real as the first one is
  std::int64_t first_;  // position of the line that memory begins with
  bool ascending_;      // rows by frequencies
  std::int64_t part_;   // from real parts to imaginary ones
  std::int64_t row_step_;
};

// The part with half of its points, where their number is even.
std::optional<Leaf> halved(Leaf leaf) {
  if (leaf.length % 2 != 0 || leaf.direct) return std::nullopt;
  leaf.length /= 2;
  leaf.to_spectrum.clear();
  if (leaf.convolution) return leaf;  // of more points than needed
  const auto smallest_even = [](unsigned a, unsigned b) { return std::pair(a % 2, a) < std::pair(b % 2, b); };
  const auto radix = std::ranges::min_element(leaf.radices, smallest_even);
  *radix /= 2;
  if (*radix == 1) leaf.radices.erase(radix);
  return leaf;
}

}  // namespace

std::optional<LineInPlaces> symmetric_in_places(const AxisTask& task, const LineRecipe& line, bool first_moves,
                                                long double scale) {
  const AxisRule& rule = task.rule;
  if (rule.symmetry == Symmetry::none || task.paired || !task.source.order.empty()) return std::nullopt;
  const std::uint64_t all = rule.symmetry == Symmetry::odd ? rule.points / 2 - 1 : rule.points / 2 + 1;
  std::vector<Leaf> parts = leaves(line);
  if (parts.size() != 2 || rule.load_count != all || rule.store_count != all) return std::nullopt;
  if (parts[1].length % 2 != 0) std::swap(parts[0], parts[1]);
  const std::uint64_t least_row = rule.symmetry == Symmetry::odd ? 3 : 2;  // so that row 0 has more than one real
  std::optional<Leaf> rows = halved(std::move(parts[1]));
  constexpr std::uint64_t least_columns = 3;  // of which one row is complex
  if (!rows || rows->length < least_row || parts[0].length < least_columns) return std::nullopt;
  return SymmetricInPlaces(task, std::move(parts[0]), std::move(*rows), first_moves).run(scale);
}

}  // namespace twiddle::plan
