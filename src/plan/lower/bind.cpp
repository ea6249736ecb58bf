// Strides from weights, and whether a stage may work within one memory.
#include "plan/lower/bind.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "plan/lower/place.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::plan {
namespace {

using Stride = std::int64_t Loop::*;

// One side of a stage.
struct Side {
  std::int64_t& element_stride;
  std::int64_t& offset;
  Storage& storage;
  Stride loop_stride;
};

// Pairs of reals as complex numbers: interleaved where every pair starts at an even place and is together, planar else.
void pack_pairs(Stage& stage, const Side& side, std::int64_t stride, bool whole) {
  side.element_stride *= 2;
  side.storage.form = Storage::Form::planar;
  side.storage.imaginary_offset = stride;
  bool together = whole && stride == 1 && side.offset % 2 == 0 && side.element_stride % 2 == 0;
  for (const Loop& loop : stage.loops) together = together && (loop.count == 1 || loop.*side.loop_stride % 2 == 0);
  if (!together) return;
  side.storage.form = Storage::Form::interleaved;
  side.storage.imaginary_offset = 0;
  side.element_stride /= 2;
  side.offset /= 2;
  for (Loop& loop : stage.loops) loop.*side.loop_stride /= 2;
}

void bind_side(const Draft& draft, const View& view, bool packed, std::int64_t part, std::int64_t begin,
               std::int64_t weight, std::int64_t DraftLoop::*loop_weight, const std::optional<Bound>& bound,
               Stage& stage, const Side& side) {
  const std::int64_t stride = view.strides[draft.dimension];
  // The data begins with its bound's first position.
  side.offset = view.offset - (bound ? static_cast<std::int64_t>(bound->first) * stride : 0) +
                begin * view.strides[draft.begin.dimension];
  side.storage = view.storage;
  if (part != 0) {
    side.storage.form = Storage::Form::planar;
    side.storage.imaginary_offset = part * stride;
  }
  side.element_stride = weight * stride;
  for (std::size_t i = 0; i < draft.loops.size(); ++i) {
    const DraftLoop& loop = draft.loops[i];
    const std::int64_t pairs = packed && loop.dimension == draft.dimension ? 2 : 1;
    stage.loops[i].*side.loop_stride = loop.*loop_weight * pairs * view.strides[loop.dimension];
  }
  if (packed) pack_pairs(stage, side, stride, !bound || bound->imaginary_step == 0);
}

// Whether rows and columns of a square, and nothing else, change their strides.
bool swaps_places(const Stage& stage) {
  if (stage.input_storage != stage.output_storage || stage.input_offset != stage.output_offset) return false;
  std::vector<Loop> moved;
  for (const Loop& loop : stage.loops) {
    if (loop.input_stride != loop.output_stride) moved.push_back(loop);
  }
  return moved.size() == 2 && moved[0].count == moved[1].count && moved[0].input_stride == moved[1].output_stride &&
         moved[0].output_stride == moved[1].input_stride;
}

// The second lines of pairs lie half of the dimension behind the first ones.
void bind_pairs(const View& view, std::size_t dimension, Stage& stage, Storage& storage) {
  const std::int64_t apart = static_cast<std::int64_t>(view.extents[dimension] / 2) * view.strides[dimension];
  if (storage.form == Storage::Form::real) {
    storage.form = Storage::Form::planar;
    storage.imaginary_offset = apart;
  } else {
    stage.second_spectrum = apart;
  }
}

// Pairs of reals of the view that are interleaved numbers become planar ones.
void take_reals_apart(Stage& stage, const View& view, const Side& side) {
  if (view.storage.form != Storage::Form::real || side.storage.form != Storage::Form::interleaved) return;
  side.storage.form = Storage::Form::planar;
  side.storage.imaginary_offset = 1;
  side.element_stride *= 2;
  side.offset *= 2;
  for (Loop& loop : stage.loops) loop.*side.loop_stride *= 2;
}

std::int64_t distance_of_reals(const Storage& storage, const View& view) {
  const bool pairs = view.storage.form == Storage::Form::real && storage.form == Storage::Form::planar;
  return pairs ? storage.imaginary_offset : 0;
}

struct Turn {
  std::uint64_t count;
  std::int64_t read;  // bytes
  std::int64_t written;
};

}  // namespace

Stage bind(const Draft& draft, const View& source, const View& destination) {
  Stage stage = draft.stage;
  stage.loops.clear();
  for (const DraftLoop& loop : draft.loops) stage.loops.push_back({loop.count, 0, 0});
  bind_side(draft, source, draft.packed_input, draft.input_part, draft.begin.input, draft.input_weight,
            &DraftLoop::input_weight, stage.load_bound, stage,
            {stage.input_stride, stage.input_offset, stage.input_storage, &Loop::input_stride});
  bind_side(draft, destination, draft.packed_output, draft.output_part, draft.begin.output, draft.output_weight,
            &DraftLoop::output_weight, stage.store_bound, stage,
            {stage.output_stride, stage.output_offset, stage.output_storage, &Loop::output_stride});
  if (draft.pairs_in_source) bind_pairs(source, *draft.pairs_in_source, stage, stage.input_storage);
  if (draft.pairs_in_destination) bind_pairs(destination, *draft.pairs_in_destination, stage, stage.output_storage);
  tidy_loops(stage);
  return stage;
}

void bind_load_hook(Stage& stage, std::shared_ptr<const Hook> hook, const View& source) {
  take_reals_apart(stage, source, {stage.input_stride, stage.input_offset, stage.input_storage, &Loop::input_stride});
  stage.load_hook = StageHook{std::move(hook), 1, distance_of_reals(stage.input_storage, source)};
}

void bind_store_hook(Stage& stage, std::shared_ptr<const Hook> hook, const View& destination) {
  take_reals_apart(stage, destination,
                   {stage.output_stride, stage.output_offset, stage.output_storage, &Loop::output_stride});
  stage.store_hook = StageHook{std::move(hook), 1, distance_of_reals(stage.output_storage, destination)};
}

View slice_of(View view, std::size_t dimension, std::uint64_t from, std::uint64_t lines) {
  view.offset += static_cast<std::int64_t>(from) * view.strides[dimension];
  view.extents[dimension] = lines;
  return view;
}

Draft in_turns(Draft draft, std::uint64_t turns, std::size_t dimension, std::uint64_t read_step,
               std::uint64_t written_step) {
  if (turns == 1) return draft;
  add_loop(draft, {turns, dimension, static_cast<std::int64_t>(read_step), static_cast<std::int64_t>(written_step)});
  draft.stage.launched_loops = 1;
  return draft;
}

// Whether elements at the same positions have the same bytes, of what is apart the real parts or upper words alone.
bool share_places(Storage a, Storage b) {
  using Form = Storage::Form;
  a.words_apart = b.words_apart = false;
  if (a == b) return true;
  const bool apart = a.form == Form::apart || b.form == Form::apart;
  return apart && a.form != Form::planar && b.form != Form::planar && element_bytes(a) == element_bytes(b);
}

// The same of all elements of two views, one of which may have more of them: each has a place of its own.
bool have_same_places(const View& read, const View& written) {
  if (!share_places(read.storage, written.storage) || read.offset != written.offset) return false;
  if (read.strides != written.strides) return false;
  View both = written;
  std::ranges::transform(read.extents, written.extents, both.extents.begin(), std::ranges::max);
  return both.extents == written.extents || both.extents == read.extents || !overlaps(both);
}

// Whether the transforms have the same reals on both sides, where pairs of neighbours may be complex numbers.
bool keeps_to_reals(const Stage& stage) {
  const auto reals = [](Storage storage, std::int64_t stride) {
    if (storage.form != Storage::Form::planar || 2 * storage.imaginary_offset != stride)
      return std::pair(storage, stride);
    stride = storage.imaginary_offset;
    storage.form = Storage::Form::real;
    storage.imaginary_offset = 0;
    return std::pair(storage, stride);
  };
  const auto [read, read_stride] = reals(stage.input_storage, stage.input_stride);
  const auto [written, written_stride] = reals(stage.output_storage, stage.output_stride);
  return share_places(read, written) && read_stride == written_stride && stage.input_offset == stage.output_offset &&
         std::ranges::all_of(stage.loops, [](const Loop& loop) { return loop.input_stride == loop.output_stride; });
}

// Where those elements of a transform are that a bound leaves: so many places apart, from the first to the last.
struct Span {
  std::int64_t first;
  std::int64_t last;
  std::int64_t step;
  bool operator==(const Span&) const = default;
};

Span existing_places(const Stage& stage, const std::optional<Bound>& bound, std::int64_t base, std::int64_t begin,
                     std::int64_t stride) {
  std::int64_t first = 0;
  auto last = static_cast<std::int64_t>(stage.length) - 1;
  if (bound) {
    const std::int64_t before = static_cast<std::int64_t>(bound->first) - base;
    if (before > 0) first = (before - 1) / bound->element_stride + 1;
    last = std::min(last, (static_cast<std::int64_t>(bound->count) - 1 - base) / bound->element_stride);
  }
  const auto [low, high] = std::minmax(begin + first * stride, begin + last * stride);
  return {low, high, std::abs(stride)};
}

// Whether transforms of reals have the same ones on both sides, in whatever order. A loop over two of them may be in
// other directions on either side.
bool keeps_to_existing_reals(const Stage& stage) {
  const bool reals =
      stage.input_storage.form == Storage::Form::real && share_places(stage.input_storage, stage.output_storage);
  if (!reals || stage.load_map || stage.store_map) return false;
  for (const std::optional<Bound>* const bound : {&stage.load_bound, &stage.store_bound}) {
    if (*bound && ((*bound)->element_stride < 1 || (*bound)->real_first)) return false;
  }
  const auto positions = [&](const std::optional<Bound>& bound, std::size_t loop) {
    return bound ? bound->loop_strides[loop] : 0;
  };
  std::optional<std::size_t> pair;
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    const Loop& loop = stage.loops[i];
    const bool counted = positions(stage.load_bound, i) != 0 || positions(stage.store_bound, i) != 0;
    if (!counted && loop.input_stride == loop.output_stride) continue;
    if (pair || loop.count != 2) return false;
    pair = i;
  }
  // Mirror images of a transform's elements are others of them.
  const std::optional<Bound>& read = stage.load_bound;
  if (read && (static_cast<std::int64_t>(read->period) - 2 * read->offset) % read->element_stride != 0) return false;
  if (read && pair && 2 * read->loop_strides[*pair] % read->element_stride != 0) return false;
  for (const std::int64_t turn : {0, 1}) {
    const auto places = [&](const std::optional<Bound>& bound, std::int64_t offset, std::int64_t stride,
                            std::int64_t Loop::*loop_stride) {
      const std::int64_t base = bound ? bound->offset + (pair ? turn * bound->loop_strides[*pair] : 0) : 0;
      return existing_places(stage, bound, base, offset + (pair ? turn * stage.loops[*pair].*loop_stride : 0), stride);
    };
    if (places(stage.load_bound, stage.input_offset, stage.input_stride, &Loop::input_stride) !=
        places(stage.store_bound, stage.output_offset, stage.output_stride, &Loop::output_stride)) {
      return false;
    }
  }
  return true;
}

// Where half of a spectrum is in order if it has the places of the `length` reals that it is made of: real parts, then
// the imaginary ones of all frequencies but the first; or both parts of each frequency beside each other, those of the
// first frequency first or last.
bool has_places_of_reals(const Stage& stage, std::int64_t half) {
  const std::int64_t step = stage.input_stride;
  const std::int64_t apart = stage.output_storage.imaginary_offset;
  const std::int64_t behind = stage.output_offset - stage.input_offset;
  if (stage.output_stride == step) return apart == half * step && behind == 0;
  if (stage.output_stride == 2 * step) return apart == -step && behind == 0;
  return stage.output_stride == -2 * step && apart == step && behind == 2 * half * step;
}

// Whether transforms of reals have these on the one side, and half of their spectrum in the same places on the other.
bool keeps_half_spectrum(const Stage& stage) {
  const bool forward = stage.input_storage.form == Storage::Form::real;
  Storage reals = forward ? stage.input_storage : stage.output_storage;
  Storage parts = forward ? stage.output_storage : stage.input_storage;
  const std::uint64_t half = stage.length / 2;
  if (stage.length % 2 == 0 || reals.form != Storage::Form::real || parts.form != Storage::Form::planar ||
      stage.store_map) {
    return false;
  }
  const bool placed = forward
                          ? has_places_of_reals(stage, static_cast<std::int64_t>(half))
                          : stage.input_stride == stage.output_stride && stage.input_offset == stage.output_offset &&
                                parts.imaginary_offset == static_cast<std::int64_t>(half) * stage.input_stride;
  const bool mapped = stage.load_map && stage.load_map->rule == LineMap::Rule::hermitian_load && !forward;
  if (stage.load_map && !mapped) return false;
  const std::uint64_t frequencies = mapped
                                        ? stage.load_map->source_count
                                        : bounded_count(stage.length, forward ? stage.store_bound : stage.load_bound);
  if (frequencies != half + 1 || (forward && !stage.store_bound->real_first)) return false;
  parts.form = Storage::Form::real;
  parts.imaginary_offset = 0;
  return placed && share_places(reals, parts) &&
         std::ranges::all_of(stage.loops, [](const Loop& loop) { return loop.input_stride == loop.output_stride; });
}

// The same of maps that read an element and its mirror image before they make both, whichever side has one more.
bool keep_to_mirror_images(const Stage& stage) {
  if (!share_places(stage.input_storage, stage.output_storage) || stage.input_stride != stage.output_stride ||
      stage.input_offset != stage.output_offset) {
    return false;
  }
  View all{stage.output_storage,
           {std::max(stage.load_map->source_count, stage.load_map->count)},
           {stage.output_stride},
           stage.output_offset};
  for (const Loop& loop : stage.loops) {
    if (loop.input_stride != loop.output_stride) return false;
    all.extents.push_back(loop.count);
    all.strides.push_back(loop.output_stride);
  }
  return !overlaps(all);
}

bool works_in_place(const Stage& stage, const View& read, const View& written) {
  if (stage.swaps) return swaps_places(stage);
  if (stage.mirrored) return keep_to_mirror_images(stage);
  if (stage.direct || (stage.load_map && (stage.shared_map || stage.radices.empty()))) return false;
  // Without maps a transform has as many elements on both sides.
  const bool same_elements = (!stage.load_map && !stage.store_map) || have_same_places(read, written);
  if (share_places(stage.input_storage, stage.output_storage) && stage.input_stride == stage.output_stride &&
      stage.input_offset == stage.output_offset && same_elements &&
      std::ranges::all_of(stage.loops, [](const Loop& loop) { return loop.input_stride == loop.output_stride; })) {
    return true;
  }
  const bool reals =
      !stage.shared_map && (keeps_to_reals(stage) || keeps_half_spectrum(stage) || keeps_to_existing_reals(stage));
  if (reals && have_same_places(read, written)) return true;
  // Otherwise each transform must have a run of bytes of its own, the same on both sides.
  using Form = Storage::Form;
  if (stage.shared_map) return false;
  if (stage.input_storage.form == Form::planar || stage.output_storage.form == Form::planar) return false;
  const auto read_bytes = static_cast<std::int64_t>(element_bytes(stage.input_storage));
  const auto written_bytes = static_cast<std::int64_t>(element_bytes(stage.output_storage));
  if (stage.input_stride < 0 || stage.output_stride < 0) return false;
  if (stage.input_offset * read_bytes != stage.output_offset * written_bytes) return false;
  const auto read_count = static_cast<std::int64_t>(
      bounded_count(stage.load_map ? stage.load_map->source_count : stage.length, stage.load_bound));
  const auto written_count = static_cast<std::int64_t>(
      bounded_count(stage.store_map ? stage.store_map->count : stage.length, stage.store_bound));
  std::int64_t end = std::max(((read_count - 1) * stage.input_stride + 1) * read_bytes,
                              ((written_count - 1) * stage.output_stride + 1) * written_bytes);
  std::vector<Turn> turns;
  for (const Loop& loop : stage.loops) {
    turns.push_back({loop.count, loop.input_stride * read_bytes, loop.output_stride * written_bytes});
  }
  std::ranges::sort(turns, {}, [](const Turn& turn) { return std::abs(turn.read); });
  for (const Turn& turn : turns) {
    if (turn.read != turn.written || std::abs(turn.read) < end) return false;
    end += std::abs(turn.read) * static_cast<std::int64_t>(turn.count - 1);
  }
  return true;
}

bool keeps_to_slices(const View& read, const View& written, std::size_t dimension) {
  // The same places on both sides: elements of other indices are others.
  if (share_places(read.storage, written.storage) && read.strides == written.strides && read.offset == written.offset) {
    return !overlaps(read) && !overlaps(written);
  }
  // Otherwise each index must have a run of bytes of its own, the same on both sides.
  if (read.storage.form == Storage::Form::planar || written.storage.form == Storage::Form::planar) return false;
  const auto read_bytes = static_cast<std::int64_t>(element_bytes(read.storage));
  const auto written_bytes = static_cast<std::int64_t>(element_bytes(written.storage));
  if (read.offset * read_bytes != written.offset * written_bytes) return false;
  const std::int64_t step = read.strides[dimension] * read_bytes;
  if (step <= 0 || step != written.strides[dimension] * written_bytes) return false;
  const auto end = [](const View& view, std::size_t d, std::int64_t bytes) {
    return static_cast<std::int64_t>(view.extents[d] - 1) * view.strides[d] * bytes;
  };
  std::int64_t read_end = read_bytes;
  std::int64_t written_end = written_bytes;
  for (std::size_t d = 0; d < read.extents.size(); ++d) {
    if (read.strides[d] < 0 || written.strides[d] < 0) return false;
    if (d == dimension) continue;
    read_end += end(read, d, read_bytes);
    written_end += end(written, d, written_bytes);
  }
  return std::max(read_end, written_end) <= step;
}

}  // namespace twiddle::plan
