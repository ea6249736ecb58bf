// NumPy's .npy files of complex64 elements.
// A strict reader of our own: xtensor's (0.24) takes lengths from the file as signed bytes, allocates what a header
// declares before looking at the file's size, and does not notice missing data.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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
  bool fortran_order = false;                 // the first dimension is contiguous, not the last
  std::vector<std::complex<float>> values{};  // in file order
};

// Parses the Python dictionary {'descr': ..., 'fortran_order': ..., 'shape': ...}. Throws FileError.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view text);

// Throws FileError unless the file is a whole and nothing but a complex64 array of at least one dimension and element.
[[nodiscard]] NpyArray read_npy(const std::string& path);

// Writes format 1.0, all or nothing. Throws FileError.
void write_npy(const std::string& path, const NpyArray& array);

}  // namespace twiddle::tool
