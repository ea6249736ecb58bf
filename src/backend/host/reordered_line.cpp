// On loading even elements come first, then odd ones backwards; on storing they return.
#include "backend/host/reordered_line.hpp"

namespace twiddle::backend::host {

template <class T>
std::optional<ReorderedLine<T>> ReorderedLine<T>::make(const plan::LineMap& map, T scale) {
  using Rule = plan::LineMap::Rule;
  const bool load = map.rule == Rule::dct2_half_load || map.rule == Rule::dst2_half_load;
  const bool sine = map.rule == Rule::dst2_half_load || map.rule == Rule::dst3_half_store;
  if (!load && map.rule != Rule::dct3_half_store && map.rule != Rule::dst3_half_store) return std::nullopt;
  if (!plan::is_whole(map) || map.half_columns != 0 || !map.source_parts.empty()) return std::nullopt;
  return ReorderedLine(map.length / 2, load, scale, sine ? -scale : scale);
}

template <class T>
void ReorderedLine<T>::apply(const T* source, T* to, std::size_t begin, std::size_t end) const {
  const std::size_t last = 2 * half_ - 1;
  if (load_) {
    for (std::size_t i = begin; i < end; ++i) {
      to[i] = source[2 * i] * scale_;
      to[last - i] = source[2 * i + 1] * odd_scale_;
    }
    return;
  }
  for (std::size_t i = begin; i < end; ++i) {
    to[2 * i] = source[i] * scale_;
    to[2 * i + 1] = source[last - i] * odd_scale_;
  }
}

template class ReorderedLine<float>;
template class ReorderedLine<double>;
template class ReorderedLine<long double>;

}  // namespace twiddle::backend::host
