// With X[k] frequency k of n reordered reals and w = 2 exp(-2 pi i k / 4n), dct2 is Re(w X[k]), and that of n - k is
// -Im(w X[k]), as X[n - k] is the conjugate of X[k] (Makhoul 1980); dst2 the same backwards. dht is Re X[k] - Im X[k],
// of n - k their sum: the parts of (1 + i) X[k]. dct3 begins with (x[k] - i x[n - k]) exp(2 pi i k / 4n).
#include "backend/host/odd_spectrum.hpp"

#include <numbers>

#include "backend/host/twiddle_tables.hpp"

namespace twiddle::backend::host {

template <class T>
std::optional<OddSpectrum<T>> OddSpectrum<T>::make(const plan::LineMap& map, T scale, std::int64_t targets) {
  using Rule = plan::LineMap::Rule;
  const bool loads = map.rule == Rule::dct3_load || map.rule == Rule::dst3_load;
  const bool hartley = map.rule == Rule::dht_store;
  const bool backwards = map.rule == Rule::dst2_store || map.rule == Rule::dst3_load;
  if (!loads && !hartley && map.rule != Rule::dct2_store && map.rule != Rule::dst2_store) return std::nullopt;
  const std::size_t half = map.length / 2 + 1;
  const bool whole =
      loads ? map.source_count == map.length && map.count == half : map.source_count == half && map.count == map.length;
  if (map.length % 2 == 0 || map.half_columns != map.length || !whole || !map.source_parts.empty()) return std::nullopt;
  const CombinationKernels<T> kernels = find_combinations<T>(targets);
  if (map.length / 2 < kernels.vector) return std::nullopt;
  const auto n = static_cast<std::ptrdiff_t>(map.length);
  OddSpectrum line;
  line.loads_ = loads;
  line.turned_.turn = loads ? kernels.turn_reals : kernels.spectrum_to_reals;
  line.turned_.call.items = half;
  line.turned_.call.sign = hartley ? T{1} : T{-1};
  // Of the reals of frequencies k and n - k.
  line.turned_.call.first = backwards ? n - 1 : 0;
  line.turned_.call.second = backwards ? -1 : n;
  line.turned_.call.step = backwards ? -1 : 1;
  const T weight = loads || hartley ? scale : 2 * scale;
  if (map.orthogonal && !hartley) line.first_weight_ = loads ? std::numbers::sqrt2_v<T> : std::numbers::sqrt2_v<T> / 2;
  line.turned_.roots = AlignedArray<T>(2 * half);
  const auto put = [&](std::size_t k, T real, T imaginary) {
    line.turned_.roots[2 * k] = real * weight;
    line.turned_.roots[2 * k + 1] = imaginary * weight;
  };
  if (hartley) {
    for (std::size_t k = 0; k < half; ++k) put(k, 1, 1);
  } else {
    for_each_root<T>(4 * map.length, 1, half, targets, [&](std::size_t k, const auto& root) {
      put(k, static_cast<T>(root.real()), static_cast<T>(root.imag()));
    });
  }
  return line;
}

template <class T>
void OddSpectrum<T>::apply(const T* source, T* to, std::size_t begin, std::size_t end) const {
  if (begin == 0) {
    if (loads_) {
      to[0] = first_weight_ * turned_.roots[0] * source[turned_.call.first];
      to[1] = 0;
    } else {
      to[turned_.call.first] = first_weight_ * (turned_.roots[0] * source[0] - turned_.roots[1] * source[1]);
    }
    ++begin;
  }
  turned_.apply(source, to, begin, end);
}

template class OddSpectrum<float>;
template class OddSpectrum<double>;
template class OddSpectrum<long double>;

}  // namespace twiddle::backend::host
