// Sequences of factors, from the planner's in a longer precision.
#include "backend/host/factor_sequence.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

#include "backend/host/chirp_tables.hpp"
#include "backend/shared_values.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::backend::host {

namespace {

template <class T>
using Values = plan::LongVector<std::complex<T>>;

template <class T>
Values<T> planned_values(const plan::Factor& factor) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  Values<T> values;
  values.reserve(factor.count());
  for (const auto& value : plan::factor_values<Wide>(factor)) values.emplace_back(value);
  return values;
}

// The chirp and its spectrum in a small part of the time; none where these are not for double-double arithmetic.
template <class T>
Values<T> exact_values(const plan::Factor& factor, const DoubleDoubleKernels& kernels) {
  using Sequence = plan::Factor::Sequence;
  if (factor.length >= longest_chirp) return {};
  Values<T> values;
  if (factor.sequence == Sequence::chirp_spectrum && makes_chirp_spectrum(factor.padded, kernels)) {
    values.resize(factor.padded);
    make_chirp_spectrum(factor, 1, kernels, values.data());
  } else if (factor.sequence == Sequence::chirp || factor.sequence == Sequence::half_spectrum_chirp) {
    values.resize(factor.length);
    make_chirp(factor.length, kernels, values.data());
    values.resize(factor.count());
    if (factor.sequence == Sequence::half_spectrum_chirp) {
      for (std::uint64_t j = 1; j < factor.inputs; ++j) values[j] *= 2;
    }
  }
  if (factor.direction == Direction::inverse) {
    for (auto& value : values) value = std::conj(value);
  }
  return values;
}

}  // namespace

template <class T>
std::shared_ptr<const plan::LongVector<std::complex<T>>> factor_sequence(const plan::Factor& factor,
                                                                         std::int64_t targets) {
  using Key = std::tuple<plan::Factor::Sequence, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, Direction,
                         long double, const DoubleDoubleKernels*>;
  static SharedValues<Key, const Values<T>> shared;
  const DoubleDoubleKernels* kernels = nullptr;
  if constexpr (!std::is_same_v<T, long double>) kernels = find_double_double(targets);
  const Key key(factor.sequence, factor.length, factor.inputs, factor.outputs, factor.padded, factor.direction,
                factor.first_weight, kernels);
  return shared.get(key, [&] {
    Values<T> values;
    if constexpr (!std::is_same_v<T, long double>) {
      if (kernels != nullptr) values = exact_values<T>(factor, *kernels);
    }
    if (values.empty()) values = planned_values<T>(factor);
    return std::make_shared<const Values<T>>(std::move(values));
  });
}

#define TWIDDLE_HOST_FACTOR_SEQUENCE(T)                                                                     \
  template std::shared_ptr<const plan::LongVector<std::complex<T>>> factor_sequence<T>(const plan::Factor&, \
                                                                                       std::int64_t);
TWIDDLE_HOST_FACTOR_SEQUENCE(float)
TWIDDLE_HOST_FACTOR_SEQUENCE(double)
TWIDDLE_HOST_FACTOR_SEQUENCE(long double)
#undef TWIDDLE_HOST_FACTOR_SEQUENCE

}  // namespace twiddle::backend::host
