// NumPy's names for the types of elements ("<f8"), and which of them can be read.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elements.hpp"

namespace twiddle::tool {

// The type of a file's elements. Floating-point and complex ones are computed with as they are; integers and booleans
// as double, as NumPy does.
struct NpyType {
  enum class Form { floating, complex, signed_integer, unsigned_integer, boolean };
  Form form = Form::floating;
  std::size_t bytes = 4;  // of one element in the file
  bool swapped = false;   // numbers are in the byte order that is not this machine's
  bool operator==(const NpyType&) const = default;

  [[nodiscard]] bool is_integer() const { return form != Form::floating && form != Form::complex; }
  [[nodiscard]] ElementType element() const;  // in memory
};

// Throws FileError for any other type, naming the remedy.
[[nodiscard]] NpyType parse_npy_type(const std::string& code);

// "<c8" for complex64. There is none for complex numbers of half precision (InvalidArgument).
[[nodiscard]] std::string npy_type_code(ElementType type);

// "complex64"; "complex numbers of half precision" for what NumPy does not have.
[[nodiscard]] std::string_view type_name(ElementType type);

// Turns each number's bytes around, where they came in the other order; of complex elements each part's.
void to_own_order(std::span<std::byte> elements, const NpyType& type);

// As many integers as `doubles` has room for, read from a file's bytes, in this machine's order.
void decode_integers(std::span<const std::byte> bytes, const NpyType& type, std::span<double> doubles);

}  // namespace twiddle::tool
