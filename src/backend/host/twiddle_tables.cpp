// Tables of roots of unity, computed in extended precision and rounded once.
#include "backend/host/twiddle_tables.hpp"

#include <algorithm>

namespace twiddle::backend::host {
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
AllRoots<T> all_roots(std::uint64_t n, std::int64_t targets, long double scale) {
  AllRoots<T> values(n);
  const std::uint64_t computed = n / (n % 4 == 0 ? 8 : n % 2 == 0 ? 4 : 2) + 1;
  for_each_root<T>(n, 1, computed, targets, [&](std::uint64_t k, const auto& root) {
    put_alike(k, {scaled_part<T>(root.real(), scale), scaled_part<T>(root.imag(), scale)}, values);
  });
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

namespace {
// Of a vector, the last of which ends with the last column.
std::size_t first_column(std::size_t vector, std::size_t lanes, std::size_t columns) {
  return columns < lanes ? 0 : std::min(vector * lanes, columns - lanes);
}
}  // namespace

template <class T>
AlignedArray<T> column_twiddles(const AllRoots<T>& roots, std::size_t columns, unsigned radix, unsigned results,
                                std::size_t lanes, std::span<const std::size_t> lane_columns) {
  const std::size_t step = roots.size() / (columns * radix);
  const std::size_t vectors = (columns + lanes - 1) / lanes;
  AlignedArray<T> table(vectors * lanes * (results - 1) * 2);
  T* next = table.data();
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    const std::size_t begin = first_column(vector, lanes, columns);
    for (unsigned k = 1; k < results; ++k, next += 2 * lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        // Lanes that no column is in have any root.
        const std::size_t held = lane_columns.empty() ? lane : lane_columns[lane];
        const std::size_t column = std::min(begin + held, columns - 1);
        const RootValue<T>& root = roots[column * k * step];
        next[lane] = root.real;
        next[lanes + lane] = root.imaginary;
      }
    }
  }
  return table;
}

template <class T>
AlignedArray<T> first_column_twiddles(const AllRoots<T>& roots, std::size_t columns, unsigned radix,
                                      std::size_t lanes) {
  const std::size_t step = roots.size() / (columns * radix);
  const std::size_t vectors = (columns + lanes - 1) / lanes;
  AlignedArray<T> table(vectors * (radix - 1) * 2);
  T* next = table.data();
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    const std::size_t column = first_column(vector, lanes, columns);
    for (unsigned k = 1; k < radix; ++k, next += 2) {
      next[0] = roots[column * k * step].real;
      next[1] = roots[column * k * step].imaginary;
    }
  }
  return table;
}

// Those of the elements beyond the middle, of so many numbers each: the conjugates of their mirror images'.
template <class T>
void mirror_upper_half(std::size_t length, std::size_t lanes, T* table) {
  for (std::size_t k = length / 2 + 1; k < length; ++k) {
    const T* const mirrored = table + (length - k) * 2 * lanes;
    T* const place = table + k * 2 * lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      place[lane] = mirrored[lane];
      place[lanes + lane] = -mirrored[lanes + lane];
    }
  }
}

template <class T>
AlignedArray<T> lane_twiddles(std::size_t length, std::span<const std::size_t> lanes, const plan::StageTwiddle& twiddle,
                              std::int64_t targets) {
  const std::size_t count = lanes.size();
  std::vector<std::size_t> places(count);  // of the rows
  for (std::size_t lane = 0; lane < count; ++lane) places[lanes[lane]] = lane;
  AlignedArray<T> table(length * count * 2);
  for_each_root_of_rows<T>(twiddle.modulus, 1, count, length, targets,
                           [&](std::uint64_t row, std::uint64_t k, const auto& root) {
                             T* const place = table.data() + k * 2 * count + places[row];
                             place[0] = static_cast<T>(root.real() - 1);
                             place[count] = static_cast<T>(root.imag());
                           });
  if (twiddle.hermitian) mirror_upper_half(length, count, table.data());
  return table;
}

template <class T>
AlignedArray<T> block_twiddles(std::size_t length, std::size_t blocks, std::size_t step,
                               const plan::StageTwiddle& twiddle, long double scale, std::int64_t targets) {
  AlignedArray<T> table(length * blocks * 2);
  for_each_root_of_rows<T>(twiddle.modulus, step, blocks, length, targets,
                           [&](std::uint64_t block, std::uint64_t k, const auto& root) {
                             using Wide = std::decay_t<decltype(root.real())>;
                             const Wide real = root.real() * static_cast<Wide>(scale);
                             const Wide imaginary = root.imag() * static_cast<Wide>(scale);
                             T* const place = table.data() + (block * length + k) * 2;
                             place[0] = static_cast<T>(twiddle.times_i ? -imaginary : real);
                             place[1] = static_cast<T>(twiddle.times_i ? real : imaginary);
                           });
  for (std::size_t block = 0; twiddle.hermitian && block < blocks; ++block) {
    mirror_upper_half(length, 1, table.data() + block * length * 2);
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

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                               \
  template AllRoots<T> all_roots<T>(std::uint64_t, std::int64_t, long double);                                    \
  template AlignedArray<T> broadcast_twiddles<T>(const AllRoots<T>&, std::size_t, unsigned, unsigned);            \
  template AlignedArray<T> column_twiddles<T>(const AllRoots<T>&, std::size_t, unsigned, unsigned, std::size_t,   \
                                              std::span<const std::size_t>);                                      \
  template AlignedArray<T> first_column_twiddles<T>(const AllRoots<T>&, std::size_t, unsigned, std::size_t);      \
  template AlignedArray<T> lane_twiddles<T>(std::size_t, std::span<const std::size_t>, const plan::StageTwiddle&, \
                                            std::int64_t);                                                        \
  template AlignedArray<T> block_twiddles<T>(std::size_t, std::size_t, std::size_t, const plan::StageTwiddle&,    \
                                             long double, std::int64_t);                                          \
  template AlignedArray<T> direct_roots<T>(unsigned, std::int64_t);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
