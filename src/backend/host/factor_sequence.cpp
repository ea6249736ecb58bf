// Sequences of factors, from the planner's in a longer precision.
#include "backend/host/factor_sequence.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

#include "backend/shared_values.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::backend::host {

template <class T>
std::shared_ptr<const plan::LongVector<std::complex<T>>> factor_sequence(const plan::Factor& factor) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  using Values = plan::LongVector<std::complex<T>>;
  using Key = std::tuple<plan::Factor::Sequence, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, Direction>;
  static SharedValues<Key, const Values> shared;
  const Key key(factor.sequence, factor.length, factor.inputs, factor.outputs, factor.padded, factor.direction);
  return shared.get(key, [&] {
    Values values;
    values.reserve(factor.count());
    for (const auto& value : plan::factor_values<Wide>(factor)) values.emplace_back(value);
    return std::make_shared<const Values>(std::move(values));
  });
}

#define TWIDDLE_HOST_FACTOR_SEQUENCE(T) \
  template std::shared_ptr<const plan::LongVector<std::complex<T>>> factor_sequence<T>(const plan::Factor&);
TWIDDLE_HOST_FACTOR_SEQUENCE(float)
TWIDDLE_HOST_FACTOR_SEQUENCE(double)
TWIDDLE_HOST_FACTOR_SEQUENCE(long double)
#undef TWIDDLE_HOST_FACTOR_SEQUENCE

}  // namespace twiddle::backend::host
