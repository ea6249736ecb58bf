// Half the spectrum of reals as the passes of real_worker.cpp leave it, or take it, and the kernels that move it: as
// plain data, what they are called with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/pass.hpp"

namespace twiddle::backend::host {

// Of a line of `radix` * `columns` points, with half = radix / 2 + 1, place half * s + k of the planar data holds
// element radix * s + k, for 0 <= k < half; the other elements are conjugates of these.
struct SpectrumElement {
  std::size_t place = 0;   // where the element, or its conjugate, is
  std::size_t mirror = 0;  // another place, for its conjugate if not the same, that must be filled when places are
  bool conjugate = false;  // of what is at the place
};

// The first `count` elements.
[[nodiscard]] std::vector<SpectrumElement> spectrum_elements(std::size_t radix, std::size_t columns, std::size_t count);

// Elements of a bundle's lines, on planar data [place][lane].
template <class T>
struct SpectrumLanesCall {
  Planes<T> places;
  const SpectrumElement* elements = nullptr;
  std::size_t count = 0;
  std::size_t lanes = 1;           // a multiple of the vector's
  std::size_t active = 1;          // for rows: lanes that exist in memory, as in MoveCall
  T* memory = nullptr;             // interleaved, or real parts; not written when places are
  T* memory_imaginary = nullptr;   // planar [element][lane] where given
  std::ptrdiff_t memory_step = 2;  // of interleaved data as in MoveCall: between elements, or for rows between lines
  T scale = 1;                     // of what goes to memory
  T sign = 1;                      // multiplies all imaginary parts
};

// Elements of one line, next to each other.
template <class T>
struct SpectrumRowCall {
  Planes<T> places;  // a vector before the first place and one behind the last may be read, and written behind
  std::size_t radix = 1;
  std::size_t columns = 1;
  std::size_t count = 0;          // elements; all of radix * columns / 2 + 1 when places are written
  T* memory = nullptr;            // interleaved, or real parts
  T* memory_imaginary = nullptr;  // planar where given
  T scale = 1;
  T sign = 1;
};

// Rows of fewer reals than a vector has lanes, and planar data [element][lane].
template <class T>
struct ShortRowsCall {
  T* memory = nullptr;
  T* plane = nullptr;
  std::size_t count = 1;  // elements of a row
  std::size_t lanes = 1;  // as above
  std::size_t active = 1;
  std::ptrdiff_t memory_step = 1;  // between rows
  T scale = 1;                     // of what goes to memory
};

template <class T>
struct SpectrumKernels {
  // From places to elements ("unfold") and back ("fold").
  void (*unfold_lanes)(const SpectrumLanesCall<T>&);  // lanes are next to each other in memory, or it is planar
  void (*unfold_rows)(const SpectrumLanesCall<T>&);   // elements of a line are
  void (*unfold_row)(const SpectrumRowCall<T>&);
  void (*fold_lanes)(const SpectrumLanesCall<T>&);
  void (*fold_rows)(const SpectrumLanesCall<T>&);
  void (*fold_row)(const SpectrumRowCall<T>&);
  void (*reals_from_rows)(const ShortRowsCall<T>&);
  void (*reals_to_rows)(const ShortRowsCall<T>&);
  void (*copy_streamed)(const T* from, std::size_t count, T* to);  // past the cache; null where there is no SIMD
};

// For the best of the SIMD targets in the mask.
template <class T>
[[nodiscard]] SpectrumKernels<T> find_spectrum_kernels(std::int64_t targets);
template <>
SpectrumKernels<float> find_spectrum_kernels<float>(std::int64_t targets);
template <>
SpectrumKernels<double> find_spectrum_kernels<double>(std::int64_t targets);
template <>
SpectrumKernels<long double> find_spectrum_kernels<long double>(std::int64_t targets);

}  // namespace twiddle::backend::host
