// Tables of roots of unity, computed in extended precision and rounded once.
#include "backend/host/twiddle_tables.hpp"

#include <algorithm>

#include "plan/tables.hpp"

namespace twiddle::backend::host {
namespace {

void put(float* real, float* imaginary, std::uint64_t k, std::uint64_t n) {
  const std::complex<long double> root = plan::root_of_unity(k, n);
  *real = static_cast<float>(root.real());
  *imaginary = static_cast<float>(root.imag());
}

}  // namespace

AlignedArray<float> broadcast_twiddles(std::size_t columns, unsigned radix) {
  AlignedArray<float> table(columns * (radix - 1) * 2);
  float* next = table.data();
  for (std::size_t p = 0; p < columns; ++p) {
    for (unsigned k = 1; k < radix; ++k, next += 2) put(next, next + 1, p * k, columns * radix);
  }
  return table;
}

AlignedArray<float> column_twiddles(std::size_t columns, unsigned radix, std::size_t lanes) {
  const std::size_t vectors = (columns + lanes - 1) / lanes;
  AlignedArray<float> table(vectors * lanes * (radix - 1) * 2);
  float* next = table.data();
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    const std::size_t begin = columns < lanes ? 0 : std::min(vector * lanes, columns - lanes);
    for (unsigned k = 1; k < radix; ++k, next += 2 * lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        put(next + lane, next + lanes + lane, (begin + lane) * k, columns * radix);
      }
    }
  }
  return table;
}

AlignedArray<float> lane_twiddles(std::size_t length, std::size_t lanes, std::uint64_t modulus) {
  AlignedArray<float> table(length * lanes * 2);
  float* next = table.data();
  for (std::size_t k = 0; k < length; ++k, next += 2 * lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) put(next + lane, next + lanes + lane, k * lane, modulus);
  }
  return table;
}

AlignedArray<float> block_twiddles(std::size_t length, std::size_t blocks, std::size_t step, std::uint64_t modulus) {
  AlignedArray<float> table(length * blocks * 2);
  float* next = table.data();
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t k = 0; k < length; ++k, next += 2) put(next, next + 1, k * block * step, modulus);
  }
  return table;
}

AlignedArray<float> direct_roots(unsigned radix) {
  const unsigned half = radix / 2;
  AlignedArray<float> table(std::size_t{half} * half * 2);
  float* next = table.data();
  for (unsigned k = 1; k <= half; ++k) {
    for (unsigned j = 1; j <= half; ++j, next += 2) put(next, next + 1, j * k, radix);
  }
  return table;
}

}  // namespace twiddle::backend::host
