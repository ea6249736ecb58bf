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

  // Reals to reals by way of their spectrum: rows stay where the columns leave them, and the map behind finds them
  // there.
  std::vector<Draft> by_spectrum() {
    const AxisRule& rule = task_.rule;
    std::vector<Draft> drafts;
    Frame source = task_.source;
    const bool permuted = rule.load_map && !reordered(rule.load_map->rule);
    if (permuted) {
      source.extents[task_.dimension] = points_;
      drafts.push_back(map(*rule.load_map, task_.source, source));
    }
    place(columns_, rows_);
    columns_.source = source;
    rows_.destination = rows_.source;
    columns_.input_weight = columns_.output_weight = as_weight(row_length_);
    add_digit(columns_, {row_length_, 1, 1});
    rows_.input_weight = rows_.output_weight = 1;
    add_digit(rows_, {half_, as_weight(row_length_), as_weight(row_length_)});
    finish_loops();
    if (rule.load_map && !permuted) {
      columns_.stage.load_bound = reorder(columns_, &DraftLoop::input_weight, rule.load_map->source_count,
                                          rule.load_map->rule == LineMap::Rule::dst2_load);
    } else if (rule.load_count) {
      columns_.stage.load_bound = bound(columns_, *rule.load_count, &DraftLoop::input_weight);
    }
    columns_.stage.store_bound = Bound{half_, 1, std::vector<std::int64_t>(columns_.loops.size())};
    rows_.stage.twiddle = StageTwiddle{points_, 0, true};
    LineMap after = *rule.store_map;
    after.half_columns = column_length_;
    after.source_count = half_ * row_length_;
    drafts.push_back(std::move(columns_));
    drafts.push_back(std::move(rows_));
    drafts.push_back(map(after, drafts.back().destination, task_.destination));
    return drafts;
  }

  // The mirror image of this.
  std::vector<Draft> from_spectrum() {
    const AxisRule& rule = task_.rule;
    place(rows_, columns_);
    rows_.source = rows_.destination;
    LineMap before = *rule.load_map;
    before.half_columns = column_length_;
    before.count = half_ * row_length_;
    std::vector<Draft> drafts{map(before, task_.source, rows_.source)};
    rows_.input_weight = rows_.output_weight = 1;
    add_digit(rows_, {half_, as_weight(row_length_), as_weight(row_length_)});
    columns_.input_weight = columns_.output_weight = as_weight(row_length_);
    add_digit(columns_, {row_length_, 1, 1});
    finish_loops();
    rows_.stage.twiddle = StageTwiddle{points_, 0, false};
    columns_.stage.load_map = LineMap{LineMap::Rule::hermitian_load, column_length_, half_, column_length_};
    columns_.stage.store_bound = reorder(columns_, &DraftLoop::output_weight, rule.store_map->count,
                                         rule.store_map->rule == LineMap::Rule::dst3_store);
    drafts.push_back(std::move(rows_));
    drafts.push_back(std::move(columns_));
    return drafts;
  }

 private:
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

  Draft map(const LineMap& rule, Frame source, Frame destination) const {
    Draft mapped = draft({rule.count, {}}, direction_);
    mapped.stage.load_map = rule;
    mapped.stage.step = prefix_ + ": " + to_string(rule);
    mapped.source = std::move(source);
    mapped.destination = std::move(destination);
    add_other_dimensions(mapped);
    return mapped;
  }

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

// Cosine, sine and Hartley transforms: the mean of both halves of a spectrum, which makes up for convolutions, is not
// to be had where only one half is there.
bool has_spectrum_of_reals(const AxisRule& rule, const Leaf& columns, const Leaf& rows) {
  return rule.store_map && rule.real_result && !pairs_reals(rule.store_map->rule) && !rule.first_map &&
         !columns.convolution && !rows.convolution;
}

}  // namespace

bool keeps_halves(const AxisTask& task, const LineRecipe& line, const DeviceLimits& limits) {
  const auto* parts = std::get_if<FourStep>(&line.algorithm);
  if (parts == nullptr || limits.strategy != Strategy{} || task.rule.points % 2 == 0) return false;
  const auto columns = chip_leaf(*parts->columns);
  const auto rows = chip_leaf(*parts->rows);
  if (!columns || !rows) return false;
  if (task.rule.store_map) return task.source.real && has_spectrum_of_reals(task.rule, *columns, *rows);
  if (task.rule.load_map) return task.rule.load_map->rule == LineMap::Rule::hermitian_load;
  return task.source.real && !task.destination.real && !task.rule.packed_input;
}

std::vector<Draft> emit_halves(const AxisTask& task, const LineRecipe& line) {
  constexpr std::size_t shortest_column = 16;  // what is kept of it beyond half is one part in so many
  const auto& parts = std::get<FourStep>(line.algorithm);
  Leaf columns = *chip_leaf(*parts.columns);
  Leaf rows = *chip_leaf(*parts.rows);
  // Half as many lines by convolution are worth more.
  const bool convolved = columns.convolution || rows.convolution;
  if (!convolved && columns.length < shortest_column && columns.length < rows.length) std::swap(columns, rows);
  Halves halves(task, std::move(columns), std::move(rows));
  if (task.rule.store_map) {
    return task.rule.direction == Direction::inverse ? halves.from_spectrum() : halves.by_spectrum();
  }
  return task.rule.load_map ? halves.backward() : halves.forward();
}

}  // namespace twiddle::plan
