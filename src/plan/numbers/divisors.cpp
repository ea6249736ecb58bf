// By trial up to the square root.
#include "plan/numbers/divisors.hpp"

namespace twiddle::plan {

std::vector<std::size_t> divisors_of(std::size_t number) {
  std::vector<std::size_t> divisors;
  divisors.reserve(64);  // most lengths have no more
  for (std::size_t divisor = 1; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) divisors.push_back(divisor);
  }
  for (std::size_t i = divisors.size(); i-- > 0;) {
    const std::size_t other = number / divisors[i];
    if (other != divisors[i]) divisors.push_back(other);
  }
  return divisors;
}

}  // namespace twiddle::plan
