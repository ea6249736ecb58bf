// Tables of roots of unity, computed in extended precision and rounded once.
#include "backend/host/twiddle_tables.hpp"

#include <algorithm>
#include <array>

#include "backend/host/vector_roots.hpp"
#include "plan/tables.hpp"

namespace twiddle::backend::host {
namespace {

template <class T, class Real>
void put(T* real, T* imaginary, const std::complex<Real>& root) {
  *real = static_cast<T>(root.real());
  *imaginary = static_cast<T>(root.imag());
}

}  // namespace

// The roots of angles that have the same parts as that of `root`, element k, but for their signs and their order: all
// of them from elements up to an eighth of a turn, a quarter or a half.
template <class T>
void put_alike(std::uint64_t k, const RootValue<T>& root, AllRoots<T>& values) {
  const std::uint64_t n = values.size();
  const std::uint64_t quarter = n % 4 == 0 ? n / 4 : 0;
  const std::uint64_t half = n % 2 == 0 ? n / 2 : 0;
  const auto put_mirrored = [&](std::uint64_t at, T real, T imaginary) {  // and its conjugate
    values[at] = {real, imaginary};
    if (at != 0) values[n - at] = {real, -imaginary};
  };
  if (quarter != 0) {
    put_mirrored(quarter + k, root.imaginary, -root.real);
    put_mirrored(quarter - k, -root.imaginary, -root.real);
  }
  if (half != 0) put_mirrored(half - k, -root.real, root.imaginary);
  put_mirrored(k, root.real, root.imaginary);
}

template <class T>
AllRoots<T> all_roots(std::uint64_t n, std::int64_t targets) {
  AllRoots<T> values(n);
  const std::uint64_t computed = n / (n % 4 == 0 ? 8 : n % 2 == 0 ? 4 : 2) + 1;
  if constexpr (!std::is_same_v<T, long double>) {
    if (const DoubleDoubleKernels* const kernels = find_double_double(targets)) {
      std::array<std::array<double, RootBlocks::size>, 4> parts;
      const auto& [re, re_low, im, im_low] = parts;
      RootBlocks blocks(n, *kernels);
      for (std::uint64_t begin = 0; begin < computed; begin += RootBlocks::size) {
        const std::size_t count = std::min<std::uint64_t>(RootBlocks::size, computed - begin);
        blocks.next(count, {parts[0].data(), parts[1].data(), parts[2].data(), parts[3].data()});
        for (std::size_t i = 0; i < count; ++i) {
          put_alike(begin + i, {static_cast<T>(re[i] + re_low[i]), static_cast<T>(im[i] + im_low[i])}, values);
        }
      }
      return values;
    }
  }
  const Roots<T> roots{n};
  for (std::uint64_t k = 0; k < computed; ++k) {
    RootValue<T> root;
    put(&root.real, &root.imaginary, roots(k));
    put_alike(k, root, values);
  }
  return values;
}

template <class T>
AlignedArray<T> broadcast_twiddles(const AllRoots<T>& roots, std::size_t columns, unsigned radix, unsigned results) {
  const std::size_t step = roots.size() / (columns * radix);
  AlignedArray<T> table(columns * (results - 1) * 2);
  T* next = table.data();
  for (std::size_t p = 0; p < columns; ++p) {
    for (unsigned k = 1; k < results; ++k, next += 2) {
      next[0] = roots[p * k * step].real;
      next[1] = roots[p * k * step].imaginary;
    }
  }
  return table;
}

template <class T>
AlignedArray<T> column_twiddles(const AllRoots<T>& roots, std::size_t columns, unsigned radix, unsigned results,
                                std::size_t lanes) {
  const std::size_t step = roots.size() / (columns * radix);
  const std::size_t vectors = (columns + lanes - 1) / lanes;
  AlignedArray<T> table(vectors * lanes * (results - 1) * 2);
  T* next = table.data();
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    const std::size_t begin = columns < lanes ? 0 : std::min(vector * lanes, columns - lanes);
    for (unsigned k = 1; k < results; ++k, next += 2 * lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        // Lanes that no column is in have any root.
        const std::size_t column = std::min(begin + lane, columns - 1);
        const RootValue<T>& root = roots[column * k * step];
        next[lane] = root.real;
        next[lanes + lane] = root.imaginary;
      }
    }
  }
  return table;
}

template <class T>
AlignedArray<T> lane_twiddles(std::size_t length, std::size_t lanes, std::uint64_t modulus) {
  const Roots<T> roots{modulus};
  AlignedArray<T> table(length * lanes * 2);
  T* next = table.data();
  for (std::size_t k = 0; k < length; ++k, next += 2 * lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto root = roots(k * lane);
      next[lane] = static_cast<T>(root.real() - 1);
      next[lanes + lane] = static_cast<T>(root.imag());
    }
  }
  return table;
}

template <class T>
AlignedArray<T> block_twiddles(std::size_t length, std::size_t blocks, std::size_t step, std::uint64_t modulus,
                               bool times_i) {
  const Roots<T> roots{modulus};
  AlignedArray<T> table(length * blocks * 2);
  T* next = table.data();
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t k = 0; k < length; ++k, next += 2) {
      const auto root = roots(k * block * step);
      put(next, next + 1, times_i ? std::complex(-root.imag(), root.real()) : root);
    }
  }
  return table;
}

template <class T>
AlignedArray<T> direct_roots(unsigned radix, std::int64_t targets) {
  const AllRoots<T> roots = all_roots<T>(radix, targets);
  const unsigned half = radix / 2;
  AlignedArray<T> table(std::size_t{half} * half * 2);
  T* next = table.data();
  for (unsigned k = 1; k <= half; ++k) {
    for (unsigned j = 1, power = k; j <= half; ++j, next += 2, power += k) {
      if (power >= radix) power -= radix;
      next[0] = roots[power].real;
      next[1] = roots[power].imaginary;
    }
  }
  return table;
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                              \
  template AllRoots<T> all_roots<T>(std::uint64_t, std::int64_t);                                                \
  template AlignedArray<T> broadcast_twiddles<T>(const AllRoots<T>&, std::size_t, unsigned, unsigned);           \
  template AlignedArray<T> column_twiddles<T>(const AllRoots<T>&, std::size_t, unsigned, unsigned, std::size_t); \
  template AlignedArray<T> lane_twiddles<T>(std::size_t, std::size_t, std::uint64_t);                            \
  template AlignedArray<T> block_twiddles<T>(std::size_t, std::size_t, std::size_t, std::uint64_t, bool);        \
  template AlignedArray<T> direct_roots<T>(unsigned, std::int64_t);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
