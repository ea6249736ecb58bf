// Runs of words, which the compiler makes loops of vectors of where they are adjacent on both sides.
#include "backend/host/words_apart.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "backend/host/converted_tiles.hpp"

namespace twiddle::backend::host {
namespace {

using plan::Storage;

// Both words of the float at position 0.
template <class Word>
struct Words {
  template <class Byte>
  explicit Words(const SideMemory<Byte>& memory)
      : upper(reinterpret_cast<Word*>(memory.start)), lower(reinterpret_cast<Word*>(memory.apart)) {}
  Word* upper;
  Word* lower;
};

template <class T>
void read_run(const Words<const std::uint16_t>& words, std::int64_t first, const Run& run, T sign, T* to) {
  const std::uint16_t* const upper = words.upper + first;
  const std::uint16_t* const lower = words.lower + first;
  const auto read = [&](std::int64_t step, std::size_t plane_step) {
    for (std::size_t i = 0; i < run.count; ++i) {
      const std::int64_t at = static_cast<std::int64_t>(i) * step;
      const std::uint32_t bits = std::uint32_t{upper[at]} << 16 | lower[at];
      to[i * plane_step] = sign * static_cast<T>(std::bit_cast<float>(bits));
    }
  };
  run.step == 1 && run.plane_step == 1 ? read(1, 1) : read(run.step, run.plane_step);
}

template <class T>
void write_run(const T* from, T scale, const Run& run, const Words<std::uint16_t>& words, std::int64_t first) {
  std::uint16_t* const upper = words.upper + first;
  std::uint16_t* const lower = words.lower + first;
  const auto write = [&](std::int64_t step, std::size_t plane_step) {
    for (std::size_t i = 0; i < run.count; ++i) {
      const std::int64_t at = static_cast<std::int64_t>(i) * step;
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(from[i * plane_step] * scale));
      upper[at] = static_cast<std::uint16_t>(bits >> 16);
      lower[at] = static_cast<std::uint16_t>(bits);
    }
  };
  run.step == 1 && run.plane_step == 1 ? write(1, 1) : write(run.step, run.plane_step);
}

constexpr std::size_t pair_buffer = 128;  // complex numbers

// Whether the run is of complex numbers whose parts, and which, follow each other: words of all are read or written in
// a row.
bool is_run_of_pairs(const Storage& storage, const Run& run) {
  return storage.form == Storage::Form::planar && storage.imaginary_offset == 1 && run.step == 2;
}

template <class T>
void read_pairs(const Words<const std::uint16_t>& words, const Run& run, T sign, const BlockKernels<T>& kernels,
                const Planes<T>& to) {
  T buffer[2 * pair_buffer];
  for (std::size_t done = 0; done < run.count; done += pair_buffer) {
    const std::size_t some = std::min(pair_buffer, run.count - done);
    const std::int64_t first = run.memory + 2 * static_cast<std::int64_t>(done);
    read_run(words, first, Run{0, 0, 2 * some, 1, 1}, T{1}, buffer);
    const Planes<T> place{to.real + done * run.plane_step, to.imaginary + done * run.plane_step};
    if (run.plane_step == 1 && sign == T{1}) {
      kernels.combinations.take_apart(buffer, some, place);
      continue;
    }
    for (std::size_t i = 0; i < some; ++i) {
      place.real[i * run.plane_step] = buffer[2 * i];
      place.imaginary[i * run.plane_step] = sign * buffer[2 * i + 1];
    }
  }
}

template <class T>
void write_pairs(const Planes<T>& from, T scale, T imaginary_scale, const Run& run, const BlockKernels<T>& kernels,
                 const Words<std::uint16_t>& words) {
  T buffer[2 * pair_buffer];
  for (std::size_t done = 0; done < run.count; done += pair_buffer) {
    const std::size_t some = std::min(pair_buffer, run.count - done);
    const Planes<T> place{from.real + done * run.plane_step, from.imaginary + done * run.plane_step};
    if (run.plane_step == 1 && imaginary_scale == scale) {
      kernels.combinations.put_together({place.real, place.imaginary}, some, scale, buffer);
    } else {
      for (std::size_t i = 0; i < some; ++i) {
        buffer[2 * i] = place.real[i * run.plane_step] * scale;
        buffer[2 * i + 1] = place.imaginary[i * run.plane_step] * imaginary_scale;
      }
    }
    write_run(buffer, T{1}, Run{0, 0, 2 * some, 1, 1}, words, run.memory + 2 * static_cast<std::int64_t>(done));
  }
}

}  // namespace

template <class T>
void read_words(const Storage& storage, const InputMemory& memory, const Block& block, std::size_t lanes,
                const BlockKernels<T>& kernels, const Planes<T>& planes) {
  const Words<const std::uint16_t> words(memory);
  const bool real = storage.form == Storage::Form::real;
  if constexpr (std::is_same_v<T, float>) {
    if (by_tiles(block, lanes, 1, kernels)) {
      const auto read = [&](std::int64_t offset, float* plane) {
        const auto convert = [&](std::int64_t at, std::size_t count, float* to) {
          read_run(words, at + offset, Run{0, 0, count, 1, 1}, 1.0F, to);
        };
        read_converted_tiles(block, lanes, kernels, convert, plane);
      };
      read(0, planes.real);
      if (!real) return read(storage.imaginary_offset, planes.imaginary);
      std::fill_n(planes.imaginary, block.length * lanes, 0.0F);
      return;
    }
  }
  const bool gaps = !block.added && (block.active < lanes || !all_there(block));
  if (gaps) std::fill_n(planes.real, block.length * lanes, T{0});
  if (gaps || (real && !block.added)) std::fill_n(planes.imaginary, block.length * lanes, T{0});
  const T sign = block.conjugated ? T{-1} : T{1};
  for_each_run(block, lanes, [&](const Run& run) {
    if (is_run_of_pairs(storage, run)) {
      return read_pairs(words, run, sign, kernels, {planes.real + run.plane, planes.imaginary + run.plane});
    }
    read_run(words, run.memory, run, T{1}, planes.real + run.plane);
    if (real) return;
    read_run(words, run.memory + storage.imaginary_offset, run, sign, planes.imaginary + run.plane);
  });
}

template <class T>
void write_words(const Storage& storage, const OutputMemory& memory, const Block& block, std::size_t lanes, T scale,
                 const BlockKernels<T>& kernels, const Planes<T>& planes) {
  const Words<std::uint16_t> words(memory);
  const bool real = storage.form == Storage::Form::real;
  if constexpr (std::is_same_v<T, float>) {
    if (by_tiles(block, lanes, 1, kernels)) {
      const auto write = [&](const float* plane, std::int64_t offset) {
        const auto convert = [&](const float* from, std::size_t count, std::int64_t at) {
          write_run(from, 1.0F, Run{0, 0, count, 1, 1}, words, at + offset);
        };
        write_converted_tiles(block, lanes, scale, kernels, convert, plane);
      };
      write(planes.real, 0);
      if (!real) write(planes.imaginary, storage.imaginary_offset);
      return;
    }
  }
  const T signed_scale = block.conjugated ? -scale : scale;
  for_each_run(block, lanes, [&](const Run& run) {
    if (is_run_of_pairs(storage, run)) {
      const Planes<T> from{planes.real + run.plane, planes.imaginary + run.plane};
      return write_pairs(from, scale, signed_scale, run, kernels, words);
    }
    write_run(planes.real + run.plane, scale, run, words, run.memory);
    if (real) return;
    write_run(planes.imaginary + run.plane, signed_scale, run, words, run.memory + storage.imaginary_offset);
  });
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                                  \
  template void read_words<T>(const Storage&, const InputMemory&, const Block&, std::size_t, const BlockKernels<T>&, \
                              const Planes<T>&);                                                                     \
  template void write_words<T>(const Storage&, const OutputMemory&, const Block&, std::size_t, T,                    \
                               const BlockKernels<T>&, const Planes<T>&);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
