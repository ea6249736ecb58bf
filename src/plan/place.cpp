// Memory assignment as a shortest path over (stage, where the data is).
#include "plan/place.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <optional>

#include "plan/bind.hpp"

namespace twiddle::plan {
namespace {

// Where the array between two stages may be.
enum class Spot {
  input,        // as the user laid it out; after the first stage only where the input may be written
  output,
  output_work,  // in the output's memory, packed
  input_work,   // in the input's memory, packed
  scratch,
  second        // behind what `scratch` uses of the same memory
};
constexpr std::array<Spot, 6> spots{Spot::input,      Spot::output,  Spot::output_work,
                                    Spot::input_work, Spot::scratch, Spot::second};

constexpr int unreachable = std::numeric_limits<int>::max() / 2;
constexpr int scratch_cost = 1;
constexpr int copy_cost = 100;    // a copy is a pass over memory: worse than any use of scratch
constexpr int second_cost = 150;  // twice the memory is worse than a copy

struct Step {
  int cost = unreachable;
  Spot from = Spot::input;  // where the data was before this step
};
using Row = std::array<Step, spots.size()>;

std::size_t index(Spot spot) { return static_cast<std::size_t>(spot); }

int entry_cost(Spot spot) { return spot == Spot::second ? second_cost : spot == Spot::scratch ? scratch_cost : 0; }

Operand operand(Spot spot) {
  switch (spot) {
    case Spot::input:
    case Spot::input_work: return Operand::input;
    case Spot::output:
    case Spot::output_work: return Operand::output;
    case Spot::scratch:
    case Spot::second: break;
  }
  return Operand::scratch;
}

class Placer {
 public:
  Placer(std::vector<Draft> drafts, const PlaceRules& rules) : drafts_(std::move(drafts)), rules_(rules) {
    read_fills_ = fills_memory(rules.sides.read);
    read_overlaps_ = overlaps(rules.sides.read);
    written_fills_ = fills_memory(rules.sides.written);
    for (const Draft& draft : drafts_) {
      for (const Frame* frame : {&draft.source, &draft.destination}) {
        largest_frame_ = std::max(largest_frame_, memory_bytes(packed(*frame)));
      }
    }
    largest_frame_ = (largest_frame_ + 63) / 64 * 64;
  }

  Program run() {
    find_path(false);
    // A path with copies costs more than this.
    if (rows_.back()[index(Spot::output)].cost >= copy_cost) find_path(true);
    return walk_back();
  }

 private:
  View packed(const Frame& frame) const {
    Storage storage{frame.real ? Storage::Form::real : Storage::Form::interleaved, rules_.precision, 0};
    if (rules_.planar && !frame.real) {
      std::uint64_t elements = 1;
      for (const std::uint64_t extent : frame.extents) elements *= extent;
      storage = {Storage::Form::planar, rules_.precision, static_cast<std::int64_t>(elements)};
    }
    if (frame.order.empty()) return packed_view(storage, frame.extents);
    std::vector<std::uint64_t> extents;
    for (const std::size_t dimension : frame.order) extents.push_back(frame.extents[dimension]);
    View view = packed_view(storage, std::move(extents));
    const std::vector<std::int64_t> strides = view.strides;
    for (std::size_t i = 0; i < frame.order.size(); ++i) view.strides[frame.order[i]] = strides[i];
    view.extents = frame.extents;
    return view;
  }

  // How a frame lies in a spot; nothing where it cannot be there. `begin`, `end`: it is what the program begins or ends
  // with.
  std::optional<View> view(Spot spot, const Frame& frame, bool begin, bool end) const {
    switch (spot) {
      case Spot::input:
        if (begin) return rules_.sides.read;
        return end || !may_write_input() || read_overlaps_ ? std::nullopt : laid_out_as(rules_.sides.read, frame);
      case Spot::output:
        if (end) return rules_.sides.written;
        return begin ? std::nullopt : laid_out_as(rules_.sides.written, frame);
      case Spot::output_work:
        return begin || !written_fills_ ? std::nullopt : within(frame, rules_.sides.written);
      case Spot::input_work:
        if (begin || !read_fills_ || !may_write_input() || rules_.placement == Placement::in_place) return std::nullopt;
        return within(frame, rules_.sides.read);
      case Spot::scratch:
        return begin ? std::nullopt : std::optional(packed(frame));
      case Spot::second: {
        if (begin) return std::nullopt;
        View view = packed(frame);
        view.offset = static_cast<std::int64_t>(largest_frame_ / element_bytes(view.storage));
        return view;
      }
    }
    return std::nullopt;
  }

  bool may_write_input() const { return rules_.overwrite_input || rules_.placement == Placement::in_place; }

  // An intermediate frame in a layout of the user's.
  std::optional<View> laid_out_as(View view, const Frame& frame) const {
    const bool other_form = rules_.planar && view.storage.form == Storage::Form::interleaved;
    if (!frame.order.empty() || other_form) return std::nullopt;
    if (view.storage.precision != rules_.precision || frame.real != (view.storage.form == Storage::Form::real)) {
      return std::nullopt;
    }
    for (std::size_t d = 0; d < frame.extents.size(); ++d) {
      if (frame.extents[d] > view.extents[d]) return std::nullopt;
    }
    view.extents = frame.extents;
    return view;
  }

  // An intermediate frame packed into memory that the user's data fills.
  std::optional<View> within(const Frame& frame, const View& user) const {
    View view = packed(frame);
    if (user.storage.precision != rules_.precision || memory_bytes(view) > memory_bytes(user)) return std::nullopt;
    return view;
  }

  bool same_memory(Spot a, Spot b) const {
    if (a == b) return true;
    const auto users = [&](Spot spot) {  // one number for each memory
      if (spot == Spot::scratch) return 2;
      if (spot == Spot::second) return 3;
      return operand(spot) == Operand::input && rules_.placement == Placement::out_of_place ? 0 : 1;
    };
    return users(a) == users(b);
  }

  Stage stage_on(const Draft& draft, Spot from, const View& source, Spot to, const View& destination) const {
    Stage stage = bind(draft, source, destination);
    stage.precision = rules_.precision;
    stage.source = operand(from);
    stage.destination = operand(to);
    return stage;
  }

  std::optional<Stage> stage_between(std::size_t i, Spot from, Spot to) const {
    const Draft& draft = drafts_[i];
    const auto source = view(from, draft.source, i == 0, false);
    const auto destination = view(to, draft.destination, false, i + 1 == drafts_.size());
    if (!source || !destination) return std::nullopt;
    Stage stage = stage_on(draft, from, *source, to, *destination);
    if (draft.stage.swaps) {
      const bool swaps = same_memory(from, to) && works_in_place(stage, *source, *destination);
      return swaps ? std::optional(stage) : std::nullopt;
    }
    if (same_memory(from, to) && (moves_elements(draft) || !works_in_place(stage, *source, *destination))) {
      return std::nullopt;
    }
    return stage;
  }

  // The same, known to be possible: pairs of lines that leave one over take two stages.
  std::vector<Stage> stages_between(std::size_t i, Spot from, Spot to) const {
    const Draft& draft = drafts_[i];
    const std::optional<std::size_t> paired = leaves_line(draft);
    if (!paired) return {stage_between(i, from, to).value()};
    View source = view(from, draft.source, i == 0, false).value();
    View destination = view(to, draft.destination, false, i + 1 == drafts_.size()).value();
    std::vector<Stage> stages{stage_on(without_last_pair(draft), from, source, to, destination)};
    for (View* side : {&source, &destination}) {
      side->offset += static_cast<std::int64_t>(side->extents[*paired] - 1) * side->strides[*paired];
    }
    stages.push_back(stage_on(for_last_line(draft), from, source, to, destination));
    return stages;
  }

  // A copy of the array before draft i (or after the last one) from one spot to another.
  std::optional<Stage> copy_between(std::size_t i, Spot from, Spot to) const {
    const bool begin = i == 0;
    const bool end = i == drafts_.size();
    const Frame& frame = end ? drafts_.back().destination : drafts_[i].source;
    const auto source = view(from, frame, begin, false);
    const auto destination = view(to, frame, false, end);
    if (!source || !destination || same_memory(from, to)) return std::nullopt;
    return stage_on(copy_draft(frame), from, *source, to, *destination);
  }

  // Every draft is preceded by an optional copy; a last optional copy ends the program. Rows alternate accordingly.
  void find_path(bool with_copies) {
    rows_.assign(1, Row{});
    rows_[0][index(Spot::input)].cost = 0;
    const auto advance = [&](auto&& cost_of, auto&& is_possible) {
      Row next;
      for (const Spot from : spots) {
        const int before = rows_.back()[index(from)].cost;
        if (before >= unreachable) continue;
        for (const Spot to : spots) {
          const int cost = before + cost_of(from, to);
          if (cost < next[index(to)].cost && is_possible(from, to)) next[index(to)] = {cost, from};
        }
      }
      rows_.push_back(next);
    };
    for (std::size_t i = 0; i <= drafts_.size(); ++i) {
      advance([](Spot from, Spot to) { return from == to ? 0 : copy_cost + entry_cost(to); },
              [&](Spot from, Spot to) { return from == to || (with_copies && copy_between(i, from, to)); });
      if (i == drafts_.size()) break;
      const bool ends = i + 1 == drafts_.size() && !with_copies;
      advance([](Spot, Spot to) { return entry_cost(to); },
              [&](Spot from, Spot to) { return (!ends || to == Spot::output) && stage_between(i, from, to); });
    }
  }

  Program walk_back() const {
    Program program;
    Spot at = Spot::output;
    for (std::size_t row = rows_.size() - 1; row > 0; --row) {
      const Spot from = rows_[row][index(at)].from;
      const std::size_t i = (row - 1) / 2;
      if (row % 2 == 0) {
        const std::vector<Stage> stages = stages_between(i, from, at);
        program.stages.insert(program.stages.begin(), stages.begin(), stages.end());
      } else if (from != at) {
        program.stages.insert(program.stages.begin(), copy_between(i, from, at).value());
      }
      for (const Spot spot : {from, at}) {
        const std::uint64_t frames = spot == Spot::second ? 2 : spot == Spot::scratch ? 1 : 0;
        program.scratch_bytes = std::max(program.scratch_bytes, frames * largest_frame_);
      }
      at = from;
    }
    return program;
  }

  std::vector<Draft> drafts_;
  const PlaceRules& rules_;
  bool read_fills_ = false;
  bool read_overlaps_ = false;
  bool written_fills_ = false;
  std::uint64_t largest_frame_ = 0;  // bytes, packed
  std::vector<Row> rows_;
};

}  // namespace

Program place(std::vector<Draft> drafts, const PlaceRules& rules) { return Placer(std::move(drafts), rules).run(); }

}  // namespace twiddle::plan
