// Butterflies on packed complex numbers: the two parts of a number stand in neighbouring lanes of one vector, as in
// memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernel/schedule.hpp"

namespace twiddle::kernel {

// One operation on packed numbers: sign_a * factor * a + sign_b * b; without b only the product. Where `turned`, a is
// times -i (forward; times i for the inverse): its parts change places, and the factor's sign alternates over the
// lanes.
struct PackedStatement {
  std::size_t a = 0;  // inputs first, then the results of the statements
  std::optional<std::size_t> b;
  long double factor = 1;
  bool turned = false;
  bool negative_a = false;
  bool negative_b = false;
  bool operator==(const PackedStatement&) const = default;
};

struct PackedButterfly {
  unsigned radix = 1;
  std::vector<PackedStatement> statements;  // in an order in which they can be executed
  std::vector<std::size_t> outputs;
};

// The transform of `radix` packed numbers, made of the butterfly on real and imaginary parts: with every scalar s(re,
// im) in there, s(im, -re) is the same times -i, and both are one packed number. Throws InvalidArgument as
// butterfly_graph, but for plan::packed_line_radices, which are longer.
[[nodiscard]] PackedButterfly packed_butterfly(unsigned radix);

// The source text of that for the host (Highway):
//   template <class D, class V, class Load, class Store>
//   HWY_INLINE void PackedButterfly8(D d, V alternate, Load load, Store store)
// `alternate` is 1, -1, 1, -1, ... forward and its negative for the inverse; load(n) returns element n of as many
// transforms as a vector holds complex numbers, store(n, value) is called once for each as soon as it is ready.
[[nodiscard]] std::string packed_butterfly_source(unsigned radix);

}  // namespace twiddle::kernel
