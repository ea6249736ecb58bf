// Columns of reals, complex rows whose parts are apart, and what is around them for each kind of transform.
#include "plan/lower/moved_odd_reals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "plan/lower/axis_drafts.hpp"
#include "plan/lower/leaves.hpp"
#include "plan/lower/odd_kind.hpp"
#include "plan/lower/real_order.hpp"

namespace twiddle::plan {
namespace {

// Level i has the line of reals that is row 0 of that before, of digits_[i].at * digits_[i].count points; its rows from
// 1 on are complex lines.
class OddLine : AxisDrafts {
 public:
  OddLine(const AxisTask& task, const LineRecipe& line, const OddKind& kind, const std::vector<Draft>& others)
      : AxisDrafts(task), kind_(kind), others_(others), parts_(leaves(line)), digits_(reversed_digits(line)) {
    extents_ = task.source.extents;  // each line by itself
  }

  [[nodiscard]] LineInPlaces run(bool first_moves, long double scale) const {
    LineInPlaces result;
    for (std::size_t i = 0; i < parts_.size(); ++i) result.stages.push_back(pass(i));
    multiply(result.stages.back());
    if (!kind_.to_spectrum) std::ranges::reverse(result.stages);
    scale_all(result.stages.back(), scale);
    if (!others_.empty()) add_others(result.stages);
    (kind_.to_spectrum ? result.behind : result.before) = move_frequencies();
    std::optional<Draft>& move_reals = kind_.to_spectrum ? result.before : result.behind;
    if (kind_.shifted) {
      move_reals = move_runs();
    } else if (kind_.reals && kind_.to_spectrum && first_moves) {
      read_reordered(result.stages.front());
    } else if (kind_.reals) {
      move_reals = move_reordered();
    }
    return result;
  }

 private:
  // As many reals as the line has; beside other axes the first frequency's imaginary part has a place behind them.
  [[nodiscard]] Frame between() const {
    Frame frame = kind_.reals_written ? task_.destination : task_.source;
    frame.extents[task_.dimension] = others_.empty() ? points_ : points_ + 1;
    return frame;
  }

  // Before all of the line's own stages on the way back, and else behind them. The user's reals are as many as there
  // are.
  void add_others(std::vector<Draft>& stages) const {
    if (kind_.to_spectrum) stages.front().source = task_.source;
    if (!kind_.to_spectrum) stages.back().destination = task_.destination;
    std::vector<Draft> moved;
    for (std::size_t i = 0; i < others_.size(); ++i) {
      moved.push_back(
          other_axis(others_[i], kind_.to_spectrum && i == 0, !kind_.to_spectrum && i + 1 == others_.size()));
    }
    stages.insert(kind_.to_spectrum ? stages.end() : stages.begin(), moved.begin(), moved.end());
  }

  // An axis of the frequencies where these stand: the first ones, which are real where the other side are lines of
  // reals, and the rows of all levels.
  [[nodiscard]] Draft other_axis(Draft axis, bool reads_reals, bool writes_reals) const {
    axis.source = axis.destination = between();
    axis.parts_along = task_.dimension;
    std::erase_if(axis.loops, [&](const DraftLoop& loop) { return loop.dimension == task_.dimension; });
    Draft all = axis;
    all.begin = {task_.dimension, 0, 0};
    all.input_part = reads_reals ? 0 : as_weight(points_);
    all.output_part = writes_reals ? 0 : as_weight(points_);
    for (std::size_t rows = 0; rows < digits_.size(); ++rows) add_other_axis(axis, rows, all.beside);
    return all;
  }

  // The same of the rows of a level. What is beyond the middle of the spectrum stands for the conjugate of what is as
  // far before it and at minus the axis's index: its axis goes the other way. Frequencies are beyond the middle whose
  // highest digit is, or the next one where that is the middle.
  void add_other_axis(Draft axis, std::size_t rows, std::vector<Draft>& all) const {
    axis.input_part = axis.output_part = parts_apart(rows);
    std::int64_t middle = digits_[rows].at;  // of all digits so far
    const auto part_from = [&](std::int64_t at, std::size_t end) {
      Draft part = axis;
      part.begin = {task_.dimension, at, at};
      add_rows(part, rows, end);
      return part;
    };
    for (std::size_t digit = digits_.size() - 1; digit > rows; --digit) {
      const std::int64_t at = digits_[digit].at;
      const std::int64_t to_middle = as_weight(half(digit)) * at;
      for (const bool upper : {false, true}) {
        Draft& part = all.emplace_back(part_from(middle + (upper ? to_middle + at : 0), digit));
        add_digit(part, {half(digit), at, at});
        if (upper) part.stage.direction = opposite(part.stage.direction);
      }
      middle += to_middle;
    }
    all.push_back(part_from(middle, rows));
  }

  [[nodiscard]] std::uint64_t half(std::size_t level) const { return digits_[level].count / 2; }
  [[nodiscard]] std::int64_t parts_apart(std::size_t level) const { return as_weight(half(level)) * digits_[level].at; }

  // Columns of the reals of that level, and beside them those of all complex lines.
  [[nodiscard]] Draft pass(std::size_t level) const {
    Draft columns = columns_of(level);
    add_other_dimensions(columns);
    const std::vector<std::int64_t> no_strides(columns.loops.size());
    Stage& stage = columns.stage;
    const std::uint64_t frequencies = half(level) + 1;
    if (kind_.to_spectrum) {
      columns.output_part = parts_apart(level);
      stage.store_bound = Bound{.count = frequencies, .loop_strides = no_strides, .real_first = true};
    } else {
      columns.input_part = parts_apart(level);
      stage.load_bound = Bound{.count = frequencies, .loop_strides = no_strides};
      stage.load_factor = Factor{.sequence = Factor::Sequence::half_spectrum,
                                 .length = stage.length,
                                 .inputs = frequencies,
                                 .direction = direction_,
                                 .loop_strides = no_strides};
    }
    for (std::size_t rows = 0; rows < level; ++rows) columns.beside.push_back(complex_pass(level, rows));
    return columns;
  }

  // The complex lines that the rows of a level are, and digits of their positions up to that one.
  void add_rows(Draft& draft, std::size_t rows, std::size_t end) const {
    add_digit(draft, {half(rows), digits_[rows].at, digits_[rows].at});
    for (std::size_t i = rows + 1; i < end; ++i) add_digit(draft, {digits_[i].count, digits_[i].at, digits_[i].at});
  }

  // Those of the complex lines that the rows of a level are.
  [[nodiscard]] Draft complex_pass(std::size_t level, std::size_t rows) const {
    Draft columns = columns_of(level);
    columns.input_part = columns.output_part = parts_apart(rows);
    const std::int64_t row = digits_[rows].at;
    columns.begin = {task_.dimension, row, row};
    add_rows(columns, rows, level);
    add_other_dimensions(columns);
    return columns;
  }

  [[nodiscard]] Draft columns_of(std::size_t level) const {
    const ReversedDigit& digit = digits_[level];
    Draft columns = draft(parts_[level], direction_);
    columns.source = columns.destination = between();
    columns.input_weight = columns.output_weight = digit.at;
    if (digit.at > 1) {
      const auto rest = static_cast<std::uint64_t>(digit.at);
      add_digit(columns, {rest, 1, 1});
      columns.stage.twiddle = StageTwiddle{rest * digit.count, 0, !kind_.to_spectrum};
    }
    return columns;
  }

  // The frequencies that the last pass makes, or the first one on the way back takes.
  void multiply(Draft& last) const {
    if (kind_.turn == FrequencyTurn::none) return;
    set_turns(last, last.beside.size());
    for (std::size_t rows = 0; rows < last.beside.size(); ++rows) set_turns(last.beside[rows], rows);
    // Each frequency stands for two, of which the Hartley transform's factor has both.
    if (kind_.turn != FrequencyTurn::diagonal && kind_.to_spectrum) scale_all(last, 2);
  }

  // Of the rows of a level, or of the reals of the last one.
  void set_turns(Draft& draft, std::size_t rows) const {
    const bool reals = rows + 1 == parts_.size();
    Factor factor{.sequence = Factor::Sequence::diagonal, .element_stride = 0};
    factor.loop_strides.resize(draft.loops.size());
    if (kind_.turn != FrequencyTurn::diagonal) {
      factor.sequence = Factor::Sequence::quarter_turn;
      factor.length = points_;
      factor.direction = direction_;
      factor.element_stride = digits_.back().belongs;
      factor.offset = reals ? 0 : digits_[rows].belongs;
      for (std::size_t i = 0; !reals && rows + i + 1 < digits_.size(); ++i) {
        factor.loop_strides[i] = digits_[rows + i].belongs;
      }
      const auto root = std::numbers::sqrt2_v<long double>;
      if (kind_.orthogonal) factor.first_weight = kind_.to_spectrum ? 1 / root : root;
      if (reals && !kind_.to_spectrum) factor.sequence = Factor::Sequence::half_spectrum_turn;
      if (kind_.turn == FrequencyTurn::eighths) {
        factor.sequence = kind_.backwards ? Factor::Sequence::alternating_eighth_turns : Factor::Sequence::eighth_turns;
      }
    }
    (kind_.to_spectrum ? draft.stage.store_factor : draft.stage.load_factor) = std::move(factor);
  }

  static void scale_all(Draft& draft, long double scale) {
    draft.stage.scale *= scale;
    for (Draft& beside : draft.beside) beside.stage.scale *= scale;
  }

  [[nodiscard]] Draft copy(bool read_between, std::int64_t at, std::int64_t user) const {
    Draft result = draft({1, {}}, direction_);
    result.stage.step = fmt::format("{}: copy", task_.name);
    result.source = read_between ? between() : task_.source;
    result.destination = read_between ? task_.destination : between();
    result.begin = {task_.dimension, read_between ? at : user, read_between ? user : at};
    return result;
  }

  // The spectrum, or the reals in its place, on the user's side: the first frequency, and the rows of all levels.
  [[nodiscard]] Draft move_frequencies() const {
    if (kind_.shifted) return move_from_middle();
    const bool backwards = kind_.frequencies && kind_.frequencies->backwards;
    const auto user = [&](std::int64_t position) { return backwards ? as_weight(points_) - 1 - position : position; };
    Draft all = copy(kind_.to_spectrum, 0, user(0));
    if (!others_.empty()) (kind_.to_spectrum ? all.input_part : all.output_part) = as_weight(points_);
    add_other_dimensions(all);
    for (std::size_t rows = 0; rows < digits_.size(); ++rows) {
      const ReversedDigit& first = digits_[rows];
      Draft part = copy(kind_.to_spectrum, first.at, user(first.belongs));
      const auto add = [&](std::uint64_t count, std::int64_t at, std::int64_t belongs) {
        const std::int64_t there = backwards ? -belongs : belongs;
        add_digit(part, kind_.to_spectrum ? Digit{count, at, there} : Digit{count, there, at});
      };
      add(half(rows), first.at, first.belongs);
      for (std::size_t i = rows + 1; i < digits_.size(); ++i) add(digits_[i].count, digits_[i].at, digits_[i].belongs);
      if (kind_.frequencies) {
        add(2, parts_apart(rows), as_weight(kind_.frequencies->part));
      } else {
        (kind_.to_spectrum ? part.input_part : part.output_part) = parts_apart(rows);
      }
      add_other_dimensions(part);
      bound_frequencies(part, first.belongs);
      all.beside.push_back(std::move(part));
    }
    return all;
  }

  // Frequency f, beyond the middle minus what is as far before the end, has its parts so far from the middle of the
  // user's line on either side.
  [[nodiscard]] Draft move_from_middle() const {
    Draft all = copy(true, 0, as_weight(points_ / 2));
    add_other_dimensions(all);
    for (std::size_t rows = 0; rows < digits_.size(); ++rows) {
      for (const bool imaginary : {false, true}) {
        for (const bool upper : {false, true}) all.beside.push_back(move_part_from_middle(rows, imaginary, upper));
      }
    }
    return all;
  }

  // One part, of the frequencies up to the middle or of the upper ones.
  [[nodiscard]] Draft move_part_from_middle(std::size_t rows, bool imaginary, bool upper) const {
    const ReversedDigit& digit = digits_[rows];
    const std::int64_t middle = as_weight(points_ / 2);
    const std::int64_t first = upper ? middle + 1 : 0;
    const std::int64_t sign = imaginary ? -1 : 1;
    const std::int64_t zero = middle - (upper ? sign * as_weight(points_) : 0);  // where frequency 0 would be
    // Where memory begins with the bound's first position (bind.cpp).
    Draft part = copy(true, digit.at + (imaginary ? parts_apart(rows) : 0), zero + sign * digit.belongs + first);
    add_digit(part, {half(rows), digit.at, digit.belongs});
    for (std::size_t i = rows + 1; i < digits_.size(); ++i) {
      add_digit(part, {digits_[i].count, digits_[i].at, digits_[i].belongs});
    }
    add_other_dimensions(part);
    Bound within = bound(part, upper ? points_ : points_ / 2 + 1, &DraftLoop::output_weight);
    within.first = static_cast<std::uint64_t>(first);
    within.offset = digit.belongs;
    part.stage.store_bound = std::move(within);
    part.stage.scale = static_cast<long double>(sign);
    part.output_weight = sign;
    for (DraftLoop& loop : part.loops) {
      if (loop.dimension == task_.dimension) loop.output_weight *= sign;
    }
    return part;
  }

  [[nodiscard]] Draft move_runs() const {
    std::optional<Draft> all;
    for (const RealRun& run : quarter_shifted(points_, kind_.backwards)) {
      Draft part = copy(false, run.place, run.user);
      add_digit(part, {run.count, run.user_step, run.place_step});
      add_other_dimensions(part);
      if (run.negated) part.stage.scale = -1;
      if (!all) {
        all = std::move(part);
      } else {
        all->beside.push_back(std::move(part));
      }
    }
    return *all;
  }

  // What is beyond the middle of the spectrum is the conjugate of what is as far before it, or in its place a real.
  void bound_frequencies(Draft& part, std::int64_t offset) const {
    const bool reals = kind_.frequencies.has_value();
    const bool backwards = reals && kind_.frequencies->backwards;
    (kind_.to_spectrum ? part.output_weight : part.input_weight) = backwards ? -1 : 1;
    const auto weight = kind_.to_spectrum ? &DraftLoop::output_weight : &DraftLoop::input_weight;
    Bound result = bound(part, reals ? points_ : points_ / 2 + 1, weight);
    if (backwards) {
      result.element_stride = -result.element_stride;
      for (std::int64_t& stride : result.loop_strides) stride = -stride;
    }
    result.offset = offset;
    result.period = reals ? kind_.frequencies->period : points_;
    result.both_halves = 0;
    result.odd = reals && kind_.frequencies->negated;
    (kind_.to_spectrum ? part.stage.store_bound : part.stage.load_bound) = std::move(result);
  }

  // The reals in another order, on that side of a draft.
  void reorder(Draft& draft, std::int64_t Draft::*weight, std::int64_t DraftLoop::*loop_weight,
               std::optional<Bound> Stage::*side) const {
    const std::int64_t number = as_weight(kind_.reals->number);
    draft.*weight *= number;
    for (DraftLoop& loop : draft.loops) {
      if (loop.dimension == task_.dimension) loop.*loop_weight *= number;
    }
    Bound result = bound(draft, points_, loop_weight);
    result.period = kind_.reals->period;
    result.both_halves = 0;
    result.odd = kind_.reals->negated;
    draft.stage.*side = std::move(result);
  }

  void read_reordered(Draft& first) const {
    first.source = task_.source;
    reorder(first, &Draft::input_weight, &DraftLoop::input_weight, &Stage::load_bound);
  }

  [[nodiscard]] Draft move_reordered() const {
    Draft result = copy(!kind_.to_spectrum, 0, 0);
    add_digit(result, {points_, 1, 1});
    add_other_dimensions(result);
    if (kind_.to_spectrum) {
      reorder(result, &Draft::input_weight, &DraftLoop::input_weight, &Stage::load_bound);
      result.stage.load_bound->element_stride = 1;
      result.input_weight = 1;
    } else {
      reorder(result, &Draft::output_weight, &DraftLoop::output_weight, &Stage::store_bound);
      result.stage.store_bound->element_stride = 1;
      result.output_weight = 1;
    }
    return result;
  }

  const OddKind& kind_;
  const std::vector<Draft>& others_;
  std::vector<Leaf> parts_;
  std::vector<ReversedDigit> digits_;
};

// Complex lines, or a part of each, and nothing else. Its own loops come first, on which twiddles depend.
bool is_plain_axis(const Draft& draft) {
  const Stage& stage = draft.stage;
  return !stage.load_map && !stage.store_map && !stage.load_bound && !stage.store_bound && !stage.load_factor &&
         !stage.store_factor && !draft.packed_input && !draft.packed_output && !draft.source.real &&
         !draft.destination.real && draft.beside.empty();
}

}  // namespace

std::optional<LineInPlaces> odd_reals_in_places(const AxisTask& task, const LineRecipe& line, bool first_moves,
                                                long double scale, const std::vector<Draft>& others) {
  const std::optional<OddKind> kind = odd_kind(task);
  if (!kind || leaves(line).size() < 2) return std::nullopt;
  if (kind->reals_read && kind->reals_written) return OddLine(task, line, *kind, {}).run(first_moves, scale);
  if (!std::ranges::all_of(others, is_plain_axis)) return std::nullopt;
  LineInPlaces result = OddLine(task, line, *kind, others).run(first_moves, scale);
  result.has_other_axes = !others.empty();
  return result;
}

}  // namespace twiddle::plan
