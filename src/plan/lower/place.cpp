// Memory assignment as a shortest path over (stage, where the data is).
#include "plan/lower/place.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>

#include "plan/lower/bind.hpp"
#include "plan/lower/in_place.hpp"
#include "plan/lower/program_ends.hpp"
#include "plan/lower/spots.hpp"

namespace twiddle::plan {
namespace {

constexpr int unreachable = std::numeric_limits<int>::max() / 2;
constexpr int scratch_cost = 1;
constexpr int converting_cost = 1;  // halves that only change places stay halves rather
constexpr int spaced_cost = 2;      // what is packed shares more lines of the cache
constexpr int copy_cost = 100;      // a copy is a pass over memory: worse than any use of scratch
constexpr int second_cost = 150;    // twice the memory is worse than a copy

struct Step {
  int cost = unreachable;
  Spot from = Spot::input;  // where the data was before this step
};
using Row = std::array<Step, all_spots.size()>;

bool only_moves(const DraftGroup& group) {
  if (group.slices || !group.repeats.empty()) return false;
  const Stage& stage = group.drafts.front().stage;
  return !computes(stage) && stage.scale == 1.0L;
}

std::size_t index(Spot spot) { return static_cast<std::size_t>(spot); }

int entry_cost(Spot spot) {
  if (spot == Spot::second) return second_cost;
  return spot == Spot::spaced ? spaced_cost : spot == Spot::scratch ? scratch_cost : 0;
}

// Whether the stage stores pieces so close to each other (DraftGroup::Slices::close_pieces).
bool stores_close_pieces(const Stage& stage, std::uint64_t most) {
  if (most == DraftGroup::Slices::all_pieces) return true;
  constexpr std::uint64_t multiple = 512;
  const std::uint64_t apart =
      static_cast<std::uint64_t>(std::abs(stage.output_stride)) * element_bytes(stage.output_storage);
  return apart % multiple == 0 && apart <= most;
}

class Placer {
 public:
  Placer(const std::vector<DraftGroup>& groups, const PlaceRules& rules)
      : groups_(groups), rules_(rules), spots_(groups, rules) {}

  std::optional<Placed> run() {
    find_path(false);
    // A path with copies costs more than this.
    if (rows_.back()[index(Spot::output)].cost >= copy_cost) find_path(true);
    if (rows_.back()[index(Spot::output)].cost >= unreachable) return std::nullopt;
    std::optional<Placed> placed = walk_back();
    if (placed || !rules_.hooks_beside_copies) return placed;
    PlaceRules by_copies = rules_;
    by_copies.hooks_beside_copies = false;
    return Placer(groups_, by_copies).run();
  }

 private:
  Stage stage_on(const Draft& draft, Spot from, const View& source, Spot to, const View& destination) const {
    Stage stage = bind(draft, source, destination);
    stage.precision = rules_.precision;
    stage.source = operand(from);
    stage.destination = operand(to);
    return stage;
  }

  bool is_possible(const Draft& draft, Spot from, const View& source, Spot to, const View& destination) const {
    const bool same = spots_.same_memory(from, to) || spots_.share_scratch(from, to);
    if (!same) return !draft.stage.swaps;
    const auto stays = [&](const Draft& each) {
      return (each.stage.swaps || !moves_elements(each)) &&
             works_in_place(stage_on(each, from, source, to, destination), source, destination);
    };
    return stays(draft) && std::ranges::all_of(draft.beside, stays);
  }

  // What is known to be possible: pairs of lines that leave one over take two stages.
  std::vector<Stage> stages_on(const Draft& draft, Spot from, View source, Spot to, View destination) const {
    const std::optional<std::size_t> paired = leaves_line(draft);
    std::vector<Stage> stages;
    if (!paired) {
      stages.push_back(stage_on(draft, from, source, to, destination));
      for (const Draft& beside : draft.beside) stages.push_back(stage_on(beside, from, source, to, destination));
      return stages;
    }
    stages.push_back(stage_on(without_last_pair(draft), from, source, to, destination));
    for (View* side : {&source, &destination}) {
      side->offset += static_cast<std::int64_t>(side->extents[*paired] - 1) * side->strides[*paired];
    }
    stages.push_back(stage_on(for_last_line(draft), from, source, to, destination));
    return stages;
  }

  // Halves that only change places before anything else are still what the program begins with.
  bool is_input(std::size_t i, Spot spot) const {
    return i == 0 || (i == 1 && spot == Spot::halves && only_moves(groups_.front()));
  }

  // What group i leaves is what the program ends with: also halves that only change places after that.
  bool is_output(std::size_t i, Spot spot) const {
    return i + 1 == groups_.size() || (i + 2 == groups_.size() && spot == Spot::halves && only_moves(groups_.back()));
  }

  std::optional<View> view_before(std::size_t i, Spot spot) const {
    return spots_.view(spot, groups_[i].source, is_input(i, spot), i > 0 && is_output(i - 1, spot));
  }
  std::optional<View> view_after(std::size_t i, Spot spot) const {
    const bool end = is_output(i, spot);
    return spots_.view(spot, groups_[i].destination, !end && is_input(i + 1, spot), end);
  }

  std::uint64_t frame_bytes_after(std::size_t i, Spot spot) const {
    return spots_.frame_bytes(spot, groups_[i].destination, is_output(i, spot));
  }

  bool is_possible(std::size_t i, Spot from, Spot to) const {
    const DraftGroup& group = groups_[i];
    const auto source = view_before(i, from);
    const auto destination = view_after(i, to);
    if (!source || !destination) return false;
    if (spots_.share_scratch(from, to)) {
      const bool halves = from == Spot::halves || to == Spot::halves;
      return halves && !group.slices && group.repeats.empty() &&
             is_possible(group.drafts.front(), from, *source, to, *destination);
    }
    if (!group.repeats.empty()) return keeps_input(from, to);
    if (!group.slices) return is_possible(group.drafts.front(), from, *source, to, *destination);
    if (from == Spot::second || to == Spot::second) return false;
    if (!group.slices->beside_all && (uses_scratch(from) || uses_scratch(to))) return false;
    if (group.slices->in_place) return keeps_slices_in_place(group, from, *source, to, *destination);
    return !spots_.same_memory(from, to) || keeps_to_slices(*source, *destination, group.slices->dimension);
  }

  // Whether drafts that are repeated all find what they read, and what they keep has room behind both sides.
  bool keeps_input(Spot from, Spot to) const {
    const auto has_room = [](Spot spot) { return spot == Spot::scratch || !uses_scratch(spot); };
    return has_room(from) && has_room(to) && !spots_.same_memory(from, to);
  }

  // What all slices have behind a draft, where they keep it in memory that the group leaves its results in.
  std::optional<View> view_within(const DraftGroup& group, const Draft& draft, Spot to) const {
    Frame frame = draft.destination;
    frame.extents[group.slices->dimension] = group.source.extents[group.slices->dimension];
    return spots_.view(to, frame, false, false);
  }

  bool keeps_slices_in_place(const DraftGroup& group, Spot from, View source, Spot to, const View& destination) const {
    if (!spots_.same_memory(from, to)) return false;
    for (std::size_t k = 0; k < group.drafts.size(); ++k) {
      const bool last = k + 1 == group.drafts.size();
      std::optional<View> next = last ? destination : view_within(group, group.drafts[k], to);
      if (!next || !keeps_to_slices(source, *next, group.slices->dimension)) return false;
      const auto cut = [&](const View& view) {
        return slice_of(view, group.slices->dimension, 0, group.slices->lines);
      };
      if (!is_possible(group.drafts[k], from, cut(source), to, cut(*next))) return false;
      from = to;
      source = std::move(*next);
    }
    return true;
  }

  // Where the array behind each draft of a slice is: where it was before, where that is possible.
  std::vector<Spot> spots_of_slice(const std::vector<Draft>& drafts) const {
    std::vector<Spot> result;
    for (std::size_t i = 0; i + 1 < drafts.size(); ++i) {
      if (i == 0) {
        result.push_back(Spot::scratch);
        continue;
      }
      const Spot at = result.back();
      const std::uint64_t second = largest_slice(drafts);
      const bool stays = is_possible(drafts[i], at, spots_.scratch_view(at, drafts[i].source, second), at,
                                     spots_.scratch_view(at, drafts[i].destination, second));
      result.push_back(stays ? at : at == Spot::scratch ? Spot::second : Spot::scratch);
    }
    return result;
  }

  std::uint64_t largest_slice(const std::vector<Draft>& drafts) const {
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i + 1 < drafts.size(); ++i) {
      largest = std::max(largest, in_whole_lines(memory_bytes(spots_.packed(drafts[i].destination))));
    }
    return largest;
  }

  std::uint64_t slice_bytes(const std::vector<Draft>& drafts) const {
    const std::vector<Spot> spots = spots_of_slice(drafts);
    const bool two = std::find(spots.begin(), spots.end(), Spot::second) != spots.end();
    return largest_slice(drafts) * (two ? 2 : 1);
  }

  // The stages for some slices of a group: so many turns of the drafts, from a line on; or those of drafts that are
  // repeated.
  Part part_of(std::size_t i, const std::vector<Draft>& drafts, std::uint64_t line, std::uint64_t turns, Spot from,
               Spot to) const {
    const auto& slices = groups_[i].slices;
    const std::size_t dimension = slices ? slices->dimension : 0;
    const std::uint64_t lines = drafts.front().source.extents[dimension];
    const auto cut = [&](View view) { return slices ? slice_of(std::move(view), dimension, line, lines) : view; };
    const bool in_place = slices && slices->in_place;
    const std::vector<Spot> spots = in_place ? std::vector(drafts.size(), to) : spots_of_slice(drafts);
    const std::uint64_t second = largest_slice(drafts);
    const std::uint64_t begin = std::max(spots_.frame_bytes(from, groups_[i].source), frame_bytes_after(i, to));
    Part part{{}, turns, slices ? std::min(turns, slices->places) : 1, in_place ? 0 : slice_bytes(drafts), begin};
    Spot at = from;
    View source = cut(view_before(i, from).value());
    for (std::size_t k = 0; k < drafts.size(); ++k) {
      const bool last = k + 1 == drafts.size();
      const Spot next = last ? to : spots[k];
      View destination = last       ? cut(view_after(i, to).value())
                         : in_place ? cut(view_within(groups_[i], drafts[k], next).value())
                                    : spots_.scratch_view(next, drafts[k].destination, second, begin);
      if (last && drafts[k].pairs_in_destination) {
        const std::size_t paired = *drafts[k].pairs_in_destination;
        destination.extents[paired] = drafts[k].destination.extents[paired];
      }
      const Draft draft =
          in_turns(drafts[k], turns, dimension, k == 0 || in_place ? lines : 0, last || in_place ? lines : 0);
      std::vector<Stage> stages = stages_on(draft, at, source, next, destination);
      for (Stage& stage : stages) {
        stage.reads_recent = in_place && k > 0;
        const bool over_input = slices && last && spots_.same_memory(from, to);
        stage.writes_over_recent = in_place || (over_input && stores_close_pieces(stage, slices->close_pieces));
      }
      if (k == 0) part.reading = stages.size();
      part.writing = stages.size();
      std::ranges::move(stages, std::back_inserter(part.stages));
      at = next;
      source = std::move(destination);
    }
    return part;
  }

  // What carries out a group, known to be possible.
  std::vector<Part> parts_between(std::size_t i, Spot from, Spot to) const {
    const DraftGroup& group = groups_[i];
    std::vector<Part> parts;
    if (!group.repeats.empty()) {
      for (const std::vector<Draft>& drafts : group.repeats) parts.push_back(part_of(i, drafts, 0, 1, from, to));
      return parts;
    }
    if (!group.slices) {
      Part& whole = parts.emplace_back();
      whole.stages = stages_on(group.drafts.front(), from, view_before(i, from).value(), to, view_after(i, to).value());
      whole.reading = whole.writing = whole.stages.size();
      return parts;
    }
    const auto& slices = *group.slices;
    const std::uint64_t turns = group.source.extents[slices.dimension] / slices.lines;
    parts.push_back(part_of(i, group.drafts, 0, turns, from, to));
    if (!slices.rest.empty()) parts.push_back(part_of(i, slices.rest, turns * slices.lines, 1, from, to));
    return parts;
  }

  // A copy of the array before group i (or after the last one) from one spot to another.
  std::optional<Stage> copy_between(std::size_t i, Spot from, Spot to) const {
    const bool begin = i == 0;
    const bool end = i == groups_.size();
    const Frame& frame = end ? groups_.back().destination : groups_[i].source;
    const auto source = spots_.view(from, frame, begin, end && in_scratch(from));
    const auto destination = spots_.view(to, frame, begin && to == Spot::halves, end);
    if (!source || !destination || spots_.same_memory(from, to) || spots_.share_scratch(from, to)) return std::nullopt;
    return stage_on(copy_draft(frame), from, *source, to, *destination);
  }

  // Every group is preceded by an optional copy; a last optional copy ends the program. Rows alternate accordingly.
  void find_path(bool with_copies) {
    rows_.assign(1, Row{});
    rows_[0][index(Spot::input)].cost = 0;
    const auto advance = [&](auto&& cost_of, auto&& is_possible) {
      Row next;
      for (const Spot from : all_spots) {
        const int before = rows_.back()[index(from)].cost;
        if (before >= unreachable) continue;
        for (const Spot to : all_spots) {
          const int cost = before + cost_of(from, to);
          if (cost < next[index(to)].cost && is_possible(from, to)) next[index(to)] = {cost, from};
        }
      }
      rows_.push_back(next);
    };
    for (std::size_t i = 0; i <= groups_.size(); ++i) {
      advance([](Spot from, Spot to) { return from == to ? 0 : copy_cost + entry_cost(to); },
              [&](Spot from, Spot to) { return from == to || (with_copies && copy_between(i, from, to)); });
      if (i == groups_.size()) break;
      const bool ends = i + 1 == groups_.size() && !with_copies;
      advance(
          [&](Spot, Spot to) {
            return entry_cost(to) + (to == Spot::apart && only_moves(groups_[i]) ? converting_cost : 0);
          },
          [&](Spot from, Spot to) { return (!ends || to == Spot::output) && is_possible(i, from, to); });
    }
  }

  // Nothing where hooks can't be called beside copies.
  std::optional<Placed> walk_back() const {
    Placed placed;
    std::uint64_t& scratch = placed.program.scratch_bytes;
    Steps steps;
    Spot at = Spot::output;
    for (std::size_t row = rows_.size() - 1; row > 0; --row) {
      const Spot from = rows_[row][index(at)].from;
      const std::size_t i = (row - 1) / 2;
      if (row % 2 == 0) {
        steps.push_back(parts_between(i, from, at));
        placed.scratch_after.insert(placed.scratch_after.begin(), frame_bytes_after(i, at));
        scratch = std::max(scratch, placed.scratch_after.front());
        for (const Part& part : steps.back())
          scratch = std::max(scratch, part.slices_begin + part.places * part.slice_bytes);
      } else if (from != at) {
        steps.push_back({{{copy_between(i, from, at).value()}}});
        const Frame& frame = i == groups_.size() ? groups_.back().destination : groups_[i].source;
        scratch = std::max(scratch, spots_.frame_bytes(at, frame, i == groups_.size()));
      }
      at = from;
    }
    if (!mark_ends(steps, rules_)) return std::nullopt;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      for (Part& part : *step) add_part(std::move(part), placed.program);
    }
    return placed;
  }

  static void add_part(Part part, Program& program) {
    if (part.turns > 1) {
      program.turns.push_back(
          {program.stages.size(), part.stages.size(), part.places, part.slice_bytes, part.slices_begin});
    }
    std::move(part.stages.begin(), part.stages.end(), std::back_inserter(program.stages));
  }

  const std::vector<DraftGroup>& groups_;
  const PlaceRules& rules_;
  Spots spots_;
  std::vector<Row> rows_;
};

}  // namespace

DraftGroup group_of(Draft draft) {
  DraftGroup group{{}, draft.source, draft.destination};
  group.drafts.push_back(std::move(draft));
  return group;
}

std::optional<Placed> place(const std::vector<DraftGroup>& groups, const PlaceRules& rules) {
  return Placer(groups, rules).run();
}

}  // namespace twiddle::plan
