// The definitions in hook.hpp, worked out here and not by the library.
#include "verify/reference_hook.hpp"

#include <cmath>
#include <string>

#include "twiddle/error.hpp"

namespace twiddle::verify {

ReferenceHook reference_hook(const Hook& hook) {
  if (hook.name == "alternate") {
    return {[](Value value, std::int64_t index) { return index % 2 == 0 ? value : -value; }};
  }
  if (hook.name == "conjugate") {
    return {[](Value value, std::int64_t) { return Value(value.real(), -value.imag()); }};
  }
  if (hook.name == "power") {
    const auto square = [](Value value, std::int64_t) {
      return Value(value.real() * value.real() + value.imag() * value.imag());
    };
    return {square, false, 1.5};
  }
  if (hook.name.starts_with("bartlett/")) {
    const long double period = std::stold(hook.name.substr(9));
    const auto weigh = [period](Value value, std::int64_t index) {
      const long double place =
          static_cast<long double>(index) - period * std::floor(static_cast<long double>(index) / period);
      return value * (1 - std::abs(2 * place / period - 1));
    };
    return {weigh, true, 1.5};
  }
  throw InvalidArgument("a hook of yours cannot be verified; expected one that problems can name, such as store=power");
}

}  // namespace twiddle::verify
