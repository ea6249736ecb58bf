// What lies within the signal is copied; only what a segment has beyond its ends is made element by element.
#include "backend/host/bank_memory.hpp"

#include <algorithm>
#include <complex>

#include "twiddle/hook.hpp"

namespace twiddle::backend::host {
namespace {

// Calls take(k, whether there is anything, its place in memory) for every element k in [begin, end) beyond the signal's
// ends.
template <class Take>
void for_outside(const plan::Stage& stage, std::int64_t first, std::int64_t position, std::int64_t begin,
                 std::int64_t end, const Take& take) {
  const plan::Bound& bound = *stage.load_bound;
  if (bound.outside == Boundary::zero) {
    for (std::int64_t k = begin; k < end; ++k) take(k, false, std::int64_t{0});
    return;
  }
  for (std::int64_t k = begin; k < end; ++k) {
    const auto source = boundary_source(bound.outside, position + k, bound.count);
    take(k, source.has_value(),
         source ? first + (static_cast<std::int64_t>(*source) - position) * stage.input_stride : 0);
  }
}

template <class T>
void load_reals(const plan::Stage& stage, std::int64_t first, std::int64_t position, const T* input, T* plane) {
  const auto length = static_cast<std::int64_t>(stage.length);
  const InsideRange range = inside_range(*stage.load_bound, position, length);
  const auto take = [&](std::int64_t k, bool there, std::int64_t at) { plane[k] = there ? input[at] : T{0}; };
  for_outside(stage, first, position, 0, range.begin, take);
  if (stage.input_stride == 1) {
    std::copy_n(input + (first + range.begin), range.end - range.begin, plane + range.begin);
  } else {
    for (std::int64_t k = range.begin; k < range.end; ++k) plane[k] = input[first + k * stage.input_stride];
  }
  for_outside(stage, first, position, range.end, length, take);
}

template <class T>
void load_complex(const plan::Stage& stage, std::int64_t first, std::int64_t position, const T* input,
                  const CombinationKernels<T>& kernels, const Planes<T>& planes) {
  const auto length = static_cast<std::int64_t>(stage.length);
  const InsideRange range = inside_range(*stage.load_bound, position, length);
  const auto take = [&](std::int64_t k, bool there, std::int64_t at) {
    planes.real[k] = there ? input[2 * at] : T{0};
    planes.imaginary[k] = there ? input[2 * at + 1] : T{0};
  };
  for_outside(stage, first, position, 0, range.begin, take);
  if (stage.input_stride == 1) {
    const Planes<T> to{planes.real + range.begin, planes.imaginary + range.begin};
    const auto count = static_cast<std::size_t>(std::max(range.end - range.begin, std::int64_t{0}));
    kernels.take_apart(input + 2 * (first + range.begin), count, to);
  } else {
    for (std::int64_t k = range.begin; k < range.end; ++k) take(k, true, first + k * stage.input_stride);
  }
  for_outside(stage, first, position, range.end, length, take);
}

template <class T>
void apply_load_hook(const plan::Stage& stage, std::int64_t first, const Planes<T>& planes) {
  for (std::size_t k = 0; k < stage.length; ++k) {
    const std::int64_t place = first + static_cast<std::int64_t>(k) * stage.input_stride;
    const std::complex<double> value =
        stage.load_hook->hook->function({static_cast<double>(planes.real[k]), static_cast<double>(planes.imaginary[k])},
                                        static_cast<std::uint64_t>(place));
    planes.real[k] = static_cast<T>(value.real());
    planes.imaginary[k] = static_cast<T>(value.imag());
  }
}

}  // namespace

InsideRange inside_range(const plan::Bound& bound, std::int64_t position, std::int64_t length) {
  const auto count = static_cast<std::int64_t>(bound.count);
  const auto end =
      static_cast<std::int64_t>(std::min<std::uint64_t>(bound.end_element, static_cast<std::uint64_t>(length)));
  const std::int64_t begin = std::clamp<std::int64_t>(-position, 0, end);
  return {begin, std::clamp<std::int64_t>(count - position, begin, end)};
}

std::optional<std::int64_t> outer_line(const plan::Stage& stage, std::uint64_t index, std::uint64_t tap) {
  const auto turn = [&](std::size_t loop) {
    std::uint64_t inner = 1;
    for (std::size_t i = 0; i < loop; ++i) inner *= stage.loops[i].count;
    return static_cast<std::int64_t>(index / inner % stage.loops[loop].count);
  };
  std::int64_t at = 0;
  for (auto outer = stage.bank->outer.rbegin(); outer != stage.bank->outer.rend(); ++outer) {
    const std::int64_t place = turn(outer->loop) + outer->offset - static_cast<std::int64_t>(tap % outer->taps);
    tap /= outer->taps;
    const auto source = boundary_source(stage.load_bound->outside, place, outer->count);
    if (!source) return std::nullopt;
    at += static_cast<std::int64_t>(*source) * outer->input_stride;
  }
  return at;
}

template <class T>
void copy_elements(const plan::Stage& stage, std::int64_t first, std::int64_t position, std::int64_t begin,
                   std::int64_t end, const T* input, T* to) {
  const std::int64_t scalars = stage.input_storage.form == plan::Storage::Form::interleaved ? 2 : 1;
  const InsideRange inside = inside_range(*stage.load_bound, position, end);
  const std::int64_t from = std::clamp(inside.begin, begin, end);
  const std::int64_t until = std::clamp(inside.end, from, end);
  const auto take = [&](std::int64_t k, bool there, std::int64_t at) {
    for (std::int64_t i = 0; i < scalars; ++i) to[scalars * (k - begin) + i] = there ? input[scalars * at + i] : T{0};
  };
  for_outside(stage, first, position, begin, from, take);
  std::copy_n(input + scalars * (first + from), scalars * (until - from), to + scalars * (from - begin));
  for_outside(stage, first, position, until, end, take);
}

BankSegment bank_segment(const plan::Stage& stage, std::uint64_t index) {
  BankSegment segment{stage.input_offset, stage.output_offset, stage.load_bound->offset,
                      stage.store_bound ? stage.store_bound->offset : 0};
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    const auto turn = static_cast<std::int64_t>(index % stage.loops[i].count);
    index /= stage.loops[i].count;
    segment.input += turn * stage.loops[i].input_stride;
    segment.output += turn * stage.loops[i].output_stride;
    segment.load_position += turn * stage.load_bound->loop_strides[i];
    if (stage.store_bound) segment.store_position += turn * stage.store_bound->loop_strides[i];
  }
  return segment;
}

template <class T>
void load_segment(const plan::Stage& stage, const BankSegment& segment, const T* input,
                  const CombinationKernels<T>& kernels, const Planes<T>& planes) {
  using Form = plan::Storage::Form;
  switch (stage.input_storage.form) {
    case Form::interleaved:
      load_complex(stage, segment.input, segment.load_position, input, kernels, planes);
      break;
    case Form::planar:
      load_reals(stage, segment.input, segment.load_position, input, planes.real);
      load_reals(stage, segment.input + stage.input_storage.imaginary_offset,
                 segment.load_position + stage.load_bound->imaginary_step, input, planes.imaginary);
      break;
    case Form::real:
      load_reals(stage, segment.input, segment.load_position, input, planes.real);
      if (planes.imaginary != nullptr) std::fill_n(planes.imaginary, stage.length, T{0});
      break;
    case Form::apart:  // never of signals
      break;
  }
  if (stage.load_hook) apply_load_hook(stage, segment.input, planes);
}

#define TWIDDLE_HOST_INSTANTIATE(T)                                                                                    \
  template void copy_elements<T>(const plan::Stage&, std::int64_t, std::int64_t, std::int64_t, std::int64_t, const T*, \
                                 T*);                                                                                  \
  template void load_segment<T>(const plan::Stage&, const BankSegment&, const T*, const CombinationKernels<T>&,        \
                                const Planes<T>&);
TWIDDLE_HOST_INSTANTIATE(float)
TWIDDLE_HOST_INSTANTIATE(double)
TWIDDLE_HOST_INSTANTIATE(long double)
#undef TWIDDLE_HOST_INSTANTIATE

}  // namespace twiddle::backend::host
