// Coefficients of the transforms.
#include "verify/definition.hpp"

#include "plan/numbers/real_definition.hpp"

namespace twiddle::verify {

Value coefficient(Kind kind, std::uint64_t n, std::uint64_t j, std::uint64_t k, bool inverse, bool orthogonal) {
  if (kind == Kind::c2c || kind == Kind::r2c) {
    const Value root = unit_root(j * k % n, n);
    return inverse ? std::conj(root) : root;
  }
  const long double weight = orthogonal ? plan::orthogonal_weight(kind, n, j, k) : 1;
  return weight * plan::real_coefficient(kind, n, j, k, unit_root);
}

}  // namespace twiddle::verify
