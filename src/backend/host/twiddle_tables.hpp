// The roots of unity that passes and stages multiply by, laid out as the kernels read them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/double_double.hpp"
#include "backend/host/vector_roots.hpp"
#include "plan/lower/stage.hpp"
#include "plan/numbers/exact_number.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::backend::host {

// In a longer precision, as float and double need no more. Long double gets the nearest values, which products of two
// are not.
template <class T>
using Roots =
    std::conditional_t<std::is_same_v<T, long double>, plan::NearestRoots,
                       plan::ProductsOfRoots<std::conditional_t<std::is_same_v<T, float>, double, long double>>>;

// The kernels that make n's roots for tables of T, if there are any.
template <class T>
[[nodiscard]] const DoubleDoubleKernels* root_kernels(std::uint64_t n, std::int64_t targets) {
  if constexpr (std::is_same_v<T, long double>) return nullptr;
  return n <= RootSteps::most ? find_double_double(targets) : nullptr;
}

// As many roots as are made at once.
struct RootBlock {
  std::array<std::array<double, RootBlocks::size>, 4> parts;

  [[nodiscard]] DoubleDoublePlanes planes() {
    return {parts[0].data(), parts[1].data(), parts[2].data(), parts[3].data()};
  }
  [[nodiscard]] plan::ExactComplex operator[](std::size_t i) const { return {part(0, i), part(2, i)}; }

 private:
  [[nodiscard]] plan::ExactNumber part(std::size_t high, std::size_t i) const {
    constexpr double least = 0x1p-50;  // other than zero they are above 2 pi / n
    if (std::abs(parts[high][i]) < least) return 0;
    return {parts[high][i], parts[high + 1][i]};
  }
};

// Calls put(k, exp(-2 pi i (first + k step) / n)) for k = 0, 1, ..., `count` of them; first < n. Roots are complex
// numbers of a precision that float and double, to which they are rounded in the end, do not tell from the exact ones,
// and exact at quarter turns. `targets`: a mask of SIMD targets.
template <class T, class Put>
void for_each_root_from(std::uint64_t first, std::uint64_t n, std::uint64_t step, std::uint64_t count,
                        std::int64_t targets, const Put& put) {
  step %= n;
  if (const DoubleDoubleKernels* const kernels = root_kernels<T>(n, targets)) {
    RootBlock block;
    RootBlocks blocks(n, step, count, *kernels, first);
    for (std::uint64_t begin = 0; begin < count; begin += RootBlocks::size) {
      const std::size_t size = std::min<std::uint64_t>(RootBlocks::size, count - begin);
      blocks.next(size, block.planes());
      for (std::size_t i = 0; i < size; ++i) put(begin + i, block[i]);
    }
    return;
  }
  const Roots<T> roots{n};
  for (std::uint64_t k = 0; k < count; ++k) put(k, roots(first + k * step));
}

// Likewise from the root 1 on.
template <class T, class Put>
void for_each_root(std::uint64_t n, std::uint64_t step, std::uint64_t count, std::int64_t targets, const Put& put) {
  for_each_root_from<T>(0, n, step, count, targets, put);
}

// Likewise put(row, k, exp(-2 pi i row k step / n)) for each row below `rows` and k below `count`.
template <class T, class Put>
void for_each_root_of_rows(std::uint64_t n, std::uint64_t step, std::uint64_t rows, std::uint64_t count,
                           std::int64_t targets, const Put& put) {
  const DoubleDoubleKernels* const kernels = root_kernels<T>(n, targets);
  if (kernels == nullptr) {
    const Roots<T> roots{n};
    for (std::uint64_t row = 0; row < rows; ++row) {
      for (std::uint64_t k = 0; k < count; ++k) put(row, k, roots(row * step % n * k));
    }
    return;
  }
  if (count >= RootBlocks::size) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      for_each_root<T>(n, row * step, count, targets, [&](std::uint64_t k, const auto& root) { put(row, k, root); });
    }
    return;
  }
  // Rows of less than a block are no progressions that would pay: as many as fit one, each root by itself.
  const RootSteps steps(n);
  const std::uint64_t together = RootBlocks::size / count;
  std::array<double, RootBlocks::size> powers{};
  RootBlock block;
  for (std::uint64_t begin = 0; begin < rows; begin += together) {
    const std::uint64_t end = std::min(begin + together, rows);
    std::size_t size = 0;
    for (std::uint64_t row = begin; row < end; ++row) {
      const std::uint64_t row_step = row * step % n;
      for (std::uint64_t k = 0, power = 0; k < count; ++k) {
        powers[size++] = static_cast<double>(power);
        power += row_step;
        if (power >= n) power -= n;
      }
    }
    kernels->roots(steps, powers.data(), size, block.planes());
    for (std::size_t i = 0; i < size; ++i) put(begin + i / count, i % count, block[i]);
  }
}

// Of a root, or of what is made of it, one part times the scale, rounded once.
template <class T, class Part>
[[nodiscard]] T scaled_part(const Part& part, long double scale) {
  return scale == 1 ? static_cast<T>(part) : static_cast<T>(static_cast<long double>(part) * scale);
}

// A root in the precision of a table.
template <class T>
struct RootValue {
  T real;
  T imaginary;
};

// exp(-2 pi i k / n) times `scale` for k = 0..n-1, rounded once: for tables that take each of them many times.
// `targets`: a mask of SIMD targets.
template <class T>
using AllRoots = std::vector<RootValue<T>>;
template <class T>
[[nodiscard]] AllRoots<T> all_roots(std::uint64_t n, std::int64_t targets, long double scale = 1);

// For a pass of `radix` over `columns` that makes `results` elements of a column, broadcast to all lanes:
// [p][k = 1..results-1][real, imaginary] of exp(-2 pi i p k / (radix columns)). The roots are those of a multiple of
// radix columns.
template <class T>
[[nodiscard]] AlignedArray<T> broadcast_twiddles(const AllRoots<T>& roots, std::size_t columns, unsigned radix,
                                                 unsigned results);

// The same for a first pass whose vectors hold `lanes` columns: [vector][k][real, imaginary][lane], where the last
// vector starts at columns - lanes (or at 0). `lane_columns`: which of a vector's columns each lane holds, the same one
// where it is empty.
template <class T>
[[nodiscard]] AlignedArray<T> column_twiddles(const AllRoots<T>& roots, std::size_t columns, unsigned radix,
                                              unsigned results, std::size_t lanes,
                                              std::span<const std::size_t> lane_columns = {});

// The same of each vector's first column alone, [vector][k][real, imaginary]: lane_twiddles of as many columns say by
// what part the others differ from it.
template <class T>
[[nodiscard]] AlignedArray<T> first_column_twiddles(const AllRoots<T>& roots, std::size_t columns, unsigned radix,
                                                    std::size_t lanes);

// [k = 0..length-1][real, imaginary][lane] of exp(-2 pi i k lane / modulus) - 1, which is small: a root w times the
// root of a lane is w plus w times this, and as exact as w. `lanes` says which of a vector's rows each lane is.
// `hermitian` ones as plan::StageTwiddle says.
template <class T>
[[nodiscard]] AlignedArray<T> lane_twiddles(std::size_t length, std::span<const std::size_t> lanes,
                                            const plan::StageTwiddle& twiddle, std::int64_t targets);

// [block][k = 0..length-1][real, imaginary] of exp(-2 pi i k block step / modulus) times `scale`, by which it is
// rounded again, or that times i; likewise.
template <class T>
[[nodiscard]] AlignedArray<T> block_twiddles(std::size_t length, std::size_t blocks, std::size_t step,
                                             const plan::StageTwiddle& twiddle, long double scale,
                                             std::int64_t targets);

// [k = 1..radix/2][j = 1..radix/2][real, imaginary] of exp(-2 pi i j k / radix), for an odd radix.
template <class T>
[[nodiscard]] AlignedArray<T> direct_roots(unsigned radix, std::int64_t targets);

}  // namespace twiddle::backend::host
