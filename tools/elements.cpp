// Conversions between element types, one loop for each pair of scalars.
#include "elements.hpp"

#include <type_traits>

#include "twiddle/error.hpp"

namespace twiddle::tool {
namespace {

template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<From, To>) {
    return value;
  } else if constexpr (std::is_same_v<From, Half>) {
    return convert<To>(to_float(value));
  } else if constexpr (std::is_same_v<To, Half>) {
    return to_half(static_cast<float>(value));
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace

std::size_t element_bytes(ElementType type) {
  return with_scalar_of(type.precision, [](auto scalar) { return sizeof(scalar); }) * (type.complex ? 2 : 1);
}

void convert_elements(std::span<const std::byte> from, ElementType from_type, std::span<std::byte> to,
                      ElementType to_type) {
  if (from_type.complex && !to_type.complex) {
    throw InvalidArgument("complex numbers cannot be converted to real ones; expected real elements");
  }
  const std::size_t scalars = from.size() / element_bytes({from_type.precision, false});
  const std::size_t distance = to_type.complex && !from_type.complex ? 2 : 1;
  with_scalar_of(from_type.precision, [&](auto from_scalar) {
    with_scalar_of(to_type.precision, [&](auto to_scalar) {
      const auto* source = reinterpret_cast<const decltype(from_scalar)*>(from.data());
      auto* destination = reinterpret_cast<decltype(to_scalar)*>(to.data());
      for (std::size_t i = 0; i < scalars; ++i) {
        destination[i * distance] = convert<decltype(to_scalar)>(source[i]);
        if (distance == 2) destination[i * 2 + 1] = decltype(to_scalar){};
      }
    });
  });
}

}  // namespace twiddle::tool
