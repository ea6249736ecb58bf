// What a bound says of an element of a transform, whose first element is at position `base`.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/lower/stage.hpp"

namespace twiddle::test {

inline bool is_upper(const plan::Bound& bound, std::uint64_t position) {
  return bound.period != 0 && position > bound.period / 2;
}

// Whether the element exists.
inline bool within(const std::optional<plan::Bound>& bound, std::int64_t base, std::uint64_t element) {
  if (!bound) return true;
  if (element < bound->first_element || element >= bound->end_element) return false;
  const std::int64_t position = base + bound->element_stride * static_cast<std::int64_t>(element);
  if (position < 0) return false;
  const auto p = static_cast<std::uint64_t>(position);
  const std::uint64_t kept = is_upper(*bound, p) ? bound->period - p : p;
  return kept >= bound->first && kept < bound->count;
}

// Whether an element that exists has a real part alone.
inline bool is_lone(const std::optional<plan::Bound>& bound, std::int64_t base, std::uint64_t element) {
  if (bound && bound->real_first) return base + bound->element_stride * static_cast<std::int64_t>(element) == 0;
  if (!bound || bound->imaginary_step == 0) return false;
  const auto index = static_cast<std::int64_t>(element);
  const std::int64_t position = base + bound->element_stride * index + bound->imaginary_step;
  return position >= static_cast<std::int64_t>(bound->count);
}

// Whether an element that is stored has an imaginary part alone.
inline bool is_imaginary(const std::optional<plan::Bound>& bound, std::int64_t base, std::uint64_t element) {
  const std::int64_t position = bound ? base + bound->element_stride * static_cast<std::int64_t>(element) : 0;
  return bound && bound->imaginary_last && position == static_cast<std::int64_t>(bound->count) - 1;
}

// From an element to the one that memory holds instead, where there is such a one.
inline std::optional<std::int64_t> to_conjugate(const std::optional<plan::Bound>& bound, std::int64_t base,
                                                std::uint64_t element, std::int64_t stride) {
  if (!bound) return std::nullopt;
  const std::int64_t position = base + bound->element_stride * static_cast<std::int64_t>(element);
  if (!is_upper(*bound, static_cast<std::uint64_t>(position))) return std::nullopt;
  return (static_cast<std::int64_t>(bound->period) - 2 * position) * stride / bound->element_stride;
}

inline long double end_weight(const std::optional<plan::Bound>& bound, std::int64_t base, std::uint64_t element) {
  if (!bound || bound->period == 0) return 1;
  const auto position = base + bound->element_stride * static_cast<std::int64_t>(element);
  return position == 0 || position == static_cast<std::int64_t>(bound->period / 2) ? bound->end_weight : 1;
}

}  // namespace twiddle::test
