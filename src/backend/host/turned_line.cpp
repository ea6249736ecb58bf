// Each item is (a + i b) w with w = exp(-2 pi i k / 4n) for dct3, whose (a - i b) conj(w) is the conjugate of that, and
// w = exp(-2 pi i (8k + 1) / 16n) for dct4 (plan/lower/map_formulas.hpp).
#include "backend/host/turned_line.hpp"

#include <numbers>

#include "backend/host/twiddle_tables.hpp"

namespace twiddle::backend::host {

template <class T>
std::optional<TurnedLine<T>> TurnedLine<T>::make(const plan::LineMap& map, T scale, std::int64_t targets) {
  using Rule = plan::LineMap::Rule;
  const bool cosine3 = map.rule == Rule::dct3_half_before || map.rule == Rule::dst3_half_before;
  const bool cosine4_store = map.rule == Rule::dct4_half_store || map.rule == Rule::dst4_half_store;
  const bool cosine4_load = map.rule == Rule::dct4_half_load || map.rule == Rule::dst4_half_load;
  if (!cosine3 && !cosine4_load && !cosine4_store) return std::nullopt;
  if (!plan::is_whole(map) || map.half_columns != 0 || !map.source_parts.empty()) return std::nullopt;
  const bool sine =
      map.rule == Rule::dst3_half_before || map.rule == Rule::dst4_half_load || map.rule == Rule::dst4_half_store;
  const CombinationKernels<T> kernels = find_combinations<T>(targets);
  if (map.length / 2 <= kernels.vector) return std::nullopt;
  const auto n = static_cast<std::ptrdiff_t>(map.length);
  TurnedLine line;
  line.turned_.call.items = map.length / 2;
  if (cosine4_store) {
    line.turned_.turn = kernels.turn_to_reals;
    line.turned_.call.sign = sine ? T{1} : T{-1};
  } else {
    line.turned_.turn = kernels.turn_reals;
    const std::ptrdiff_t up = cosine3 && sine ? -1 : 0;
    const std::ptrdiff_t down = cosine3 && !sine ? n : n - 1;
    line.turned_.call.first = sine ? down : up;
    line.turned_.call.second = sine ? up : down;
    line.turned_.call.step = (cosine3 ? 1 : 2) * (sine ? -1 : 1);
    line.turned_.call.sign = cosine3 ? T{-1} : T{1};
  }
  if (cosine3) {
    line.has_ends_ = true;
    line.ends_[0] = sine ? map.length - 1 : 0;
    line.ends_[1] = sine ? map.length - 1 - line.turned_.call.items : line.turned_.call.items;
    line.end_weights_[0] = scale * (map.orthogonal ? std::numbers::sqrt2_v<T> : T{1});
    line.end_weights_[1] = scale * std::numbers::sqrt2_v<T>;
  }
  line.turned_.roots = AlignedArray<T>(2 * line.turned_.call.items);
  const T weight = cosine4_store ? 2 * scale : scale;
  const auto put = [&](std::size_t k, const auto& root) {
    line.turned_.roots[2 * k] = static_cast<T>(root.real()) * weight;
    line.turned_.roots[2 * k + 1] = static_cast<T>(root.imag()) * weight;
  };
  if (cosine3) {
    for_each_root<T>(4 * map.length, 1, line.turned_.call.items, targets, put);
  } else {
    for_each_root_from<T>(1, 16 * map.length, 8, line.turned_.call.items, targets, put);
  }
  return line;
}

template <class T>
void TurnedLine<T>::apply(const T* source, T* to, std::size_t begin, std::size_t end) const {
  if (has_ends_ && begin == 0) {
    to[0] = end_weights_[0] * source[ends_[0]];
    to[1] = end_weights_[1] * source[ends_[1]];
    ++begin;
  }
  turned_.apply(source, to, begin, end);
}

template class TurnedLine<float>;
template class TurnedLine<double>;
template class TurnedLine<long double>;

}  // namespace twiddle::backend::host
