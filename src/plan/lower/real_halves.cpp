// Columns of reals, and rows with mirrored bounds.
#include "plan/lower/real_halves.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "plan/lower/axis_drafts.hpp"

namespace twiddle::plan {
namespace {

bool has_convolution(const std::vector<Leaf>& parts) {
  return std::ranges::any_of(parts, [](const Leaf& part) { return part.convolution.has_value(); });
}

std::vector<Draft> joined(std::vector<Draft> first, std::vector<Draft> then) {
  std::ranges::move(then, std::back_inserter(first));
  return first;
}

// The parts of rows, one stage each, work where elements are; one side of the last part is the line's frequencies,
// unless a map finds these where they are left.
class Halves : AxisDrafts {
 public:
  Halves(const AxisTask& task, Leaf columns, std::vector<Leaf> rows)
      : AxisDrafts(task),
        column_length_(columns.length),
        row_length_(points_ / columns.length),
        half_(columns.length / 2 + 1),
        columns_(draft(std::move(columns), direction_)) {
    for (const Leaf& part : rows) row_parts_.push_back(part.length);
    columns_.input_weight = columns_.output_weight = as_weight(row_length_);
    add_digit(columns_, {row_length_, 1, 1});
    add_rows(std::move(rows));
  }

  // Columns a row apart; between the stages, rows of their frequencies.
  std::vector<Draft> forward() {
    const AxisRule& rule = task_.rule;
    take_columns_first();
    if (rule.load_count) columns_.stage.load_bound = bound(columns_, *rule.load_count, &DraftLoop::input_weight);
    Draft& last = rows_.back();
    if (keeps_to_reals()) {
      columns_.destination = last.source = reals_between();
      columns_.output_part = last.input_part = parts_apart();
      columns_.stage.store_bound->real_first = true;
      last.stage.load_bound = with_first_row_real(last);
    }
    last.destination = task_.destination;
    last.output_weight = at_frequencies(last, &DraftLoop::output_weight);
    last.stage.store_bound = mirrored(last, *rule.store_count, &DraftLoop::output_weight);
    rows_.insert(rows_.begin(), std::move(columns_));
    return std::move(rows_);
  }

  // The same of an extended line, to reals. The twiddle is the columns', so that rows differ by their places alone.
  std::vector<Draft> extended() {
    const AxisRule& rule = task_.rule;
    begin_with_columns();
    columns_.stage.twiddle = StageTwiddle{points_, 0, false, rule.symmetry == Symmetry::odd};
    keep_lower_half(columns_);
    columns_.stage.load_bound = symmetric_bound(columns_, *rule.load_count, &DraftLoop::input_weight);
    Draft& last = rows_.back();
    last.destination = task_.destination;
    last.output_weight = at_frequencies(last, &DraftLoop::output_weight);
    last.stage.store_bound = symmetric_bound(last, *rule.store_count, &DraftLoop::output_weight);
    last.stage.store_bound->both_halves = column_length_ % 2 == 0 ? column_length_ / 2 : column_length_;
    rows_.insert(rows_.begin(), std::move(columns_));
    return std::move(rows_);
  }

  // Rows of every so-manieth frequency.
  std::vector<Draft> backward() {
    const AxisRule& rule = task_.rule;
    take_rows_first();
    Draft& first = rows_.front();
    first.source = task_.source;
    first.input_weight = at_frequencies(first, &DraftLoop::input_weight);
    first.stage.load_bound = mirrored(first, rule.load_map->source_count, &DraftLoop::input_weight);
    if (keeps_to_reals()) {
      first.destination = columns_.source = reals_between();
      first.output_part = columns_.input_part = parts_apart();
      first.stage.store_bound = with_first_row_real(first);
    } else if (rows_.size() == 1) {
      leave_columns_side_by_side();
    }
    if (rule.store_count) columns_.stage.store_bound = bound(columns_, *rule.store_count, &DraftLoop::output_weight);
    rows_.push_back(std::move(columns_));
    return std::move(rows_);
  }

  // Rows keep to their places: that of row i, column j holds what is at j rows' lengths beyond i, or the conjugate of
  // what is as far before the end. More places from block to block of the lower half than a column has leave each
  // frequency of row 0 two of them, both of which it takes.
  std::vector<Draft> backward_in_blocks() {
    take_rows_first();
    const std::int64_t block = as_weight(blocks().apart);
    Draft& rows = rows_.front();
    rows.source = rows.destination = columns_.source = task_.source;
    rows.input_weight = rows.output_weight = block;
    rows.loops.front().input_weight = rows.loops.front().output_weight = 1;
    Bound both = bound(rows, blocks().places, &DraftLoop::input_weight);
    both.period = 2 * blocks().places - 1;
    both.both_halves = 0;
    rows.stage.load_bound = rows.stage.store_bound = both;
    columns_.input_weight = 1;
    columns_.loops.front() = {row_length_ / 2 + 1, task_.dimension, block, 1};
    // The others are conjugates, whose transforms in the other direction are the same reals.
    Draft upper = columns_;
    upper.stage.direction = opposite(direction_);
    upper.input_weight = -1;
    upper.begin = {task_.dimension, (as_weight(row_length_ / 2) - 1) * block + as_weight(column_length_),
                   as_weight(row_length_ / 2 + 1)};
    upper.loops.front() = {row_length_ / 2, task_.dimension, -block, 1};
    columns_.beside.push_back(std::move(upper));
    rows_.push_back(std::move(columns_));
    return std::move(rows_);
  }

  // Reals to reals by way of their spectrum: rows stay where the columns leave them, and the map behind finds them
  // there.
  std::vector<Draft> by_spectrum() {
    const AxisRule& rule = task_.rule;
    std::vector<Draft> drafts;
    take_columns_first();
    const bool permuted = rule.load_map && !reordered(rule.load_map->rule);
    if (permuted) {
      columns_.source.extents[task_.dimension] = points_;
      drafts.push_back(map(*rule.load_map, task_.source, columns_.source));
    } else if (rule.load_map) {
      columns_.stage.load_bound = reorder(columns_, &DraftLoop::input_weight, rule.load_map->source_count,
                                          rule.load_map->rule == LineMap::Rule::dst2_load);
    } else if (rule.load_count) {
      columns_.stage.load_bound = bound(columns_, *rule.load_count, &DraftLoop::input_weight);
    }
    LineMap after = of_halves(*rule.store_map);
    after.source_count = half_ * row_length_;
    drafts.push_back(std::move(columns_));
    drafts = joined(std::move(drafts), std::move(rows_));
    drafts.push_back(map(after, drafts.back().destination, task_.destination));
    return drafts;
  }

  // The mirror image of this.
  std::vector<Draft> from_spectrum() {
    const AxisRule& rule = task_.rule;
    take_rows_first();
    LineMap before = of_halves(*rule.load_map);
    before.count = half_ * row_length_;
    columns_.stage.store_bound = reorder(columns_, &DraftLoop::output_weight, rule.store_map->count,
                                         rule.store_map->rule == LineMap::Rule::dst3_store);
    std::vector<Draft> drafts{map(before, task_.source, rows_.front().source)};
    drafts = joined(std::move(drafts), std::move(rows_));
    drafts.push_back(std::move(columns_));
    return drafts;
  }

  [[nodiscard]] SpectrumBlocks blocks() const {
    constexpr std::uint64_t vectors = 16;  // complex numbers: whole ones where that is one part in so many at most
    std::uint64_t apart = (column_length_ + vectors) / vectors * vectors;
    if (apart > column_length_ + column_length_ / vectors) apart = column_length_ + 1;
    return {column_length_, apart, row_length_ / 2 + 1, row_length_ / 2 * apart + half_};
  }

 private:
  // By decimation in frequency: loop 0 is the part of a row's position that is still to come, where there is any, then
  // come the rows and the digits of the frequencies that are there.
  void add_rows(std::vector<Leaf> parts) {
    std::uint64_t below = row_length_;
    std::vector<Digit> upper;
    for (Leaf& part : parts) {
      const std::uint64_t rest = below / part.length;
      const Digit digit{part.length, as_weight(rest), as_weight(rest)};
      Draft row = draft(std::move(part), direction_);
      row.source = row.destination = complex_frame(half_ * row_length_);
      row.input_weight = row.output_weight = as_weight(rest);
      if (rest > 1) {
        add_digit(row, {rest, 1, 1});
        row.stage.twiddle = StageTwiddle{below, 0, false};
      }
      add_digit(row, {half_, as_weight(row_length_), as_weight(row_length_)});
      for (const Digit& done : upper) add_digit(row, done);
      add_other_dimensions(row);
      rows_.push_back(std::move(row));
      upper.push_back(digit);
      below = rest;
    }
  }

  // Whether what is between both stages are as many reals as the line has: rows of real parts, and then imaginary ones
  // of all rows but the first, which is real.
  [[nodiscard]] bool keeps_to_reals() const { return task_.planar_halves && rows_.size() == 1 && !task_.means; }
  [[nodiscard]] std::int64_t parts_apart() const { return as_weight((half_ - 1) * row_length_); }
  [[nodiscard]] Frame reals_between() const {
    Frame frame = complex_frame(points_);
    frame.real = true;
    return frame;
  }
  // Rows are positions, none of which is left out.
  [[nodiscard]] Bound with_first_row_real(const Draft& row) const {
    std::vector<std::int64_t> strides(row.loops.size());
    strides.front() = 1;
    return {.count = half_, .element_stride = 0, .loop_strides = std::move(strides), .real_first = true};
  }

  void begin_with_columns() {
    add_other_dimensions(columns_);
    columns_.source = task_.source;
    columns_.destination = rows_.front().source;
  }

  // The twiddle between columns and rows is that of rows in one stage, which leaves columns as plain transforms of
  // reals; in several stages none has all of a row's positions.
  void take_columns_first() {
    begin_with_columns();
    if (rows_.size() == 1) {
      rows_.front().stage.twiddle = StageTwiddle{points_, 0, true};
    } else {
      columns_.stage.twiddle = StageTwiddle{points_, 0, false};
    }
    keep_lower_half(columns_);
  }

  // Rows in several stages leave their twiddle to the columns, which have only half of their spectrum's elements then
  // and no symmetry: these are weighed, and the real parts of the results are what they would be.
  void take_rows_first() {
    add_other_dimensions(columns_);
    columns_.source = rows_.back().destination;
    columns_.destination = task_.destination;
    if (rows_.size() == 1) {
      rows_.front().stage.twiddle = StageTwiddle{points_, 0, false};
      columns_.stage.load_map = LineMap{LineMap::Rule::hermitian_load, column_length_, half_, column_length_};
      return;
    }
    std::reverse(rows_.begin(), rows_.end());
    for (Draft& row : rows_) {
      if (row.stage.twiddle) row.stage.twiddle->on_load = true;
    }
    columns_.stage.twiddle = StageTwiddle{points_, 0, true};
    columns_.stage.load_factor = Factor{Factor::Sequence::half_spectrum,
                                        column_length_,
                                        half_,
                                        column_length_,
                                        column_length_,
                                        direction_,
                                        1,
                                        std::vector<std::int64_t>(columns_.loops.size())};
  }

  // Between rows and columns of one stage each, the frequencies of each column are neighbours.
  void leave_columns_side_by_side() {
    Draft& rows = rows_.front();
    rows.output_weight = as_weight(half_);
    rows.loops.front().output_weight = 1;
    columns_.input_weight = 1;
    columns_.loops.front().input_weight = as_weight(half_);
  }

  // The loops' weights on that side are those of the line's frequencies; the element's is returned.
  std::int64_t at_frequencies(Draft& row, std::int64_t DraftLoop::*weight) const {
    row.loops.front().*weight = 1;
    std::int64_t digit = as_weight(column_length_);
    for (std::size_t i = 0; i + 1 < row_parts_.size(); ++i) {
      row.loops[1 + i].*weight = digit;
      digit *= as_weight(row_parts_[i]);
    }
    return digit;
  }

  // Whether the map puts even elements in front and then odd ones backwards, which a bound says as well.
  static bool reordered(LineMap::Rule rule) {
    return rule == LineMap::Rule::dct2_load || rule == LineMap::Rule::dst2_load;
  }

  // Element j of the line stands at 2 j, or beyond the end as far before it: of the odd ones `negated`, of `count` that
  // exist.
  Bound reorder(Draft& draft, std::int64_t DraftLoop::*weight, std::uint64_t count, bool negated) const {
    (weight == &DraftLoop::input_weight ? draft.input_weight : draft.output_weight) *= 2;
    for (DraftLoop& loop : draft.loops) {
      if (loop.dimension == task_.dimension) loop.*weight *= 2;
    }
    Bound result = bound(draft, count, weight);
    result.period = 2 * points_ - 1;
    result.both_halves = 0;
    result.odd = negated;
    return result;
  }

  [[nodiscard]] LineMap of_halves(LineMap map) const {
    map.half_columns = column_length_;
    if (row_parts_.size() > 1) map.row_parts = row_parts_;
    return map;
  }

  Draft map(const LineMap& rule, Frame source, Frame destination) const {
    Draft mapped = draft({rule.count, {}}, direction_);
    mapped.stage.load_map = rule;
    mapped.stage.step = prefix_ + ": " + to_string(rule);
    mapped.source = std::move(source);
    mapped.destination = std::move(destination);
    add_other_dimensions(mapped);
    return mapped;
  }

  // The bound of a side of rows whose positions are the line's frequencies, of which `count` exist.
  [[nodiscard]] Bound mirrored(const Draft& row, std::uint64_t count, std::int64_t DraftLoop::*weight) const {
    Bound result = bound(row, count, weight);
    result.period = points_;
    result.both_halves = column_length_;
    return result;
  }

  std::uint64_t column_length_;
  std::uint64_t row_length_;
  std::uint64_t half_;  // frequencies of a column that say everything
  std::vector<std::uint64_t> row_parts_;
  Draft columns_;
  std::vector<Draft> rows_;
};

// Where three parts by convolution or more add their errors up, the mean of both halves of a spectrum makes up for
// them, which is not to be had on the way back where only one half is there: in doubles 67 * 61 * 61 points have 1.096
// times the error of FFTW on devices, two parts at most 1.02 times, and the host has room.
bool adds_up_errors(const std::vector<Leaf>& parts, const DeviceLimits& limits) {
  const auto convolved = std::ranges::count_if(parts, [](const Leaf& part) { return part.convolution.has_value(); });
  return convolved > 2 && limits.shape == DeviceLimits::Shape::on_chip && limits.arithmetic == Precision::float64;
}

Halves with_columns_first(const AxisTask& task, std::vector<Leaf> parts) {
  Leaf columns = std::move(parts.front());
  parts.erase(parts.begin());
  return {task, std::move(columns), std::move(parts)};
}

// Columns and rows, each of one part or more.
Halves halves_of(const AxisTask& task, const LineRecipe& line) {
  constexpr std::size_t shortest_column = 16;  // what is kept of it beyond half is one part in so many
  std::vector<Leaf> parts = leaves(line);
  // Half as many lines by convolution are worth more.
  if (!has_convolution(parts) && parts.front().length < shortest_column) {
    std::iter_swap(parts.begin(), std::ranges::max_element(parts, {}, &Leaf::length));
  }
  return with_columns_first(task, std::move(parts));
}

// Columns of an extended line are most of its work, above all where they are carried out for each part of their results
// (repeat_first.hpp).
Halves extended_of(const AxisTask& task, const LineRecipe& line) {
  return with_columns_first(task, leaves_from_plainest(line));
}

}  // namespace

bool keeps_halves(const AxisTask& task, const LineRecipe& line, const DeviceLimits& limits) {
  if (limits.strategy != Strategy{} || task.rule.points % 2 == 0) return false;
  const std::vector<Leaf> parts = leaves(line);
  if (parts.size() < 2) return false;
  if (task.rule.store_map) {
    return task.source.real && has_spectrum_of_reals(task.rule) &&
           (task.rule.direction == Direction::forward || !adds_up_errors(parts, limits));
  }
  if (task.rule.load_map) return task.rule.load_map->rule == LineMap::Rule::hermitian_load;
  const auto& wanted = task.rule.store_count;  // others than half of the spectrum behind a real axis of one point
  return task.source.real && !task.destination.real && !task.rule.packed_input && wanted &&
         *wanted <= task.rule.points / 2 + 1;
}

std::vector<Draft> emit_halves(const AxisTask& task, const LineRecipe& line) {
  Halves halves = halves_of(task, line);
  if (task.rule.store_map) {
    return task.rule.direction == Direction::inverse ? halves.from_spectrum() : halves.by_spectrum();
  }
  return task.rule.load_map ? halves.backward() : halves.forward();
}

std::vector<Draft> emit_extended(const AxisTask& task, const LineRecipe& line) {
  return extended_of(task, line).extended();
}

std::optional<SpectrumBlocks> spectrum_blocks(const AxisTask& task, const LineRecipe& line) {
  const AxisRule& rule = task.rule;
  if (!task.halves || !rule.load_map || rule.store_map || rule.store_count || leaves(line).size() != 2) {
    return std::nullopt;
  }
  if (rule.load_map->source_count != full_source_count(rule.load_map->rule, rule.load_map->length)) return std::nullopt;
  return halves_of(task, line).blocks();
}

std::vector<Draft> emit_halves_in_blocks(const AxisTask& task, const LineRecipe& line) {
  return halves_of(task, line).backward_in_blocks();
}

}  // namespace twiddle::plan
