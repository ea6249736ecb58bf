// NumPy's type codes.
#include "npy_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "errors.hpp"
#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

using Form = NpyType::Form;

constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';
constexpr char foreign_order = native_order == '<' ? '>' : '<';

struct TypeName {
  char letter;
  std::size_t bytes;
  std::string_view name;
  Form form;
};

// long double goes by its size, 16 bytes on x86-64, of which it uses 10.
constexpr std::array readable_types = {TypeName{'f', 2, "float16", Form::floating},
                                       TypeName{'f', 4, "float32", Form::floating},
                                       TypeName{'f', 8, "float64", Form::floating},
                                       TypeName{'f', sizeof(long double), "longdouble", Form::floating},
                                       TypeName{'c', 8, "complex64", Form::complex},
                                       TypeName{'c', 16, "complex128", Form::complex},
                                       TypeName{'c', 2 * sizeof(long double), "clongdouble", Form::complex},
                                       TypeName{'i', 1, "int8", Form::signed_integer},
                                       TypeName{'i', 2, "int16", Form::signed_integer},
                                       TypeName{'i', 4, "int32", Form::signed_integer},
                                       TypeName{'i', 8, "int64", Form::signed_integer},
                                       TypeName{'u', 1, "uint8", Form::unsigned_integer},
                                       TypeName{'u', 2, "uint16", Form::unsigned_integer},
                                       TypeName{'u', 4, "uint32", Form::unsigned_integer},
                                       TypeName{'u', 8, "uint64", Form::unsigned_integer},
                                       TypeName{'b', 1, "bool", Form::boolean}};

const TypeName* find_type(std::string_view code) {
  for (const TypeName& type : readable_types) {
    if (code == fmt::format("{}{}", type.letter, type.bytes)) return &type;
  }
  return nullptr;
}

// What cannot be read, by name where it is common.
std::string describe(const std::string& code) {
  if (code.ends_with('O')) return fmt::format("Python objects ('{}')", code);
  if (code.find('U') != std::string::npos || code.find('S') != std::string::npos)
    return fmt::format("text ('{}')", code);
  return fmt::format("'{}'", code);
}

template <class Integer>
void decode(std::span<const std::byte> bytes, std::span<double> doubles) {
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    Integer value{};
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    doubles[i] = static_cast<double>(value);
  }
}

template <class Integer1, class Integer2, class Integer4, class Integer8>
void decode_of_size(std::size_t size, std::span<const std::byte> bytes, std::span<double> doubles) {
  if (size == 1) return decode<Integer1>(bytes, doubles);
  if (size == 2) return decode<Integer2>(bytes, doubles);
  if (size == 4) return decode<Integer4>(bytes, doubles);
  decode<Integer8>(bytes, doubles);
}

}  // namespace

ElementType NpyType::element() const {
  if (is_integer()) return {Precision::float64, false};
  const bool complex = form == Form::complex;
  for (const Precision precision : {Precision::float16, Precision::float32, Precision::float64}) {
    if (element_bytes({precision, complex}) == bytes) return {precision, complex};
  }
  return {Precision::extended, complex};
}

NpyType parse_npy_type(const std::string& code) {
  const TypeName* type = code.empty() ? nullptr : find_type(std::string_view(code).substr(1));
  if (type == nullptr) {
    throw FileError(fmt::format(
        "expected floating-point numbers, complex numbers or integers, but its elements are {}; convert them "
        "with array.astype(numpy.float64)",
        describe(code)));
  }
  if (std::string_view("<>=|").find(code.front()) == std::string_view::npos) {
    throw FileError(fmt::format("'{}' has no byte order; expected '<', '>' or '|' first", code));
  }
  return {.form = type->form, .bytes = type->bytes, .swapped = code.front() == foreign_order};
}

std::string npy_type_code(ElementType type) {
  if (type == ElementType{Precision::float16, true}) {
    throw InvalidArgument("NumPy has no complex numbers of half precision; expected complex64 or larger");
  }
  return fmt::format("{}{}{}", native_order, type.complex ? 'c' : 'f', element_bytes(type));
}

std::string_view type_name(ElementType type) {
  if (type == ElementType{Precision::float16, true}) return "complex numbers of half precision";
  return find_type(npy_type_code(type).substr(1))->name;
}

void to_own_order(std::span<std::byte> elements, const NpyType& type) {
  if (!type.swapped) return;
  const std::size_t bytes = type.form == Form::complex ? type.bytes / 2 : type.bytes;
  for (auto number = elements.begin(); number != elements.end(); number += static_cast<std::ptrdiff_t>(bytes)) {
    std::reverse(number, number + static_cast<std::ptrdiff_t>(bytes));
  }
}

void decode_integers(std::span<const std::byte> bytes, const NpyType& type, std::span<double> doubles) {
  if (type.form == Form::signed_integer) {
    decode_of_size<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(type.bytes, bytes, doubles);
  } else {
    decode_of_size<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(type.bytes, bytes, doubles);
  }
}

}  // namespace twiddle::tool
