// Bluestein's and Rader's algorithms on planar lines.
#include "backend/host/convolution_line.hpp"

#include <algorithm>
#include <utility>

#include "backend/host/exact_tables.hpp"

namespace twiddle::backend::host {
namespace {

plan::Stage chip_stage(const plan::Stage& stage) {
  plan::Stage result;
  result.length = stage.convolution->points;
  result.radices = stage.radices;
  result.step = stage.step;
  return result;
}

// to[q] = from[places[q]], elements of `lanes` scalars each.
template <class T>
void gather(const T* from, const std::vector<std::uint32_t>& places, std::size_t lanes, T* to) {
  for (const std::uint32_t place : places) to = std::copy_n(from + place * lanes, lanes, to);
}

}  // namespace

template <class T>
ConvolutionLine<T>::ConvolutionLine(const plan::Stage& stage, LineShape shape, std::size_t lanes, std::int64_t targets)
    : length_(stage.length),
      points_(stage.convolution->points),
      lanes_(lanes),
      inverse_(stage.direction == Direction::inverse),
      kernels_(find_combinations<T>(targets)),
      passes_(chip_stage(stage), shape, lanes, targets) {
  if (shape == LineShape::row) first_ = find_pass<T>(PassKind::first_row_planar, passes_.pass(0).radix, targets);
  take_convolution_tables<T>(*stage.convolution, length_, stage.direction, targets,
                             [&](auto&& tables) { take(std::forward<decltype(tables)>(tables)); });
}

template <class T>
template <class Real>
void ConvolutionLine<T>::take(plan::ConvolutionTables<Real> tables) {
  spectrum_ = sequence(tables.spectrum, kernels_.vector);
  chirp_ = sequence(tables.chirp, kernels_.vector);
  load_order_ = std::move(tables.load_order);
  result_places_ = places_of_results(tables.store_order);
}

// Passes write up to two vectors beyond the end; the first one of a row whole vectors of columns.
template <class T>
std::size_t ConvolutionLine<T>::room() const {
  const std::size_t columns = first_ == nullptr ? 0 : passes_.pass(0).radix;
  return points_ * lanes_ + (2 + columns) * kernels_.vector;
}

template <class T>
template <class Real>
typename ConvolutionLine<T>::Sequence ConvolutionLine<T>::sequence(const std::vector<std::complex<Real>>& values,
                                                                   std::size_t vector) {
  Sequence result;
  if (values.empty()) return result;
  result.count = values.size();
  result.real = AlignedArray<T>(values.size() + vector);
  result.imaginary = AlignedArray<T>(values.size() + vector);
  std::fill_n(result.real.data() + values.size(), vector, T{0});
  std::fill_n(result.imaginary.data() + values.size(), vector, T{0});
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.real[i] = static_cast<T>(values[i].real());
    result.imaginary[i] = static_cast<T>(values[i].imag());
  }
  return result;
}

template <class T>
void ConvolutionLine<T>::multiply(const Sequence& sequence, const Planes<T>& line) const {
  kernels_.multiply({line, sequence.real.data(), sequence.imaginary.data(), sequence.count, lanes_});
}

template <class T>
void ConvolutionLine<T>::reorder(const Planes<T>& from, const std::vector<std::uint32_t>& places,
                                 const Planes<T>& to) const {
  if (lanes_ == 1) return kernels_.gather(from, places.data(), places.size(), to);
  gather(from.real, places, lanes_, to.real);
  gather(from.imaginary, places, lanes_, to.imaginary);
}

// From planes[at] by way of both; the passes compute the forward transform, which with the parts swapped is the
// inverse.
template <class T>
std::size_t ConvolutionLine<T>::transform(bool swapped, const Planes<T> planes[2], std::size_t at) const {
  const Planes<T> seen[2] = {swapped ? Planes<T>{planes[0].imaginary, planes[0].real} : planes[0],
                             swapped ? Planes<T>{planes[1].imaginary, planes[1].real} : planes[1]};
  if (first_ == nullptr) return passes_.run_middle(0, passes_.count(), lanes_, seen, at, {});
  PassCall<T> call = passes_.call(0, 1, {});
  call.input = seen[at].real;
  call.input_imaginary = seen[at].imaginary;
  call.output = seen[1 - at].real;
  call.output_imaginary = seen[1 - at].imaginary;
  first_(call);
  return passes_.run_middle(1, passes_.count(), 1, seen, 1 - at, {});
}

// X[0] = x[0] + A[0] replaces x[0], which joins every sum by way of A[0]: spectrum[0], the mean of all roots of unity
// but 1, is -1 / points.
template <class T>
void ConvolutionLine<T>::add_first(const Planes<T>& spectrum, const Planes<T>& first) const {
  const T points = static_cast<T>(points_);
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    const T real = first.real[lane];
    const T imaginary = first.imaginary[lane];
    first.real[lane] += spectrum.real[lane];
    first.imaginary[lane] += spectrum.imaginary[lane];
    spectrum.real[lane] -= real * points;
    spectrum.imaginary[lane] -= imaginary * points;
  }
}

template <class T>
std::size_t ConvolutionLine<T>::run(const Planes<T> planes[2], T* element) const {
  const bool rader = !load_order_.empty();
  const Planes<T> kept{element, element + lanes_};  // Rader's element 0
  std::size_t at = 0;
  if (rader) {
    std::copy_n(planes[0].real, lanes_, kept.real);
    std::copy_n(planes[0].imaginary, lanes_, kept.imaginary);
    reorder(planes[0], load_order_, planes[1]);
    at = 1;
  } else {
    multiply(chirp_, planes[0]);
    std::fill_n(planes[0].real + length_ * lanes_, (points_ - length_) * lanes_, T{0});
    std::fill_n(planes[0].imaginary + length_ * lanes_, (points_ - length_) * lanes_, T{0});
  }
  at = transform(inverse_, planes, at);
  const Planes<T> spectrum = planes[at];
  if (rader) add_first(spectrum, kept);
  multiply(spectrum_, spectrum);
  at = transform(!inverse_, planes, at);
  if (!rader) {
    multiply(chirp_, planes[at]);
    return at;
  }
  reorder(planes[at], result_places_, planes[1 - at]);
  std::copy_n(kept.real, lanes_, planes[1 - at].real);
  std::copy_n(kept.imaginary, lanes_, planes[1 - at].imaginary);
  return 1 - at;
}

template class ConvolutionLine<float>;
template class ConvolutionLine<double>;
template class ConvolutionLine<long double>;

}  // namespace twiddle::backend::host
