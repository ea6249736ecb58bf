// The memories of a program: the user's as laid out or packed, and two pieces of scratch.
#include "plan/lower/spots.hpp"

#include <algorithm>

#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

// The innermost dimension of which a frame has several elements, where these are neighbours on a side.
std::optional<std::size_t> row_of(const View& side, const Frame& frame) {
  for (std::size_t d = frame.extents.size(); d-- > 0;) {
    if (side.strides[d] == 1 && frame.extents[d] > 1) return d;
  }
  return std::nullopt;
}

// The parts of complex numbers as reals.
std::optional<View> as_reals(View view, const Frame& frame) {
  const auto row = row_of(view, frame);
  if (!row || view.storage.form != Storage::Form::interleaved) return std::nullopt;
  view.storage.form = Storage::Form::real;
  view.offset *= 2;
  view.extents[*row] *= 2;
  for (std::size_t d = 0; d < view.extents.size(); ++d) {
    if (d != *row) view.strides[d] *= 2;
  }
  return view;
}

// Neighbouring reals as complex numbers.
std::optional<View> as_pairs(View view, const Frame& frame) {
  const auto row = row_of(view, frame);
  if (!row || view.offset % 2 != 0) return std::nullopt;
  view.storage.form = Storage::Form::interleaved;
  view.offset /= 2;
  view.extents[*row] /= 2;
  for (std::size_t d = 0; d < view.extents.size(); ++d) {
    if (d == *row) continue;
    if (view.strides[d] % 2 != 0 && view.extents[d] > 1) return std::nullopt;
    view.strides[d] /= 2;
  }
  return view;
}

}  // namespace

Operand operand(Spot spot) {
  switch (spot) {
    case Spot::input:
    case Spot::input_work:
      return Operand::input;
    case Spot::output:
    case Spot::output_work:
    case Spot::apart:
      return Operand::output;
    case Spot::halves:
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
  if (rules_.packed_parts) packed_side_ = side_for_all(groups);
}

View Spots::packed(const Frame& frame) const {
  Storage storage = interleaved_or_real(!frame.real, rules_.precision);
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
  if (!allows_copies(rules_.store_hook) || view.storage.form == Storage::Form::planar) return view;
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
    case Spot::halves:
      if (!allows_copies(begin ? rules_.load_hook : rules_.store_hook) || (!begin && !end)) return std::nullopt;
      if (rules_.packed_parts) return packed_side_ ? as_frame(frame, *packed_side_) : std::nullopt;
      if (begin) return halves_beside_parts(frame, rules_.sides.written, rules_.sides.read);
      if (rules_.placement == Placement::out_of_place) return halves_beside_parts(frame, rules_.sides.written);
      return halves_beside_parts(frame, rules_.sides.read, rules_.sides.written);
    case Spot::scratch:
      if (end) return packed_result(frame);
      return begin || rules_.all_apart ? std::nullopt : std::optional(packed(frame));
    case Spot::spaced:
      return begin || end || rules_.all_apart ? std::nullopt : within_larger(frame);
    case Spot::second:
      if (begin || rules_.all_apart) return std::nullopt;
      return scratch_view(spot, frame, largest_frame_);
  }
  return std::nullopt;
}

bool Spots::allows_copies(const std::shared_ptr<const Hook>& hook) const {
  return !hook || (rules_.hooks_beside_copies && !hook->gathers);
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

bool Spots::can_be_apart(const Frame& frame) const {
  return rules_.precision == Precision::float32 && !rules_.planar && frame.order.empty();
}

std::optional<View> Spots::side_for_all(const std::vector<DraftGroup>& groups) const {
  std::uint64_t room = written_fills_ ? memory_bytes(rules_.sides.written) : 0;
  if (rules_.placement == Placement::in_place && read_fills_) room = std::max(room, memory_bytes(rules_.sides.read));
  const std::size_t dimensions = groups.front().source.extents.size();
  std::vector<std::uint64_t> reals(dimensions, 1);
  std::vector<std::uint64_t> numbers(dimensions, 0);  // complex ones, two halves each along one dimension
  for (const DraftGroup& group : groups) {
    for (const Frame* frame : {&group.source, &group.destination}) {
      std::vector<std::uint64_t>& most = frame->real ? reals : numbers;
      std::ranges::transform(most, frame->extents, most.begin(), [](auto a, auto b) { return std::max(a, b); });
    }
  }
  const auto with_rows_along = [&](std::size_t row) {
    View view{{Storage::Form::real, Precision::float16, 0}, reals, std::vector<std::int64_t>(dimensions, 1)};
    for (std::size_t d = 0; d < dimensions; ++d) {
      view.extents[d] = std::max(reals[d], d == row ? 2 * numbers[d] : numbers[d]);
    }
    if (numbers[row] > 0) view.extents[row] += view.extents[row] % 2;
    std::uint64_t halves = view.extents[row];
    for (std::size_t d = dimensions; d-- > 0;) {
      if (d == row) continue;
      view.strides[d] = static_cast<std::int64_t>(halves);
      halves *= view.extents[d];
    }
    return view;
  };
  View smallest = with_rows_along(dimensions - 1);
  for (std::size_t row = dimensions - 1; row-- > 0;) {
    View view = with_rows_along(row);
    if (memory_bytes(view) < memory_bytes(smallest)) smallest = std::move(view);
  }
  return memory_bytes(smallest) <= room ? std::optional(std::move(smallest)) : std::nullopt;
}

std::optional<View> Spots::in_place_of_halves(const Frame& frame) const {
  if (rules_.packed_parts) return packed_side_ ? in_place_of_halves(frame, *packed_side_) : std::nullopt;
  auto view = in_place_of_halves(frame, rules_.sides.written);
  if (view || rules_.placement == Placement::out_of_place) return view;
  return in_place_of_halves(frame, rules_.sides.read);
}

std::optional<View> Spots::in_place_of_halves(const Frame& frame, const View& side) const {
  std::optional<View> found = as_frame(frame, side);
  if (!found) return std::nullopt;
  View& halves = *found;
  if (halves.storage.form == Storage::Form::interleaved) {
    halves.storage = {Storage::Form::apart, rules_.precision, 0};
  } else {
    halves.storage.words_apart = true;
  }
  // Far apart in the user's layout, what is in scratch memory would need more than all of the floats next to each
  // other.
  if (!packed_side_ && memory_bytes(halves) > memory_bytes(packed(frame))) return std::nullopt;
  return found;
}

std::optional<View> Spots::as_frame(const Frame& frame, const View& side) const {
  if (!can_be_apart(frame) || side.storage.precision != Precision::float16) return std::nullopt;
  View view = side;
  if (frame.real != (side.storage.form == Storage::Form::real)) {
    // Out of place slices of a line's results need less.
    const bool pairs = !frame.real && (packed_side_ || rules_.placement == Placement::in_place);
    const std::optional<View> other = frame.real ? as_reals(side, frame) : pairs ? as_pairs(side, frame) : std::nullopt;
    if (!other) return std::nullopt;
    view = *other;
  }
  if (!std::ranges::equal(frame.extents, view.extents, std::ranges::less_equal{})) return std::nullopt;
  view.extents = frame.extents;
  return view;
}

std::optional<View> Spots::halves_beside_parts(const Frame& frame, const View& side) const {
  const bool left_out = rules_.placement == Placement::out_of_place && !rules_.all_apart;
  return !left_out && in_place_of_halves(frame, side) ? as_frame(frame, side) : std::nullopt;
}

std::optional<View> Spots::halves_beside_parts(const Frame& frame, const View& side, const View& other) const {
  auto view = halves_beside_parts(frame, side);
  if (view || rules_.placement == Placement::out_of_place) return view;
  return halves_beside_parts(frame, other);
}

bool Spots::same_memory(Spot a, Spot b) const {
  if (a == b) return true;
  const auto users = [&](Spot spot) {  // one number for each memory
    if (in_scratch(spot) && spot != Spot::second) return 2;
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
  if (spot == Spot::halves) return in_whole_lines(memory_bytes(view(spot, frame, !end, end).value()));
  if (end && spot == Spot::scratch) return in_whole_lines(memory_bytes(packed_result(frame)));
  return in_whole_lines(memory_bytes(packed(frame))) + (spot == Spot::second ? largest_frame_ : 0);
}

}  // namespace twiddle::plan
