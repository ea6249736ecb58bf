// NumPy's .npy files of numbers.
// A strict reader of our own: xtensor's (0.24) takes lengths from the file as signed bytes, allocates what a header
// declares before looking at the file's size, and does not notice missing data.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elements.hpp"
#include "npy_types.hpp"

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

// Integers and booleans become float64. Throws FileError unless the file is a whole and nothing but an array of
// numbers, of at least one dimension. Numbers in the other byte order are turned around.
[[nodiscard]] NpyArray read_npy(const std::string& path);

// Whether an array may have no elements.
enum class Empty { refused, allowed };

// A file of which parts are read at a time, checked as read_npy() does.
class NpyReader {
 public:
  explicit NpyReader(const std::string& path, Empty empty = Empty::refused);  // FileError

  [[nodiscard]] const NpyHeader& header() const { return header_; }
  [[nodiscard]] ElementType type() const { return type_.element(); }  // of what read() gives

  // `count` elements from the given one on, in file order, as many as `elements` has room for. FileError.
  void read(std::uint64_t first, std::span<std::byte> elements);

 private:
  std::string path_;
  std::ifstream stream_;
  NpyHeader header_;
  NpyType type_;
  std::uint64_t start_ = 0;  // of the data
  std::vector<std::byte> encoded_;
};

// What stands before the elements, in format 1.0. Throws InvalidArgument for a type that NumPy does not have.
[[nodiscard]] std::string npy_header(ElementType type, bool fortran_order, const std::vector<std::size_t>& shape);

// Writes format 1.0, all or nothing. Throws FileError, and InvalidArgument for a type that NumPy does not have.
void write_npy(const std::string& path, const NpyArray& array);

}  // namespace twiddle::tool
