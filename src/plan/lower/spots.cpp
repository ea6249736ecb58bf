// The memories of a program: the user's as laid out or packed, and two pieces of scratch.
#include "plan/lower/spots.hpp"

#include <algorithm>

namespace twiddle::plan {

Operand operand(Spot spot) {
  switch (spot) {
    case Spot::input:
    case Spot::input_work:
      return Operand::input;
    case Spot::output:
    case Spot::output_work:
    case Spot::apart:
      return Operand::output;
    case Spot::scratch:
    case Spot::spaced:
    case Spot::second:
      break;
  }
  return Operand::scratch;
}

bool in_scratch(Spot spot) { return operand(spot) == Operand::scratch; }

bool uses_scratch(Spot spot) { return spot == Spot::apart || in_scratch(spot); }

std::uint64_t in_whole_lines(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

Spots::Spots(const std::vector<DraftGroup>& groups, const PlaceRules& rules)
    : rules_(rules),
      read_fills_(fills_memory(rules.sides.read)),
      read_overlaps_(overlaps(rules.sides.read)),
      written_fills_(fills_memory(rules.sides.written)) {
  for (const DraftGroup& group : groups) {
    for (const Frame* frame : {&group.source, &group.destination}) {
      largest_frame_ = std::max(largest_frame_, in_whole_lines(memory_bytes(packed(*frame))));
    }
    if (&group != &groups.back()) between_.push_back(group.destination);
  }
}

View Spots::packed(const Frame& frame) const {
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

View Spots::packed_result(const Frame& frame) const {
  View view = packed(frame);
  if (rules_.store_hook || view.storage.form == Storage::Form::planar) return view;
  view.storage.precision = rules_.sides.written.storage.precision;
  return view;
}

View Spots::scratch_view(Spot spot, const Frame& frame, std::uint64_t second, std::uint64_t begin) const {
  View view = packed(frame);
  if (spot == Spot::second) begin += second;
  view.offset = static_cast<std::int64_t>(begin / element_bytes(view.storage));
  return view;
}

std::optional<View> Spots::view(Spot spot, const Frame& frame, bool begin, bool end) const {
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
    case Spot::apart:
      return begin || end ? std::nullopt : in_place_of_halves(frame);
    case Spot::scratch:
      if (end) return packed_result(frame);
      return begin ? std::nullopt : std::optional(packed(frame));
    case Spot::spaced:
      return begin || end ? std::nullopt : within_larger(frame);
    case Spot::second:
      return begin ? std::nullopt : std::optional(scratch_view(spot, frame, largest_frame_));
  }
  return std::nullopt;
}

bool Spots::may_write_input() const { return rules_.overwrite_input || rules_.placement == Placement::in_place; }

std::optional<View> Spots::laid_out_as(View view, const Frame& frame) const {
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

std::optional<View> Spots::within(const Frame& frame, const View& user) const {
  View view = packed(frame);
  if (user.storage.precision != rules_.precision || memory_bytes(view) > memory_bytes(user)) return std::nullopt;
  return view;
}

std::optional<View> Spots::within_larger(const Frame& frame) const {
  const auto holds = [&](const Frame& other) {
    return other.real == frame.real && other.order == frame.order &&
           std::ranges::equal(frame.extents, other.extents, std::ranges::less_equal{});
  };
  const auto larger = std::ranges::find_if(between_, holds);
  if (larger == between_.end() || *larger == frame) return std::nullopt;
  View view = packed(*larger);
  view.extents = frame.extents;
  return view;
}

std::optional<View> Spots::in_place_of_halves(const Frame& frame) const {
  if (rules_.precision != Precision::float32 || rules_.planar || !frame.order.empty()) return std::nullopt;
  for (const View* side : {&rules_.sides.written, &rules_.sides.read}) {
    if (side == &rules_.sides.read && rules_.placement == Placement::out_of_place) break;
    const bool alike = side->storage.precision == Precision::float16 &&
                       frame.real == (side->storage.form == Storage::Form::real) &&
                       std::ranges::equal(frame.extents, side->extents, std::ranges::less_equal{});
    if (!alike) continue;
    View view = *side;
    if (side->storage.form == Storage::Form::interleaved) {
      view.storage = {Storage::Form::apart, rules_.precision, 0};
    } else {
      view.storage.words_apart = true;
    }
    view.extents = frame.extents;
    // Far apart in the user's layout, what is in scratch memory would need more than all of the floats next to each
    // other.
    if (memory_bytes(view) <= memory_bytes(packed(frame))) return view;
  }
  return std::nullopt;
}

bool Spots::same_memory(Spot a, Spot b) const {
  if (a == b) return true;
  const auto users = [&](Spot spot) {  // one number for each memory
    if (spot == Spot::scratch || spot == Spot::spaced) return 2;
    if (spot == Spot::second) return 3;
    return operand(spot) == Operand::input && rules_.placement == Placement::out_of_place ? 0 : 1;
  };
  return users(a) == users(b);
}

bool Spots::share_scratch(Spot a, Spot b) {
  return (a == Spot::apart && in_scratch(b)) || (in_scratch(a) && b == Spot::apart);
}

std::uint64_t Spots::frame_bytes(Spot spot, const Frame& frame, bool end) const {
  if (spot == Spot::apart || spot == Spot::spaced) {
    return in_whole_lines(memory_bytes(view(spot, frame, false, false).value()));
  }
  if (!in_scratch(spot)) return 0;
  if (end && spot == Spot::scratch) return in_whole_lines(memory_bytes(packed_result(frame)));
  return in_whole_lines(memory_bytes(packed(frame))) + (spot == Spot::second ? largest_frame_ : 0);
}

}  // namespace twiddle::plan
