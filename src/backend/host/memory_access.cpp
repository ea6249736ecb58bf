// Loops over blocks of elements.
#include "backend/host/memory_access.hpp"

#include <fp16.h>

#include <algorithm>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace twiddle::backend::host {
namespace {

using plan::Storage;

// Half precision in memory.
struct StoredHalf {
  std::uint16_t bits;
};

template <class T, class S>
T to_arithmetic(S stored) {
  if constexpr (std::is_same_v<S, StoredHalf>) {
    return static_cast<T>(fp16_ieee_to_fp32_value(stored.bits));
  } else {
    return static_cast<T>(stored);
  }
}

template <class S, class T>
S to_stored(T value) {
  if constexpr (std::is_same_v<S, StoredHalf>) {
    return {fp16_ieee_from_fp32_value(static_cast<float>(value))};
  } else {
    return static_cast<S>(value);
  }
}

// One of the two dimensions of a block.
struct Dimension {
  std::size_t count;
  std::int64_t memory_stride;
  std::size_t plane_stride;
  std::array<std::int64_t, 2> extent_strides;
};

// Narrows begin..end to the indices i with 0 <= base + i * stride < count.
void narrow(std::uint64_t count, std::int64_t base, std::int64_t stride, std::int64_t& begin, std::int64_t& end) {
  if (count > static_cast<std::uint64_t>(INT64_MAX)) return;
  const auto limit = static_cast<std::int64_t>(count);
  const auto ceiling = [](std::int64_t a, std::int64_t b) { return a > 0 ? (a + b - 1) / b : -(-a / b); };
  if (stride == 0) {
    if (base < 0 || base >= limit) end = begin;
  } else if (stride > 0) {
    begin = std::max(begin, ceiling(-base, stride));
    end = std::min(end, ceiling(limit - base, stride));
  } else {
    begin = std::max(begin, ceiling(base - limit + 1, -stride));
    end = std::min(end, ceiling(base + 1, -stride));
  }
}

// Calls visit(scalar in memory, its place in the planes, elements, memory stride, plane stride) for each run of
// elements that are there.
template <class Visit>
void for_each_run(const Block& block, std::size_t lanes, const Visit& visit) {
  Dimension inner{block.active, block.lane_stride, 1, {block.extents[0].lane_stride, block.extents[1].lane_stride}};
  Dimension outer{
      block.length, block.element_stride, lanes, {block.extents[0].element_stride, block.extents[1].element_stride}};
  const bool by_elements = std::abs(block.element_stride) < std::abs(block.lane_stride) && block.length > 1;
  if (block.active == 1 || by_elements) std::swap(inner, outer);
  for (std::size_t i = 0; i < outer.count; ++i) {
    const auto index = static_cast<std::int64_t>(i);
    std::int64_t begin = 0;
    auto end = static_cast<std::int64_t>(inner.count);
    for (std::size_t e = 0; e < block.extents.size(); ++e) {
      narrow(block.extents[e].count, block.extents[e].base + index * outer.extent_strides[e], inner.extent_strides[e],
             begin, end);
    }
    if (begin >= end) continue;
    visit(block.first + index * outer.memory_stride + begin * inner.memory_stride,
          i * outer.plane_stride + static_cast<std::size_t>(begin) * inner.plane_stride,
          static_cast<std::size_t>(end - begin), inner.memory_stride, inner.plane_stride);
  }
}

bool all_there(const Block& block) {
  return std::all_of(block.extents.begin(), block.extents.end(),
                     [](const Extent& extent) { return extent.count == Extent{}.count; });
}

template <class S, class T>
void read_stored(const Storage& storage, const std::byte* memory, const Block& block, std::size_t lanes,
                 const Planes<T>& planes) {
  const auto* const scalars = reinterpret_cast<const S*>(memory);
  const bool real = storage.form == Storage::Form::real;
  const std::int64_t part = storage.imaginary_offset;
  if (block.active < lanes || !all_there(block)) {
    std::fill_n(planes.real, block.length * lanes, T{0});
    std::fill_n(planes.imaginary, block.length * lanes, T{0});
  } else if (real) {
    std::fill_n(planes.imaginary, block.length * lanes, T{0});
  }
  for_each_run(block, lanes,
               [&](std::int64_t at, std::size_t to, std::size_t count, std::int64_t step, std::size_t to_step) {
                 const S* from = scalars + at;
                 for (std::size_t i = 0; i < count; ++i) {
                   planes.real[to + i * to_step] = to_arithmetic<T>(from[static_cast<std::int64_t>(i) * step]);
                 }
                 if (real) return;
                 from += part;
                 for (std::size_t i = 0; i < count; ++i) {
                   planes.imaginary[to + i * to_step] = to_arithmetic<T>(from[static_cast<std::int64_t>(i) * step]);
                 }
               });
}

template <class S, class T>
void write_stored(const Storage& storage, std::byte* memory, const Block& block, std::size_t lanes, T scale,
                  const Planes<T>& planes) {
  auto* const scalars = reinterpret_cast<S*>(memory);
  const bool real = storage.form == Storage::Form::real;
  const std::int64_t part = storage.imaginary_offset;
  for_each_run(block, lanes,
               [&](std::int64_t at, std::size_t from, std::size_t count, std::int64_t step, std::size_t from_step) {
                 S* to = scalars + at;
                 for (std::size_t i = 0; i < count; ++i) {
                   to[static_cast<std::int64_t>(i) * step] = to_stored<S>(planes.real[from + i * from_step] * scale);
                 }
                 if (real) return;
                 to += part;
                 for (std::size_t i = 0; i < count; ++i) {
                   to[static_cast<std::int64_t>(i) * step] =
                       to_stored<S>(planes.imaginary[from + i * from_step] * scale);
                 }
               });
}

}  // namespace

plan::Stage in_scalars(plan::Stage stage) {
  const auto convert = [&](Storage& storage, std::int64_t& stride, std::int64_t& offset, auto loop_stride) {
    if (storage.form != Storage::Form::interleaved) return;
    storage.form = Storage::Form::planar;
    storage.imaginary_offset = 1;
    stride *= 2;
    offset *= 2;
    for (plan::Loop& loop : stage.loops) loop.*loop_stride *= 2;
  };
  convert(stage.input_storage, stage.input_stride, stage.input_offset, &plan::Loop::input_stride);
  convert(stage.output_storage, stage.output_stride, stage.output_offset, &plan::Loop::output_stride);
  return stage;
}

bool is_interleaved(const Storage& storage, Precision precision) {
  return storage.form == Storage::Form::planar && storage.imaginary_offset == 1 && storage.precision == precision;
}

bool is_plain_load(const plan::Stage& stage) {
  return is_interleaved(stage.input_storage, stage.precision) && !stage.load_factor && !stage.load_bound &&
         !stage.load_map && !(stage.twiddle && stage.twiddle->on_load);
}

bool is_plain_store(const plan::Stage& stage) {
  return is_interleaved(stage.output_storage, stage.precision) && !stage.store_factor && !stage.store_bound &&
         !stage.store_map;
}

template <class T>
void read_block(const Storage& storage, const std::byte* memory, const Block& block, std::size_t lanes,
                const Planes<T>& planes) {
  switch (storage.precision) {
    case Precision::float16:
      return read_stored<StoredHalf>(storage, memory, block, lanes, planes);
    case Precision::float32:
      return read_stored<float>(storage, memory, block, lanes, planes);
    case Precision::float64:
      return read_stored<double>(storage, memory, block, lanes, planes);
    case Precision::extended:
      return read_stored<long double>(storage, memory, block, lanes, planes);
  }
}

template <class T>
void write_block(const Storage& storage, std::byte* memory, const Block& block, std::size_t lanes, T scale,
                 const Planes<T>& planes) {
  switch (storage.precision) {
    case Precision::float16:
      return write_stored<StoredHalf>(storage, memory, block, lanes, scale, planes);
    case Precision::float32:
      return write_stored<float>(storage, memory, block, lanes, scale, planes);
    case Precision::float64:
      return write_stored<double>(storage, memory, block, lanes, scale, planes);
    case Precision::extended:
      return write_stored<long double>(storage, memory, block, lanes, scale, planes);
  }
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                           \
  template void read_block<T>(const Storage&, const std::byte*, const Block&, std::size_t, const Planes<T>&); \
  template void write_block<T>(const Storage&, std::byte*, const Block&, std::size_t, T scale, const Planes<T>&);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
