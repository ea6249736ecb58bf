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
  for_each_run(block, lanes, [&](const Run& run) {
    read_run(words, run.memory, run, T{1}, planes.real + run.plane);
    if (real) return;
    const T sign = block.conjugated ? T{-1} : T{1};
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
  for_each_run(block, lanes, [&](const Run& run) {
    write_run(planes.real + run.plane, scale, run, words, run.memory);
    if (real) return;
    const T signed_scale = block.conjugated ? -scale : scale;
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
