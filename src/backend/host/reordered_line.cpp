// On loading even elements come first, then odd ones backwards; on storing they return.
#include "backend/host/reordered_line.hpp"

namespace twiddle::backend::host {

template <class T>
std::optional<ReorderedLine<T>> ReorderedLine<T>::make(const plan::LineMap& map, T scale, std::int64_t targets) {
  using Rule = plan::LineMap::Rule;
  const bool odd = map.length % 2 == 1;
  const auto is = [&](Rule of_half, Rule whole) { return map.rule == (odd ? whole : of_half); };
  const bool load = is(Rule::dct2_half_load, Rule::dct2_load) || is(Rule::dst2_half_load, Rule::dst2_load);
  const bool sine = is(Rule::dst2_half_load, Rule::dst2_load) || is(Rule::dst3_half_store, Rule::dst3_store);
  if (!load && !sine && !is(Rule::dct3_half_store, Rule::dct3_store)) return std::nullopt;
  if (!plan::is_whole(map) || map.half_columns != 0 || !map.source_parts.empty()) return std::nullopt;
  const CombinationKernels<T> kernels = find_combinations<T>(targets);
  if (map.length / 2 < kernels.vector) return std::nullopt;
  ReorderedLine line;
  line.call_.scale = scale;
  line.call_.odd_scale = sine ? -scale : scale;  // sine transforms negate reals of odd index
  line.call_.load = load;
  line.call_.length = map.length;
  line.reorder_ = kernels.reorder_reals;
  return line;
}

template <class T>
void ReorderedLine<T>::apply(const T* source, T* to, std::size_t begin, std::size_t end) const {
  ReorderedRealsCall<T> call = call_;
  call.source = source;
  call.to = to;
  call.begin = begin;
  call.end = end;
  reorder_(call);
  if (call.length % 2 == 0 || end < items()) return;
  const std::size_t last = call.length - 1;
  to[call.load ? last / 2 : last] = call.scale * source[call.load ? last : last / 2];
}

template class ReorderedLine<float>;
template class ReorderedLine<double>;
template class ReorderedLine<long double>;

}  // namespace twiddle::backend::host
