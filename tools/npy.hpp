// NumPy's .npy files of numbers.
// A strict reader of our own: xtensor's (0.24) takes lengths from the file as signed bytes, allocates what a header
// declares before looking at the file's size, and does not notice missing data.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elements.hpp"

namespace twiddle::tool {

// What the header says.
struct NpyHeader {
  std::string type;  // "<c8"
  bool fortran_order = false;
  std::vector<std::size_t> shape{};
  bool operator==(const NpyHeader&) const = default;
};

struct NpyArray {
  std::vector<std::size_t> shape{};
  bool fortran_order = false;  // the first dimension is contiguous, not the last
  ElementType type{};
  std::vector<std::byte> bytes{};  // the elements, in file order

  // The scalars, two for each complex number.
  template <class Scalar>
  [[nodiscard]] std::span<const Scalar> scalars() const {
    return {reinterpret_cast<const Scalar*>(bytes.data()), bytes.size() / sizeof(Scalar)};
  }
};

// Parses the Python dictionary {'descr': ..., 'fortran_order': ..., 'shape': ...}. Throws FileError.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view text);

// Integers and booleans become float64. Throws FileError unless the file is a whole and nothing but an array of numbers,
// of at least one dimension and element, in this machine's byte order.
[[nodiscard]] NpyArray read_npy(const std::string& path);

// Writes format 1.0, all or nothing. Throws FileError, and InvalidArgument for a type that NumPy does not have.
void write_npy(const std::string& path, const NpyArray& array);

}  // namespace twiddle::tool
