// Loops over blocks of elements.
#include "backend/host/memory_access.hpp"

#include <algorithm>
#include <type_traits>

#include "backend/host/adjacent_blocks.hpp"
#include "backend/host/block_runs.hpp"
#include "backend/host/converted_tiles.hpp"
#include "backend/host/stored_half.hpp"
#include "backend/host/words_apart.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::backend::host {
namespace {

using plan::Storage;

constexpr std::size_t half_buffer = 256;  // scalars converted at a time: whole vectors of any target

// Reads what it can of a run whose elements are adjacent on both sides, in vectors; returns how many elements that are.
template <class S, class T>
std::size_t read_adjacent(const Storage& storage, const S* from, const S* from_imaginary, std::size_t count,
                          const BlockKernels<T>& kernels, const Planes<T>& to) {
  const auto& vectors = kernels.combinations;
  const bool interleaved = is_interleaved(storage, storage.precision);
  const bool real = storage.form == Storage::Form::real;
  if constexpr (std::is_same_v<S, T>) {
    if (interleaved) {
      vectors.take_apart(from, count, to);
    } else {
      std::copy_n(from, count, to.real);
      if (!real) std::copy_n(from_imaginary, count, to.imaginary);
    }
    return count;
  } else if constexpr (std::is_same_v<S, StoredHalf>) {
    if (vectors.from_halves == nullptr) return 0;
    const auto* const bits = reinterpret_cast<const std::uint16_t*>(from);
    if (!interleaved) {
      const std::size_t done = vectors.from_halves(bits, count, to.real);
      if (!real) vectors.from_halves(reinterpret_cast<const std::uint16_t*>(from_imaginary), count, to.imaginary);
      return done;
    }
    T buffer[half_buffer];
    std::size_t done = 0;
    for (const std::size_t whole = count / vectors.vector * vectors.vector; done < whole;) {
      const std::size_t some = std::min(half_buffer / 2, whole - done);
      vectors.from_halves(bits + 2 * done, 2 * some, buffer);
      vectors.take_apart(buffer, some, {to.real + done, to.imaginary + done});
      done += some;
    }
    return done;
  }
  return 0;
}

template <class S, class T>
std::size_t write_adjacent(const Storage& storage, const Planes<T>& from, std::size_t count, T scale,
                           const BlockKernels<T>& kernels, S* to, S* to_imaginary) {
  const auto& vectors = kernels.combinations;
  const bool interleaved = is_interleaved(storage, storage.precision);
  if constexpr (std::is_same_v<S, T>) {
    if (interleaved) {
      vectors.put_together({from.real, from.imaginary}, count, scale, to);
    } else {
      copy_scaled(from.real, count, scale, to);
      if (storage.form != Storage::Form::real) copy_scaled(from.imaginary, count, scale, to_imaginary);
    }
    return count;
  } else if constexpr (std::is_same_v<S, StoredHalf>) {
    if (vectors.to_halves == nullptr) return 0;
    T buffer[half_buffer];
    const std::size_t whole = count / vectors.vector * vectors.vector;
    if (!interleaved) {
      const auto put = [&](const T* part, S* place) {
        for (std::size_t done = 0; done < whole; done += half_buffer) {
          const std::size_t some = std::min(half_buffer, whole - done);
          copy_scaled(part + done, some, scale, buffer);
          vectors.to_halves(buffer, some, reinterpret_cast<std::uint16_t*>(place) + done);
        }
      };
      put(from.real, to);
      if (storage.form != Storage::Form::real) put(from.imaginary, to_imaginary);
      return whole;
    }
    auto* const bits = reinterpret_cast<std::uint16_t*>(to);
    std::size_t done = 0;
    while (done < whole) {
      const std::size_t some = std::min(half_buffer / 2, whole - done);
      vectors.put_together({from.real + done, from.imaginary + done}, some, scale, buffer);
      vectors.to_halves(buffer, 2 * some, bits + 2 * done);
      done += some;
    }
    return done;
  }
  return 0;
}

// The same of elements that lie the other way round in memory: reals, or conjugates.
template <class S, class T>
std::size_t read_backwards(const Storage& storage, const S* from, std::size_t count, const BlockKernels<T>& kernels,
                           const Planes<T>& to) {
  if (storage.form == Storage::Form::real) {
    for (std::size_t i = 0; i < count; ++i) to.real[i] = to_arithmetic<T>(*(from - i));
    return count;
  }
  if constexpr (std::is_same_v<S, T>) {
    if (is_interleaved(storage, storage.precision)) return kernels.combinations.take_apart_mirrored(from, count, to);
  }
  return 0;
}

template <class S, class T>
std::size_t write_backwards(const Storage& storage, const Planes<T>& from, std::size_t count, T scale,
                            const BlockKernels<T>& kernels, S* to) {
  if (storage.form == Storage::Form::real) {
    for (std::size_t i = 0; i < count; ++i) *(to - i) = to_stored<S>(from.real[i] * scale);
    return count;
  }
  if constexpr (std::is_same_v<S, T>) {
    if (is_interleaved(storage, storage.precision)) {
      return kernels.combinations.put_together_mirrored({from.real, from.imaginary}, count, scale, to);
    }
  }
  return 0;
}

template <class S, class T>
constexpr bool converts_halves = std::is_same_v<S, StoredHalf>&& std::is_same_v<T, float>;

// For pieces of rows of halves, of a vector at least, by the vectors that convert them: those at the end again.
auto reads_halves(const CombinationKernels<float>& vectors, const StoredHalf* from) {
  return
      [&vectors, bits = reinterpret_cast<const std::uint16_t*>(from)](std::int64_t at, std::size_t count, float* to) {
        if (vectors.from_halves(bits + at, count, to) == count) return;
        const std::size_t last = count - vectors.vector;
        vectors.from_halves(bits + at + last, vectors.vector, to + last);
      };
}

auto writes_halves(const CombinationKernels<float>& vectors, StoredHalf* to) {
  return
      [&vectors, bits = reinterpret_cast<std::uint16_t*>(to)](const float* from, std::size_t count, std::int64_t at) {
        if (vectors.to_halves(from, count, bits + at) == count) return;
        const std::size_t last = count - vectors.vector;
        vectors.to_halves(from + last, vectors.vector, bits + at + last);
      };
}

// Where the imaginary part of the element at position 0 is.
template <class S, class Byte>
S* imaginary_parts(const Storage& storage, const SideMemory<Byte>& memory) {
  if (storage.form == Storage::Form::apart) return reinterpret_cast<S*>(memory.apart);
  return reinterpret_cast<S*>(memory.start) + storage.imaginary_offset;
}

template <class S, class T>
void read_stored(const Storage& storage, const InputMemory& memory, const Block& block, std::size_t lanes,
                 const BlockKernels<T>& kernels, const Planes<T>& planes) {
  const auto* const scalars = reinterpret_cast<const S*>(memory.start);
  const S* const imaginary = imaginary_parts<const S>(storage, memory);
  const bool real = storage.form == Storage::Form::real;
  const std::int64_t unit = is_interleaved(storage, storage.precision) ? 2 : 1;
  if constexpr (std::is_same_v<S, T>) {
    if (by_lanes(block, lanes, unit, kernels)) {
      return read_lanes(storage, scalars + block.first, imaginary + block.first, block, lanes, kernels.combinations,
                        planes);
    }
    if (by_tiles(block, lanes, unit, kernels)) {
      return read_tiles(storage, scalars + block.first, imaginary + block.first, block, lanes, kernels, planes);
    }
    if (by_tiles(block, lanes, -unit, kernels)) {
      const std::int64_t last = block.first - static_cast<std::int64_t>(block.length - 1) * unit;
      read_tiles(storage, scalars + last, imaginary + last, block, lanes, kernels, planes);
      return reverse_elements(block.length, lanes, planes);
    }
  }
  if constexpr (converts_halves<S, T>) {
    if (kernels.combinations.from_halves != nullptr && unit == 1 && by_tiles(block, lanes, 1, kernels)) {
      const auto read = [&](const S* from, T* plane) {
        read_converted_tiles(block, lanes, kernels, reads_halves(kernels.combinations, from), plane);
      };
      read(scalars, planes.real);
      if (!real) return read(imaginary, planes.imaginary);
      std::fill_n(planes.imaginary, block.length * lanes, T{0});
      return;
    }
  }
  const T sign = block.conjugated ? T{-1} : T{1};
  const bool gaps = !block.added && (block.active < lanes || !all_there(block));
  if (gaps) std::fill_n(planes.real, block.length * lanes, T{0});
  if (gaps || (real && !block.added)) std::fill_n(planes.imaginary, block.length * lanes, T{0});
  for_each_run(block, lanes, [&](const Run& run) {
    const S* const from = scalars + run.memory;
    const S* const from_imaginary = imaginary + run.memory;
    const Planes<T> to{planes.real + run.plane, planes.imaginary + run.plane};
    std::size_t i = 0;
    if (run.plane_step == 1 && run.step == unit && !block.conjugated) {
      i = read_adjacent(storage, from, from_imaginary, run.count, kernels, to);
    } else if (run.plane_step == 1 && run.step == -unit && (real || block.conjugated)) {
      i = read_backwards(storage, from, run.count, kernels, to);
    }
    for (; i < run.count; ++i) {  // both parts at once: they often share a line of the cache
      const std::int64_t element = static_cast<std::int64_t>(i) * run.step;
      to.real[i * run.plane_step] = to_arithmetic<T>(from[element]);
      if (!real) to.imaginary[i * run.plane_step] = sign * to_arithmetic<T>(from_imaginary[element]);
    }
  });
}

template <class S, class T>
void write_stored(const Storage& storage, const OutputMemory& memory, const Block& block, std::size_t lanes, T scale,
                  const BlockKernels<T>& kernels, const Planes<T>& planes) {
  auto* const scalars = reinterpret_cast<S*>(memory.start);
  S* const imaginary = imaginary_parts<S>(storage, memory);
  const bool real = storage.form == Storage::Form::real;
  const std::int64_t unit = is_interleaved(storage, storage.precision) ? 2 : 1;
  if constexpr (std::is_same_v<S, T>) {
    if (by_lanes(block, lanes, unit, kernels)) {
      return write_lanes(storage, scalars + block.first, imaginary + block.first, block, lanes, scale,
                         kernels.combinations, planes);
    }
    if (by_tiles(block, lanes, unit, kernels)) {
      return write_tiles(storage, scalars + block.first, imaginary + block.first, block, lanes, scale, kernels, planes);
    }
  }
  if constexpr (converts_halves<S, T>) {
    if (kernels.combinations.to_halves != nullptr && unit == 1 && by_tiles(block, lanes, 1, kernels)) {
      const auto write = [&](const T* plane, S* to) {
        write_converted_tiles(block, lanes, scale, kernels, writes_halves(kernels.combinations, to), plane);
      };
      write(planes.real, scalars);
      if (!real) write(planes.imaginary, imaginary);
      return;
    }
  }
  const T signed_scale = block.conjugated ? -scale : scale;
  for_each_run(block, lanes, [&](const Run& run) {
    S* const to = scalars + run.memory;
    S* const to_imaginary = imaginary + run.memory;
    const Planes<T> from{planes.real + run.plane, planes.imaginary + run.plane};
    std::size_t i = 0;
    if (run.plane_step == 1 && run.step == unit && !block.conjugated) {
      i = write_adjacent(storage, from, run.count, scale, kernels, to, to_imaginary);
    } else if (run.plane_step == 1 && run.step == -unit && (real || block.conjugated)) {
      i = write_backwards(storage, from, run.count, scale, kernels, to);
    }
    for (; i < run.count; ++i) {
      const std::int64_t element = static_cast<std::int64_t>(i) * run.step;
      to[element] = to_stored<S>(from.real[i * run.plane_step] * scale);
      if (!real) to_imaginary[element] = to_stored<S>(from.imaginary[i * run.plane_step] * signed_scale);
    }
  });
}

}  // namespace

template <class T>
BlockKernels<T>::BlockKernels(std::int64_t targets)
    : combinations(find_combinations<T>(targets)),
      rows_in(find_move<T>(MoveKind::rows_to_bundle, LaneOrder::natural, targets)),
      rows_out(find_move<T>(MoveKind::bundle_to_rows, LaneOrder::natural, targets)) {}

template <class T>
void read_block(const Storage& storage, const InputMemory& memory, const Block& block, std::size_t lanes,
                const BlockKernels<T>& kernels, const Planes<T>& planes) {
  switch (storage.precision) {
    case Precision::float16:
      if (storage.words_apart) return read_words(storage, memory, block, lanes, kernels, planes);
      return read_stored<StoredHalf>(storage, memory, block, lanes, kernels, planes);
    case Precision::float32:
      return read_stored<float>(storage, memory, block, lanes, kernels, planes);
    case Precision::float64:
      return read_stored<double>(storage, memory, block, lanes, kernels, planes);
    case Precision::extended:
      return read_stored<long double>(storage, memory, block, lanes, kernels, planes);
  }
}

template <class T>
void apply_hook(const plan::StageHook& hook, const Block& block, std::size_t lanes, const Planes<T>& planes) {
  for_each_run(block, lanes, [&](const Run& run) {
    for (std::size_t i = 0; i < run.count; ++i) {
      const std::size_t place = run.plane + i * run.plane_step;
      const std::int64_t position = run.memory + static_cast<std::int64_t>(i) * run.step;
      const auto real = static_cast<double>(planes.real[place]);
      if (hook.part != 0 || planes.imaginary == nullptr) {  // each by itself
        const auto call = [&](double value, std::int64_t at) {
          return static_cast<T>(hook.hook->function(value, static_cast<std::uint64_t>(at)).real());
        };
        planes.real[place] = call(real, position);
        if (planes.imaginary == nullptr) continue;
        planes.imaginary[place] = call(static_cast<double>(planes.imaginary[place]), position + hook.part);
        continue;
      }
      const auto imaginary = static_cast<double>(planes.imaginary[place]);
      const auto made = hook.hook->function({real, imaginary}, static_cast<std::uint64_t>(position / hook.unit));
      planes.real[place] = static_cast<T>(made.real());
      planes.imaginary[place] = static_cast<T>(made.imag());
    }
  });
}

template <class T>
void conjugate_block(const Block& block, std::size_t lanes, bool odd, const Planes<T>& planes) {
  T* const plane = odd ? planes.real : planes.imaginary;
  for_each_run(block, lanes, [&](const Run& run) {
    T* const values = plane + run.plane;
    for (std::size_t i = 0; i < run.count; ++i) values[i * run.plane_step] = -values[i * run.plane_step];
  });
}

template <class T>
void write_block(const Storage& storage, const OutputMemory& memory, const Block& block, std::size_t lanes, T scale,
                 const BlockKernels<T>& kernels, const Planes<T>& planes) {
  switch (storage.precision) {
    case Precision::float16:
      if (storage.words_apart) return write_words(storage, memory, block, lanes, scale, kernels, planes);
      return write_stored<StoredHalf>(storage, memory, block, lanes, scale, kernels, planes);
    case Precision::float32:
      return write_stored<float>(storage, memory, block, lanes, scale, kernels, planes);
    case Precision::float64:
      return write_stored<double>(storage, memory, block, lanes, scale, kernels, planes);
    case Precision::extended:
      return write_stored<long double>(storage, memory, block, lanes, scale, kernels, planes);
  }
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                                  \
  template struct BlockKernels<T>;                                                                                   \
  template void read_block<T>(const Storage&, const InputMemory&, const Block&, std::size_t, const BlockKernels<T>&, \
                              const Planes<T>&);                                                                     \
  template void apply_hook<T>(const plan::StageHook&, const Block&, std::size_t, const Planes<T>&);                  \
  template void conjugate_block<T>(const Block&, std::size_t, bool, const Planes<T>&);                               \
  template void write_block<T>(const Storage&, const OutputMemory&, const Block&, std::size_t, T,                    \
                               const BlockKernels<T>&, const Planes<T>&);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
