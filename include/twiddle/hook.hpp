// Functions of the user's that a transform applies to every element as it reads or before it writes it: windowing,
// conversion from integers, magnitude, decibels.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twiddle/buffer.hpp"

namespace twiddle {

// A hook is the same function twice: as text for devices and as a C++ callable for the host; one of them may be missing
// where it is not needed (Unsupported says so where it is). It must give the same result for the same arguments, and may
// be called more than once for an element.
struct Hook {
  // Statements in what OpenCL C and CUDA C++ have in common. They may use and change
  //   TW_COMPLEX value      the element: value.x and value.y are float or double, as the transform computes; of a real
  //                         element, read or written, y is 0 and only x counts
  // and use
  //   TW_INDEX index        where it stands in memory, in elements of its layout
  //   parameters[i]         the numbers below, as TW_REAL
  //   user                  the buffer given to the plan (HookBuffers), TW_GLOBAL const void*; on CUDA not for __ldg
  // Example, a window: "value.x *= ((TW_GLOBAL const TW_REAL*)user)[index % 1024]; ..."
  std::string source{};
  // The value that an element becomes; `index` as above.
  std::function<std::complex<double>(std::complex<double> value, std::uint64_t index)> function{};
  std::vector<double> parameters{};
  std::string name{};  // what problems call it; only named_hook() gives one
  // Load hooks on devices alone, out of place and where the input may not be overwritten: the source makes every element
  // from any of the input, which is as large as without. It may then also use
  //   memory                the input, TW_GLOBAL const void*
  // Of complex numbers it makes `value`, of planar and of real data each scalar, value.x.
  // Example, 640 elements from the last to the first:
  //   "value = ((TW_GLOBAL const TW_COMPLEX*)memory)[639 - index];"
  bool gathers = false;
  // Neighbours, for the results of convolutions alone (Convolution::store_hook): so many results before and behind each
  // one are read too, at most most_neighbours together. The source may then also use
  //   neighbours[d]         TW_COMPLEX, the result d behind this one, -left <= d <= right; neighbours[0] is as `value`
  //   was
  // and the host calls neighbour_function, whose neighbours[d] are the same, instead of `function`.
  // Example, peaks stay and all else becomes 0:
  //   "if (neighbours[-1].x > value.x || neighbours[1].x > value.x) value.x = 0;"
  std::size_t left = 0;
  std::size_t right = 0;
  std::function<std::complex<double>(const std::complex<double>* neighbours, std::uint64_t index)> neighbour_function{};
  static constexpr std::size_t most_neighbours = 256;
};

// The hooks that problems can name (problem.hpp): the same object for the same name, so that transforms which name it are
// equal.
//   alternate    every other element, by its place in memory, changes its sign: the frequency 0 moves to the middle
//   bartlett/P   a triangular window for rows of P elements: times 2 min(i, P - i) / P, where i = index mod P
//   conjugate    the complex conjugate
//   power        the square of the magnitude, a real number
// Throws InvalidArgument for any other name, or a P that is not from 1 to 2^31 - 1.
[[nodiscard]] std::shared_ptr<const Hook> named_hook(std::string_view name);

// Memory that the hooks' sources see as `user`. Kept alive by the plan; must be of its device.
struct HookBuffers {
  std::shared_ptr<const Buffer> load{};
  std::shared_ptr<const Buffer> store{};
};

}  // namespace twiddle
