// What surrounds the stages of half of the points, for each kind of transform.
#include "plan/lower/moved_reals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "plan/lower/axis_drafts.hpp"
#include "plan/lower/emit.hpp"
#include "plan/lower/leaves.hpp"
#include "plan/lower/moved_first.hpp"
#include "plan/lower/moved_odd_reals.hpp"
#include "plan/lower/moved_symmetric_line.hpp"
#include "plan/lower/real_order.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

bool has_middle(const RealOrder& order) { return order.number == 1; }

// What a line's kind of transform has around its stages.
struct LineKind {
  RealOrder before{};  // of the reals that are read, and written
  RealOrder behind{};
  std::optional<Rule> map{};  // between the points and pairs of results
  bool to_spectrum = true;    // the map is behind the stages, else before them
  bool reals_read = true;     // on the one side there are
  bool reals_written = true;  // and on the other
  bool turned = false;        // of dct4 and dst4: the points are multiplied before and behind the stages
};

std::optional<LineKind> kind_of(const AxisRule& rule) {
  const std::uint64_t n = 2 * rule.points;
  const auto has = [](const std::optional<LineMap>& map, Rule wanted) {
    return map && map->rule == wanted && is_whole(*map);
  };
  if (rule.packed_input && has(rule.store_map, Rule::r2c_store)) {
    return LineKind{.map = Rule::r2c_store, .reals_written = false};
  }
  if (rule.packed_output && has(rule.load_map, Rule::c2r_load)) {
    return LineKind{.map = Rule::c2r_load, .to_spectrum = false, .reals_read = false};
  }
  const auto both = [&](Rule load, Rule store) { return has(rule.load_map, load) && has(rule.store_map, store); };
  if (both(Rule::pairs_load, Rule::dht_half_store) ||
      (rule.packed_input && has(rule.store_map, Rule::dht_half_store))) {
    return LineKind{.behind = mirrored(n, false, false), .map = Rule::dht_pairs_store};
  }
  for (const bool sine : {false, true}) {
    if (both(sine ? Rule::dst2_half_load : Rule::dct2_half_load,
             sine ? Rule::dst2_half_store : Rule::dct2_half_store)) {
      return LineKind{reordered(n, sine), mirrored(n, true, sine), Rule::dct2_pairs_store};
    }
    if (has(rule.first_map, sine ? Rule::dst3_half_before : Rule::dct3_half_before) &&
        both(Rule::half_spectrum_load, sine ? Rule::dst3_half_store : Rule::dct3_half_store)) {
      return LineKind{mirrored(n, true, sine), reordered(n, sine), Rule::dct3_pairs_load, false};
    }
    if (both(sine ? Rule::dst4_half_load : Rule::dct4_half_load,
             sine ? Rule::dst4_half_store : Rule::dct4_half_store)) {
      return LineKind{.before = folded(n, false, sine), .behind = folded(n, !sine, false), .turned = true};
    }
  }
  return std::nullopt;
}

// The drafts of such a line.
class RealLine : AxisDrafts {
 public:
  RealLine(const AxisTask& task, const LineRecipe& line, const LineKind& kind, const RealPlaces& places)
      : AxisDrafts(task),
        line_(line),
        kind_(kind),
        n_(2 * points_),
        digits_(reversed_digits(line)),
        as_reals_(kind.reals_written && (kind.reals_read || !places.of_spectrum)) {}

  // What moves elements before all else, where anything does.
  [[nodiscard]] std::optional<Draft> moves_before(bool by_first_stage, std::uint64_t block) const {
    const bool pairs = kind_.before.period == 0;
    if (!kind_.reals_read || (pairs && by_first_stage)) return std::nullopt;
    return move(true, block);
  }
  [[nodiscard]] std::optional<Draft> moves_behind(std::uint64_t block) const {
    if (!kind_.reals_written) return std::nullopt;
    return move(false, block);
  }

  // What is between, of which the last one multiplies by `scale`. The first one moves elements where it is said to.
  [[nodiscard]] std::vector<Draft> stages(long double scale, bool first_moves) const {
    std::vector<Draft> drafts = transform();
    if (first_moves && kind_.reals_read && kind_.before.period == 0) {
      drafts.front().source = task_.source;
      drafts.front().packed_input = true;
      reverse_own_digits(drafts.front(), digits_);
    }
    if (kind_.turned) {
      turn(drafts.front(), &Stage::load_factor, true);
      turn(drafts.back(), &Stage::store_factor, false);
      drafts.back().stage.scale = 2;
    }
    if (kind_.map) drafts.insert(kind_.to_spectrum ? drafts.end() : drafts.begin(), map());
    drafts.back().stage.scale *= scale;
    return drafts;
  }

 private:
  // Half as many complex numbers as reals, as reals where these are written there.
  [[nodiscard]] Frame between() const {
    Frame frame = as_reals_ ? task_.destination : task_.source;
    if (!as_reals_) frame.extents[task_.dimension] = task_.rule.points;
    frame.real = as_reals_;
    return frame;
  }

  [[nodiscard]] std::vector<Draft> transform() const {
    AxisTask task = task_;
    task.rule = AxisRule{};
    task.rule.points = task_.rule.points;
    task.rule.direction = task_.rule.direction;
    task.halves = task.share_map = task.keeps_places = false;
    task.source.real = false;
    task.source.extents[task_.dimension] = task_.rule.points;
    task.destination = task.source;
    task.unordered = true;
    std::vector<Draft> drafts = kind_.to_spectrum ? decimated_in_time(task, line_) : emit(task, line_);
    for (Draft& draft : drafts) {
      draft.source = draft.destination = between();
      draft.packed_input = draft.packed_output = between().real;
    }
    return drafts;
  }

  [[nodiscard]] Draft map() const {
    LineMap map{*kind_.map, n_, full_source_count(*kind_.map, n_), full_count(*kind_.map, n_)};
    for (const auto& own : {task_.rule.first_map, task_.rule.load_map, task_.rule.store_map}) {
      if (own) map.orthogonal = map.orthogonal || own->orthogonal;
    }
    Draft mapped = draft({map.count, {}}, direction_);
    mapped.stage.load_map = map;
    mapped.stage.mirrored = true;
    mapped.stage.step = fmt::format("{}: {}", prefix_, to_string(map));
    mapped.source = kind_.reals_read ? between() : task_.source;
    mapped.destination = kind_.reals_written ? between() : task_.destination;
    mapped.packed_input = mapped.source.real;
    mapped.packed_output = mapped.destination.real;
    add_other_dimensions(mapped);
    return mapped;
  }

  // Points are numbered as they are in order, wherever they stand on that side of a stage.
  void turn(Draft& draft, std::optional<Factor> Stage::*factor, bool first) const {
    Factor turns;
    turns.sequence = Factor::Sequence::quarter_points;
    turns.length = turns.inputs = turns.outputs = task_.rule.points;
    turns.element_stride = first ? digits_.back().belongs : draft.output_weight;
    std::size_t digit = 0;
    for (const DraftLoop& loop : draft.loops) {
      const bool own = loop.dimension == task_.dimension;
      turns.loop_strides.push_back(!own ? 0 : first ? digits_[digit++].belongs : loop.output_weight);
    }
    draft.stage.*factor = std::move(turns);
  }

  // Between the reals in the user's order and complex numbers, which stand by reversed digits beside the stages.
  [[nodiscard]] Draft move(bool before, std::uint64_t block) const {
    const RealOrder& order = before ? kind_.before : kind_.behind;
    Draft draft = copy_draft(between());
    draft.dimension = task_.dimension;
    draft.source = before ? task_.source : between();
    draft.destination = before ? between() : task_.destination;
    draft.stage.step = fmt::format("{}: copy", task_.name);
    const bool pairs = order.period == 0;
    std::vector<DraftLoop> loops;
    const auto add = [&](std::uint64_t count, std::uint64_t belongs, std::uint64_t at) {
      if (count == 1) return;
      const std::int64_t weight = as_weight(belongs) * (order.backwards ? -1 : 1);
      loops.push_back({count, task_.dimension, before ? weight : as_weight(at), before ? as_weight(at) : weight});
    };
    const std::uint64_t number = pairs ? 1 : order.number;
    const std::uint64_t place = pairs ? 1 : 2;
    if (!pairs) add(2, order.part, 1);
    if (before == kind_.to_spectrum) {
      for (const ReversedDigit& digit : digits_) {
        add(digit.count, static_cast<std::uint64_t>(digit.belongs) * number,
            static_cast<std::uint64_t>(digit.at) * place);
      }
    } else {
      add(n_ / 2, number, place);
    }
    split_loop(draft, task_.dimension, loops);
    if (pairs) {
      draft.packed_input = draft.source.real;
      draft.packed_output = draft.destination.real;
      move_neighbours_in_blocks(draft, block);
      return draft;
    }
    const std::int64_t begin = order.backwards ? as_weight(n_ - 1) : 0;
    draft.begin = {task_.dimension, before ? begin : 0, before ? 0 : begin};
    draft.input_weight = before && order.backwards ? -1 : 1;
    draft.output_weight = !before && order.backwards ? -1 : 1;
    (before ? draft.stage.load_bound : draft.stage.store_bound) = bound_of(draft, order, before);
    if (has_middle(order)) draft.beside.push_back(middle(order, before));
    return draft;
  }

  [[nodiscard]] Bound bound_of(const Draft& draft, const RealOrder& order, bool before) const {
    Bound result = bound(draft, n_, before ? &DraftLoop::input_weight : &DraftLoop::output_weight);
    if (order.backwards) {
      result.element_stride = -result.element_stride;
      for (std::int64_t& stride : result.loop_strides) stride = -stride;
    }
    result.period = order.period;
    result.both_halves = 0;
    result.odd = order.negated;
    return result;
  }

  // The real in the middle, which is the second part of number 0.
  [[nodiscard]] Draft middle(const RealOrder& order, bool before) const {
    Draft copy = draft({1, {}}, direction_);
    copy.source = before ? task_.source : between();
    copy.destination = before ? between() : task_.destination;
    copy.stage.step = fmt::format("{}: copy of the middle", prefix_);
    const std::int64_t place = as_weight(order.backwards ? n_ / 2 - 1 : n_ / 2);
    copy.begin = {task_.dimension, before ? place : 1, before ? 1 : place};
    add_other_dimensions(copy);
    return copy;
  }

  const LineRecipe& line_;
  const LineKind& kind_;
  std::uint64_t n_;
  std::vector<ReversedDigit> digits_;
  bool as_reals_;
};

// Whether nothing of the line is left out, and it is on its own.
bool stands_alone(const AxisTask& task) {
  const AxisRule& rule = task.rule;
  return !rule.load_count && !rule.store_count && !rule.lone_real && rule.symmetry == Symmetry::none && !task.halves &&
         !task.paired && task.source.order.empty();
}

std::optional<LineInPlaces> even_reals_in_places(const AxisGroups& axis, bool first_moves, const RealPlaces& places,
                                                 long double scale) {
  const std::optional<LineKind> kind = stands_alone(axis.task) ? kind_of(axis.task.rule) : std::nullopt;
  if (!kind || leaves(*axis.line).empty()) return std::nullopt;
  const RealLine line(axis.task, *axis.line, *kind, places);
  return LineInPlaces{line.moves_before(first_moves, places.block), line.stages(scale, first_moves),
                      line.moves_behind(places.block)};
}

// Whether an axis beside such a line may be as it is: in one stage, or of complex lines, whose elements or results are
// put in order with the line's.
bool may_be_beside(const AxisGroups& axis) {
  return axis.count < 2 || (has_plain_lines(axis.task) && !leaves(*axis.line).empty());
}

// Its stages, in several of which elements keep to their places: results are left by reversed digits, or elements are
// found by these.
std::vector<Draft> stages_beside(const std::vector<DraftGroup>& groups, const AxisGroups& axis, bool in_time) {
  std::vector<Draft> result;
  if (axis.count > 1) {
    AxisTask task = axis.task;
    task.unordered = true;
    result = in_time ? decimated_in_time(task, *axis.line) : emit(task, *axis.line);
  }
  for (std::size_t i = 0; i < axis.count; ++i) {
    const Draft& draft = groups[axis.first + i].drafts.front();
    if (axis.count == 1) result.push_back(draft);
    result[i].stage.scale = draft.stage.scale;
  }
  return result;
}

// What is around and between all stages.
class LineAndAxes {
 public:
  LineAndAxes(const std::vector<DraftGroup>& groups, const std::vector<AxisGroups>& axes, const AxisGroups& axis)
      : groups_(groups), axes_(axes), axis_(axis) {}

  // The line's drafts; nothing where it is of another kind.
  [[nodiscard]] std::optional<LineInPlaces> line(bool first_moves, const RealPlaces& places) const {
    long double scale = 1;
    for (std::size_t i = 0; i < axis_.count; ++i) scale *= groups_[axis_.first + i].drafts.front().stage.scale;
    std::optional<LineInPlaces> line = even_reals_in_places(axis_, first_moves, places, scale);
    if (!line) line = odd_reals_in_places(axis_.task, *axis_.line, first_moves, scale, others(places));
    if (!line) line = symmetric_in_places(axis_.task, *axis_.line, first_moves, scale);
    return line;
  }

  // All axes, where the first stage reads the line's elements in their order unless a copy does.
  [[nodiscard]] std::vector<DraftGroup> run(LineInPlaces line) const {
    const bool in_time = line.has_other_axes ? reads_spectrum() : !line.behind;
    std::vector<Draft> drafts;
    for (const AxisGroups& axis : axes_) {
      if (&axis == &axis_) {
        std::ranges::move(line.stages, std::back_inserter(drafts));
      } else if (!line.has_other_axes) {
        std::ranges::move(stages_beside(groups_, axis, in_time), std::back_inserter(drafts));
      }
    }
    if (line.before) drafts.insert(drafts.begin(), std::move(*line.before));
    if (line.behind) drafts.push_back(std::move(*line.behind));
    for (const AxisGroups& axis : axes_) {
      if (&axis == &axis_ || axis.count < 2) continue;
      const std::vector<ReversedDigit> digits = reversed_digits(*axis.line);
      if (in_time) {
        reverse_digits(drafts.front(), axis.task.dimension, digits);
      } else {
        put_in_order(drafts.back(), axis.task.dimension, digits);
      }
    }
    std::vector<DraftGroup> result;
    for (Draft& draft : drafts) result.push_back(group_of(std::move(draft)));
    return result;
  }

 private:
  // The stages of all other axes, of the frequencies of an odd line: these are moved before them, or behind. Without
  // any a stage of its own calls the hook of the frequencies.
  [[nodiscard]] std::vector<Draft> others(const RealPlaces& places) const {
    std::vector<Draft> result;
    for (const AxisGroups& axis : axes_) {
      if (&axis == &axis_) continue;
      std::ranges::move(stages_beside(groups_, axis, reads_spectrum()), std::back_inserter(result));
    }
    if (result.empty() && places.hooked_spectrum) {
      const Frame& frequencies = reads_spectrum() ? axis_.task.source : axis_.task.destination;
      result.push_back(copy_draft(frequencies));
    }
    return result;
  }
  [[nodiscard]] bool reads_spectrum() const { return !axis_.task.source.real; }

  const std::vector<DraftGroup>& groups_;
  const std::vector<AxisGroups>& axes_;
  const AxisGroups& axis_;
};

}  // namespace

std::optional<std::vector<DraftGroup>> with_reals_in_places(const std::vector<DraftGroup>& groups,
                                                            const std::vector<AxisGroups>& axes, bool first_moves,
                                                            const RealPlaces& places) {
  const auto axis = std::ranges::find_if_not(axes, may_be_beside);
  if (axis == axes.end() || !std::all_of(axis + 1, axes.end(), may_be_beside)) return std::nullopt;
  const bool moves = first_moves && axis->first == 0;
  const LineAndAxes all(groups, axes, *axis);
  std::optional<LineInPlaces> line = all.line(moves, places);
  if (!line || (!line->before && !line->behind && !moves)) return std::nullopt;
  std::vector<DraftGroup> result = all.run(std::move(*line));
  if (result.front().source != groups.front().source || result.back().destination != groups.back().destination) {
    return std::nullopt;
  }
  const auto parted = [](const DraftGroup& a, const DraftGroup& b) { return a.destination != b.source; };
  if (std::ranges::adjacent_find(result, parted) != result.end()) return std::nullopt;
  return result;
}

}  // namespace twiddle::plan
