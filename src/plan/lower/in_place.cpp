// Elements and places of both sides.
#include "plan/lower/in_place.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace twiddle::plan {
namespace {

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

struct Turn {
  std::uint64_t count;
  std::int64_t read;  // bytes
  std::int64_t written;
};

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

// Whether both sides of all transforms are as far from each other.
bool keeps_strides(const std::vector<Loop>& loops) {
  return std::ranges::all_of(loops, [](const Loop& loop) { return loop.input_stride == loop.output_stride; });
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
         keeps_strides(stage.loops);
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
  const auto [low, high] = std::minmax({begin + first * stride, begin + last * stride});
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
  if (const std::optional<Bound>& read = stage.load_bound; read && read->period != 0) {
    const std::int64_t step = read->element_stride;
    if ((static_cast<std::int64_t>(read->period) - 2 * read->offset) % step != 0) return false;
    if (pair && 2 * read->loop_strides[*pair] % step != 0) return false;
  }
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

// Whether half of a spectrum, in parts of which imaginary ones lie so far behind real ones, has the places of the reals
// on the other side, an odd number of them: real parts, then the imaginary ones of all frequencies but the first.
bool has_places_in_order(const Stage& stage, std::int64_t apart) {
  const auto half = static_cast<std::int64_t>(stage.length / 2);
  return stage.length % 2 != 0 && stage.output_stride == stage.input_stride && apart == half * stage.input_stride &&
         stage.output_offset == stage.input_offset;
}

// Likewise both parts of each frequency beside each other, those of the first one first, or last of an odd number.
bool has_places_beside_each_other(const Stage& stage, std::int64_t apart) {
  const std::int64_t step = stage.input_stride;
  const std::int64_t behind = stage.output_offset - stage.input_offset;
  if (stage.output_stride == 2 * step) return apart == -step && behind == 0;
  const auto last = static_cast<std::int64_t>(stage.length) - 1;
  return stage.length % 2 != 0 && stage.output_stride == -2 * step && apart == step && behind == last * step;
}

// Whether transforms of reals have these on the one side, and half of their spectrum in the same places on the other.
bool keeps_half_spectrum(const Stage& stage) {
  const bool forward = stage.input_storage.form == Storage::Form::real;
  Storage reals = forward ? stage.input_storage : stage.output_storage;
  Storage parts = forward ? stage.output_storage : stage.input_storage;
  const std::uint64_t half = stage.length / 2;
  // The middle frequency of an even number is real, too.
  if (stage.length % 2 == 0 && !(forward && stage.store_bound && stage.store_bound->imaginary_last)) return false;
  if (reals.form != Storage::Form::real || parts.form != Storage::Form::planar || stage.store_map) return false;
  const std::int64_t apart = parts.imaginary_offset;
  if (!has_places_in_order(stage, apart) && !(forward && has_places_beside_each_other(stage, apart))) return false;
  const bool mapped = stage.load_map && stage.load_map->rule == LineMap::Rule::hermitian_load && !forward;
  if (stage.load_map && !mapped) return false;
  const std::uint64_t frequencies = mapped
                                        ? stage.load_map->source_count
                                        : bounded_count(stage.length, forward ? stage.store_bound : stage.load_bound);
  const bool first_alone = stage.store_bound && stage.store_bound->real_first;
  if (frequencies != half + 1 || (forward && !first_alone)) return false;
  parts.form = Storage::Form::real;
  parts.imaginary_offset = 0;
  return share_places(reals, parts) && keeps_strides(stage.loops);
}

// What all transforms have where the first one has the view's elements, with the strides of either side.
View of_all_turns(View view, const std::vector<Loop>& loops) {
  for (const Loop& loop : loops) {
    view.extents.push_back(loop.count);
    view.strides.push_back(loop.input_stride);
  }
  return view;
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
  return keeps_strides(stage.loops) && !overlaps(of_all_turns(std::move(all), stage.loops));
}

// Whether transforms between reals and complex numbers have these reals in the same places, and places for imaginary
// parts where no reals are.
bool adds_imaginary_parts(const Stage& stage) {
  using Form = Storage::Form;
  const bool forward = stage.input_storage.form == Form::real && stage.output_storage.form == Form::planar;
  const bool back = stage.input_storage.form == Form::planar && stage.output_storage.form == Form::real;
  if ((!forward && !back) || stage.load_map || stage.store_map) return false;
  Storage reals = forward ? stage.output_storage : stage.input_storage;
  View parts{reals, {2, stage.length}, {reals.imaginary_offset, stage.input_stride}, stage.input_offset};
  reals.form = Form::real;
  reals.imaginary_offset = 0;
  parts.storage = reals;
  if (!share_places(reals, forward ? stage.input_storage : stage.output_storage) ||
      stage.input_stride != stage.output_stride || stage.input_offset != stage.output_offset) {
    return false;
  }
  return keeps_strides(stage.loops) && !overlaps(of_all_turns(std::move(parts), stage.loops));
}

}  // namespace

bool works_in_place(const Stage& stage, const View& read, const View& written) {
  if (stage.swaps) return swaps_places(stage);
  if (stage.mirrored) return keep_to_mirror_images(stage);
  if (stage.direct || (stage.load_map && (stage.shared_map || stage.radices.empty()))) return false;
  // Without maps a transform has as many elements on both sides.
  const bool same_elements = (!stage.load_map && !stage.store_map) || have_same_places(read, written);
  if (share_places(stage.input_storage, stage.output_storage) && stage.input_stride == stage.output_stride &&
      stage.input_offset == stage.output_offset && same_elements && keeps_strides(stage.loops)) {
    return true;
  }
  // Images may be of other transforms' elements.
  const bool takes_images = stage.load_bound && stage.load_bound->period != 0;
  const bool own_reals =
      !takes_images && (keeps_to_reals(stage) || keeps_half_spectrum(stage) || adds_imaginary_parts(stage));
  const bool reals = !stage.shared_map && (own_reals || keeps_to_existing_reals(stage));
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
