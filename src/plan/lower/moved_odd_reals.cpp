// Columns of reals, complex rows whose parts are apart, and what is around them for each kind of transform.
#include "plan/lower/moved_odd_reals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "plan/lower/axis_drafts.hpp"
#include "plan/lower/leaves.hpp"
#include "plan/lower/real_order.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

// What the frequencies are multiplied by so that their parts are reals of the line.
enum class Turn {
  none,
  quarter,   // of cosine and sine transforms: up to a quarter turn along the line
  diagonal,  // of Hartley's: by 1 + i
  eighths    // of dct4 and dst4: one or several of them, another number for each frequency
};

struct OddKind {
  bool to_spectrum = true;
  bool reals_read = true;
  bool reals_written = true;
  std::optional<RealOrder> reals{};        // of the reals before they are transformed, or behind it: else as they are
  std::optional<RealOrder> frequencies{};  // of the reals that frequencies become, or are made of
  bool shifted = false;                    // instead, both orders are those of quarter_shifted(); of sines `backwards`
  bool backwards = false;
  Turn turn = Turn::none;
  bool orthogonal = false;
};

std::optional<OddKind> kind_of(const AxisTask& task) {
  const AxisRule& rule = task.rule;
  const std::uint64_t n = rule.points;
  const std::uint64_t half = n / 2 + 1;
  const auto has = [](const std::optional<LineMap>& map, Rule wanted) {
    return map && map->rule == wanted && map->half_columns == 0 && is_whole(*map);
  };
  if (n % 2 == 0 || rule.first_map || rule.load_count || rule.packed_input || rule.packed_output || rule.lone_real ||
      rule.symmetry != Symmetry::none || !task.source.order.empty()) {
    return std::nullopt;
  }
  const bool real_source = task.source.real;
  const bool real_destination = task.destination.real;
  if (!rule.load_map && real_source && !real_destination && task.destination.extents[task.dimension] == half &&
      (has(rule.store_map, Rule::two_spectra_store) || (!rule.store_map && rule.store_count == half))) {
    return OddKind{.reals_written = false};
  }
  if (rule.store_count) return std::nullopt;
  if (!rule.store_map && !real_source && real_destination && task.source.extents[task.dimension] == half &&
      (has(rule.load_map, Rule::two_spectra_load) || has(rule.load_map, Rule::hermitian_load))) {
    return OddKind{.to_spectrum = false, .reals_read = false};
  }
  if (!real_source || !real_destination) return std::nullopt;
  if (!rule.load_map && has(rule.store_map, Rule::dht_store)) {
    return OddKind{.frequencies = mirrored(n, false, false), .turn = Turn::diagonal};
  }
  for (const bool sine : {false, true}) {
    if (has(rule.load_map, sine ? Rule::dst4_odd_load : Rule::dct4_odd_load) &&
        has(rule.store_map, sine ? Rule::dst4_odd_store : Rule::dct4_odd_store)) {
      return OddKind{.shifted = true, .backwards = sine, .turn = Turn::eighths};
    }
    const bool orthogonal = rule.load_map && rule.load_map->orthogonal;
    OddKind kind{.reals = reordered(n, sine),
                 .frequencies = mirrored(n, true, sine),
                 .turn = Turn::quarter,
                 .orthogonal = orthogonal};
    if (has(rule.load_map, sine ? Rule::dst2_load : Rule::dct2_load) &&
        has(rule.store_map, sine ? Rule::dst2_store : Rule::dct2_store)) {
      return kind;
    }
    kind.to_spectrum = false;
    if (has(rule.load_map, sine ? Rule::dst3_load : Rule::dct3_load) &&
        has(rule.store_map, sine ? Rule::dst3_store : Rule::dct3_store)) {
      return kind;
    }
  }
  return std::nullopt;
}

// Level i has the line of reals that is row 0 of that before, of digits_[i].at * digits_[i].count points; its rows from
// 1 on are complex lines.
class OddLine : AxisDrafts {
 public:
  OddLine(const AxisTask& task, const LineRecipe& line, const OddKind& kind)
      : AxisDrafts(task), kind_(kind), parts_(leaves(line)), digits_(reversed_digits(line)) {}

  [[nodiscard]] LineInPlaces run(bool first_moves, long double scale) const {
    LineInPlaces result;
    for (std::size_t i = 0; i < parts_.size(); ++i) result.stages.push_back(pass(i));
    multiply(result.stages.back());
    if (!kind_.to_spectrum) std::ranges::reverse(result.stages);
    (kind_.to_spectrum ? result.behind : result.before) = move_frequencies();
    std::optional<Draft>& move_reals = kind_.to_spectrum ? result.before : result.behind;
    if (kind_.shifted) {
      move_reals = move_runs();
    } else if (kind_.reals && kind_.to_spectrum && first_moves) {
      read_reordered(result.stages.front());
    } else if (kind_.reals) {
      move_reals = move_reordered();
    }
    scale_all(result.stages.back(), scale);
    return result;
  }

 private:
  // As many reals as the line has.
  [[nodiscard]] Frame between() const {
    Frame frame = kind_.reals_written ? task_.destination : task_.source;
    frame.extents[task_.dimension] = points_;
    return frame;
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

  // Those of the complex lines that the rows of a level are.
  [[nodiscard]] Draft complex_pass(std::size_t level, std::size_t rows) const {
    Draft columns = columns_of(level);
    columns.input_part = columns.output_part = parts_apart(rows);
    const std::int64_t row = digits_[rows].at;
    columns.begin = {task_.dimension, row, row};
    add_digit(columns, {half(rows), row, row});
    for (std::size_t done = rows + 1; done < level; ++done) {
      add_digit(columns, {digits_[done].count, digits_[done].at, digits_[done].at});
    }
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
    if (kind_.turn == Turn::none) return;
    set_turns(last, last.beside.size());
    for (std::size_t rows = 0; rows < last.beside.size(); ++rows) set_turns(last.beside[rows], rows);
    // Each frequency stands for two, of which the Hartley transform's factor has both.
    if (kind_.turn != Turn::diagonal && kind_.to_spectrum) scale_all(last, 2);
  }

  // Of the rows of a level, or of the reals of the last one.
  void set_turns(Draft& draft, std::size_t rows) const {
    const bool reals = rows + 1 == parts_.size();
    Factor factor{.sequence = Factor::Sequence::diagonal, .element_stride = 0};
    factor.loop_strides.resize(draft.loops.size());
    if (kind_.turn != Turn::diagonal) {
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
      if (kind_.turn == Turn::eighths) {
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
  std::vector<Leaf> parts_;
  std::vector<ReversedDigit> digits_;
};

}  // namespace

std::optional<LineInPlaces> odd_reals_in_places(const AxisTask& task, const LineRecipe& line, bool first_moves,
                                                long double scale) {
  const std::optional<OddKind> kind = kind_of(task);
  if (!kind || leaves(line).size() < 2) return std::nullopt;
  return OddLine(task, line, *kind).run(first_moves, scale);
}

}  // namespace twiddle::plan
