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
  const auto n = static_cast<std::ptrdiff_t>(map.length);
  TurnedLine line;
  line.half_ = map.length / 2;
  const Walk real_parts{0, 2};
  const Walk imaginary_parts{1, 2};
  if (cosine4_store) {
    line.from_real_ = real_parts;
    line.from_imaginary_ = imaginary_parts;
    line.to_real_ = {0, 2};
    line.to_imaginary_ = {n - 1, -2};
    line.sign_ = sine ? T{1} : T{-1};
  } else {
    const Walk up = cosine3 ? Walk{sine ? -1 : 0, 1} : Walk{0, 2};
    const Walk down = cosine3 ? Walk{sine ? n - 1 : n, -1} : Walk{n - 1, -2};
    line.from_real_ = sine ? down : up;
    line.from_imaginary_ = sine ? up : down;
    line.to_real_ = real_parts;
    line.to_imaginary_ = imaginary_parts;
    line.sign_ = cosine3 ? T{-1} : T{1};
  }
  if (cosine3) {
    line.has_ends_ = true;
    line.ends_[0] = sine ? map.length - 1 : 0;
    line.ends_[1] = sine ? map.length - 1 - line.half_ : line.half_;
    line.end_weights_[0] = scale * (map.orthogonal ? std::numbers::sqrt2_v<T> : T{1});
    line.end_weights_[1] = scale * std::numbers::sqrt2_v<T>;
  }
  line.roots_ = AlignedArray<T>(2 * line.half_);
  const T weight = cosine4_store ? 2 * scale : scale;
  const auto put = [&](std::size_t k, const auto& root) {
    line.roots_[2 * k] = static_cast<T>(root.real()) * weight;
    line.roots_[2 * k + 1] = static_cast<T>(root.imag()) * weight;
  };
  if (cosine3) {
    for_each_root<T>(4 * map.length, 1, line.half_, targets, put);
  } else {
    for_each_root_from<T>(1, 16 * map.length, 8, line.half_, targets, put);
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
  const auto at = [&](const Walk& walk) { return walk.first + static_cast<std::ptrdiff_t>(begin) * walk.step; };
  std::ptrdiff_t real = at(from_real_);
  std::ptrdiff_t imaginary = at(from_imaginary_);
  std::ptrdiff_t to_real = at(to_real_);
  std::ptrdiff_t to_imaginary = at(to_imaginary_);
  const T sign = sign_;
  for (const T* root = roots_.data() + 2 * begin; begin < end; ++begin, root += 2) {
    const T a = source[real];
    const T b = source[imaginary];
    to[to_real] = a * root[0] - b * root[1];
    to[to_imaginary] = sign * (a * root[1] + b * root[0]);
    real += from_real_.step;
    imaginary += from_imaginary_.step;
    to_real += to_real_.step;
    to_imaginary += to_imaginary_.step;
  }
}

template class TurnedLine<float>;
template class TurnedLine<double>;
template class TurnedLine<long double>;

}  // namespace twiddle::backend::host
