// With E and T as in RealFrequenciesCall, frequency k of the reals is X[k] = (E + T) / 2, and that of half - k is
// conj(E - T) / 2. dct2 is Re(2 w X[k]) with w = exp(-2 pi i k / 4n), which for n - k is minus the imaginary part
// (Makhoul 1980); dst2 the same backwards; dht is Re X[k] - Im X[k], of n - k their sum.
#include "backend/host/real_frequencies.hpp"

#include <numbers>

#include "backend/host/twiddle_tables.hpp"

namespace twiddle::backend::host {

template <class T>
std::optional<RealFrequencies<T>> RealFrequencies<T>::make(const plan::LineMap& map, T scale, std::int64_t targets) {
  using Rule = plan::LineMap::Rule;
  const bool hartley = map.rule == Rule::dht_half_store;
  if (!hartley && map.rule != Rule::dct2_half_store && map.rule != Rule::dst2_half_store) return std::nullopt;
  if (!plan::is_whole(map) || map.half_columns != 0 || !map.source_parts.empty()) return std::nullopt;
  if (map.length / 4 < vector_lanes<T>(targets)) return std::nullopt;
  RealFrequencies line;
  line.half_ = map.length / 2;
  line.backwards_ = map.rule == Rule::dst2_half_store;
  line.scale_ = scale / 2;
  if (map.orthogonal && !hartley) line.first_weight_ = std::numbers::sqrt2_v<T> / 2;
  line.kernels_ = find_combinations<T>(targets);
  const std::size_t items = line.items();
  line.root_real_ = AlignedArray<T>(items);
  line.root_imaginary_ = AlignedArray<T>(items);
  for_each_root<T>(map.length, 1, items, targets, [&](std::size_t k, const auto& root) {
    line.root_real_[k] = static_cast<T>(root.imag());
    line.root_imaginary_[k] = -static_cast<T>(root.real());
  });
  if (hartley) return line;
  for (AlignedArray<T>* const table :
       {&line.factor_real_, &line.factor_imaginary_, &line.mirror_factor_real_, &line.mirror_factor_imaginary_}) {
    *table = AlignedArray<T>(items);
  }
  for_each_root<T>(4 * map.length, 1, line.half_ + 1, targets, [&](std::size_t k, const auto& root) {
    const T real = static_cast<T>(root.real()) * scale;
    const T imaginary = static_cast<T>(root.imag()) * scale;
    if (k < items) {
      line.factor_real_[k] = real;
      line.factor_imaginary_[k] = imaginary;
    }
    if (line.half_ - k < items) {
      line.mirror_factor_real_[line.half_ - k] = real;
      line.mirror_factor_imaginary_[line.half_ - k] = imaginary;
    }
  });
  return line;
}

// Frequencies 0 and half, which are real.
template <class T>
void RealFrequencies<T>::apply_first(const T* source, T* to) const {
  const T sum = 2 * (source[0] + source[1]);
  const T difference = 2 * (source[0] - source[1]);
  const bool hartley = factor_real_.size() == 0;
  const T first = (hartley ? scale_ : factor_real_[0]) * sum * first_weight_;
  const T middle = (hartley ? scale_ : mirror_factor_real_[0]) * difference;
  to[backwards_ ? 2 * half_ - 1 : 0] = first;
  to[backwards_ ? half_ - 1 : half_] = middle;
}

template <class T>
void RealFrequencies<T>::apply(const T* source, T* to, std::size_t begin, std::size_t end) const {
  if (begin == 0) {
    apply_first(source, to);
    ++begin;
  }
  RealFrequenciesCall<T> call{.source = source,
                              .to = to,
                              .root_real = root_real_.data(),
                              .root_imaginary = root_imaginary_.data(),
                              .factor_real = factor_real_.data(),
                              .factor_imaginary = factor_imaginary_.data(),
                              .mirror_factor_real = mirror_factor_real_.data(),
                              .mirror_factor_imaginary = mirror_factor_imaginary_.data(),
                              .scale = scale_,
                              .half = half_,
                              .begin = begin,
                              .end = end,
                              .backwards = backwards_};
  kernels_.real_frequencies(call);
}

template class RealFrequencies<float>;
template class RealFrequencies<double>;
template class RealFrequencies<long double>;

}  // namespace twiddle::backend::host
