// Layouts with their defaults filled in, and checked.
#include "plan/lower/view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

constexpr std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max() / 4;

std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || std::abs(product) > most_bytes) {
    throw InvalidArgument(
        fmt::format("a layout with strides and extents of {} by {} elements cannot be addressed", a, b));
  }
  return product;
}

std::vector<std::int64_t> row_major(const std::vector<std::uint64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t next = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = next;
    next = checked_multiply(next, static_cast<std::int64_t>(extents[d]));
  }
  return strides;
}

// Distances of the first and the last element in memory from element (0, 0, ...).
std::pair<std::int64_t, std::int64_t> reach(const View& view) {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  for (std::size_t d = 0; d < view.extents.size(); ++d) {
    const std::int64_t distance = checked_multiply(view.strides[d], static_cast<std::int64_t>(view.extents[d]) - 1);
    (distance < 0 ? lowest : highest) += distance;
    if (highest > most_bytes || lowest < -most_bytes) throw InvalidArgument("a layout is too large to be addressed");
  }
  return {lowest, highest};
}

// Extents and strides with the imaginary parts of planar data as a dimension of their own; dimensions of one dropped.
std::vector<std::pair<std::int64_t, std::int64_t>> scalar_dimensions(const View& view) {
  std::vector<std::pair<std::int64_t, std::int64_t>> result;  // stride, extent
  for (std::size_t d = 0; d < view.extents.size(); ++d) {
    if (view.extents[d] > 1) result.emplace_back(std::abs(view.strides[d]), static_cast<std::int64_t>(view.extents[d]));
  }
  if (view.storage.form == Storage::Form::planar) result.emplace_back(std::abs(view.storage.imaginary_offset), 2);
  std::sort(result.begin(), result.end());
  return result;
}

void check(const View& view, const char* role, bool written) {
  const auto [lowest, highest] = reach(view);
  std::int64_t first = view.offset + lowest;
  if (view.storage.form == Storage::Form::planar) first = std::min(first, first + view.storage.imaginary_offset);
  if (first < 0) {
    throw InvalidArgument(
        fmt::format("the {} layout places an element {} before the start of the memory; an offset of at "
                    "least {} is needed with strides {}",
                    role, -first, view.offset - first, fmt::join(view.strides, ",")));
  }
  if (written && overlaps(view)) {
    throw InvalidArgument(
        fmt::format("the {} layout places several elements at the same position: extents {} with strides "
                    "{} (batch first); elements that are written must not overlap",
                    role, fmt::join(view.extents, ","), fmt::join(view.strides, ",")));
  }
}

std::vector<std::uint64_t> pruned(std::vector<std::uint64_t> extents, const std::vector<std::size_t>& limits) {
  for (std::size_t d = 0; d < limits.size(); ++d) extents[d + 1] = std::min<std::uint64_t>(extents[d + 1], limits[d]);
  return extents;
}

bool is_default(const Layout& layout) { return layout.strides.empty() && !layout.batch_stride; }

// `default_strides`: where the layout has none.
View make_view(const Layout& layout, bool real, Precision precision, std::vector<std::uint64_t> extents,
               const std::vector<std::int64_t>& default_strides) {
  View view;
  view.extents = std::move(extents);
  view.strides = default_strides;
  if (!layout.strides.empty()) {
    std::copy(layout.strides.begin(), layout.strides.end(), view.strides.begin() + 1);
    std::int64_t room = 1;
    for (std::size_t d = 1; d < view.extents.size(); ++d) {
      room += checked_multiply(std::abs(view.strides[d]), static_cast<std::int64_t>(view.extents[d]) - 1);
    }
    view.strides[0] = room;
  }
  if (layout.batch_stride) view.strides[0] = *layout.batch_stride;
  if (layout.offset > static_cast<std::uint64_t>(most_bytes)) throw InvalidArgument("a layout's offset is too large");
  view.offset = static_cast<std::int64_t>(layout.offset);
  view.storage.precision = precision;
  if (real) {
    view.storage.form = Storage::Form::real;
  } else if (layout.format == Layout::Format::planar) {
    view.storage.form = Storage::Form::planar;
    const auto [lowest, highest] = reach(view);
    const std::int64_t room =
        std::max(highest - lowest + 1, checked_multiply(view.strides[0], static_cast<std::int64_t>(view.extents[0])));
    view.storage.imaginary_offset = layout.imaginary_offset.value_or(room);
  }
  return view;
}

// Strides of both sides in place, where neither layout says otherwise: common rows with room for the longer side.
void share_rows(const Transform& transform, std::vector<std::uint64_t> time, std::vector<std::uint64_t> frequencies,
                std::vector<std::int64_t>& time_strides, std::vector<std::int64_t>& frequency_strides) {
  std::vector<std::uint64_t> pitches(time.size());
  for (std::size_t d = 0; d < time.size(); ++d) pitches[d] = std::max(time[d], frequencies[d]);
  if (transform.kind != Kind::r2c) {
    time_strides = frequency_strides = row_major(pitches);
    return;
  }
  const std::size_t axis = transformed_axes(transform).back() + 1;
  pitches[axis] = std::max((time[axis] + 1) / 2, frequencies[axis]);
  frequency_strides = row_major(pitches);
  time_strides = frequency_strides;
  for (std::size_t d = 0; d < axis; ++d) time_strides[d] *= 2;
}

}  // namespace

std::vector<std::uint64_t> full_extents(const Transform& transform, bool frequencies) {
  std::vector<std::uint64_t> extents{transform.batch};
  extents.insert(extents.end(), transform.lengths.begin(), transform.lengths.end());
  if (frequencies && transform.kind == Kind::r2c) {
    std::uint64_t& last = extents[transformed_axes(transform).back() + 1];
    last = last / 2 + 1;
  }
  return extents;
}

View packed_view(const Storage& storage, std::vector<std::uint64_t> extents) {
  std::vector<std::int64_t> strides = row_major(extents);
  return {storage, std::move(extents), std::move(strides), 0};
}

Sides sides_of(const Transform& transform, Direction direction, Placement placement) {
  const bool forward = direction == Direction::forward;
  std::vector<std::uint64_t> time = pruned(full_extents(transform, false), transform.input_extents);
  std::vector<std::uint64_t> frequencies = pruned(full_extents(transform, true), transform.output_extents);
  std::vector<std::int64_t> time_strides = row_major(time);
  std::vector<std::int64_t> frequency_strides = row_major(frequencies);
  if (placement == Placement::in_place && is_default(transform.input) && is_default(transform.output)) {
    share_rows(transform, time, frequencies, time_strides, frequency_strides);
  }
  const bool real_frequencies = is_real_to_real(transform.kind);
  const bool real_time = real_frequencies || transform.kind == Kind::r2c;
  View time_view = make_view(transform.input, real_time, transform.precision, std::move(time), time_strides);
  View frequency_view =
      make_view(transform.output, real_frequencies, transform.precision, std::move(frequencies), frequency_strides);
  Sides sides = forward ? Sides{std::move(time_view), std::move(frequency_view)}
                        : Sides{std::move(frequency_view), std::move(time_view)};
  check(sides.read, forward ? "input" : "output", placement == Placement::in_place);
  check(sides.written, forward ? "output" : "input", true);
  return sides;
}

std::uint64_t element_count(const View& view) {
  return std::accumulate(view.extents.begin(), view.extents.end(), std::uint64_t{1}, std::multiplies<>());
}

std::uint64_t element_bytes(const Storage& storage) {
  return scalar_bytes(storage.precision) * (storage.form == Storage::Form::interleaved ? 2 : 1);
}

std::uint64_t memory_bytes(const View& view) {
  std::int64_t last = view.offset + reach(view).second;
  if (view.storage.form == Storage::Form::planar) last = std::max(last, last + view.storage.imaginary_offset);
  return static_cast<std::uint64_t>(last + 1) * element_bytes(view.storage);
}

bool overlaps(const View& view) {
  constexpr std::int64_t most_enumerated = std::int64_t{1} << 20;
  const auto dimensions = scalar_dimensions(view);
  std::int64_t end = 1;    // one past the last position of the dimensions so far
  std::int64_t count = 1;  // elements so far
  bool nested = true;
  for (const auto& [stride, extent] : dimensions) {
    nested = nested && stride >= end;
    end += stride * (extent - 1);
    count = std::min(count * extent, most_enumerated + 1);
  }
  if (nested) return false;
  if (count > most_enumerated || end > 64 * most_enumerated)
    return true;  // interlocking layouts of that size are refused
  std::vector<bool> taken(static_cast<std::size_t>(end));
  std::vector<std::int64_t> positions{0};
  for (const auto& [stride, extent] : dimensions) {
    const std::size_t before = positions.size();
    for (std::int64_t i = 1; i < extent; ++i) {
      for (std::size_t j = 0; j < before; ++j) positions.push_back(positions[j] + i * stride);
    }
  }
  for (const std::int64_t position : positions) {
    if (taken[static_cast<std::size_t>(position)]) return true;
    taken[static_cast<std::size_t>(position)] = true;
  }
  return false;
}

bool fills_memory(const View& view) {
  const std::uint64_t scalars = element_count(view) * (view.storage.form == Storage::Form::planar ? 2 : 1);
  return memory_bytes(view) == scalars * element_bytes(view.storage) && !overlaps(view);
}

}  // namespace twiddle::plan
