// With a[k] and b[k] the map's coefficients, a[k] + b[k] is the same for all k: 1 for r2c_store, 2 for c2r_load. So
// a F + b conj(R) = (a + b) conj(R) + a (F - conj(R)), where F = source[k] and R = source[half - k].
#include "backend/host/mirrored_line.hpp"

#include <algorithm>
#include <type_traits>

#include "backend/host/twiddle_tables.hpp"
#include "plan/half_spectrum.hpp"

namespace twiddle::backend::host {

template <class T>
bool MirroredLine<T>::serves(const plan::LineMap& map) {
  return (map.rule == plan::LineMap::Rule::c2r_load || map.rule == plan::LineMap::Rule::r2c_store) &&
         map.source_count == plan::full_source_count(map.rule, map.length);
}

template <class T>
std::optional<MirroredLine<T>> MirroredLine<T>::make(const plan::LineMap& map, T scale, std::int64_t targets) {
  if (!serves(map)) return std::nullopt;
  const bool load = map.rule == plan::LineMap::Rule::c2r_load;
  MirroredLine line;
  line.load_ = load;
  line.half_ = map.length / 2;
  line.count_ = map.count;
  line.sum_ = (load ? 2 : 1) * scale;
  line.a_real_ = AlignedArray<T>(map.count);
  line.a_imaginary_ = AlignedArray<T>(map.count);
  // Those of k and half - k are conjugates.
  const auto put = [&](std::size_t k, const auto& root) {
    const auto a = plan::half_spectrum_factor(map.rule, root);
    const T real = static_cast<T>(a.real()) * scale;
    const T imaginary = static_cast<T>(a.imag()) * scale;
    const auto put_at = [&](std::size_t at, T value) {
      if (at >= map.count) return;
      line.a_real_[at] = real;
      line.a_imaginary_[at] = value;
    };
    put_at(line.half_ - k, -imaginary);
    put_at(k, imaginary);
  };
  // The roots of k and half / 2 - k have each other's parts.
  const bool quarters = line.half_ % 2 == 0;
  for_each_root<T>(map.length, 1, line.half_ / (quarters ? 4 : 2) + 1, targets, [&](std::size_t k, const auto& root) {
    if (quarters) put(line.half_ / 2 - k, std::decay_t<decltype(root)>(-root.imag(), -root.real()));
    put(k, root);
  });
  line.kernels_ = find_combinations<T>(targets);
  return line;
}

// The ends of the source stand in for each other where it has half_ elements; else they count as real.
template <class T>
void MirroredLine<T>::apply_one(const Planes<const T>& source, const Planes<T>& to, std::size_t k) const {
  const auto read = [&](std::size_t i) {
    return source.imaginary == nullptr ? Planes<const T>{source.real + 2 * i, source.real + 2 * i + 1}
                                       : Planes<const T>{source.real + i, source.imaginary + i};
  };
  const bool end = k == 0 || k == half_;
  const Planes<const T> element = read(load_ ? k : k % half_);
  const Planes<const T> mirror = read(load_ ? half_ - k : (half_ - k) % half_);
  const T imaginary = load_ && end ? 0 : *element.imaginary;
  const T mirror_imaginary = load_ && end ? 0 : *mirror.imaginary;
  const T difference_re = *element.real - *mirror.real;
  const T difference_im = imaginary + mirror_imaginary;
  const T re = sum_ * *mirror.real + a_real_[k] * difference_re - a_imaginary_[k] * difference_im;
  const T im = a_real_[k] * difference_im + a_imaginary_[k] * difference_re - sum_ * mirror_imaginary;
  const std::size_t at = to.imaginary == nullptr ? 2 * k : k;
  to.real[at] = re;
  (to.imaginary == nullptr ? to.real[at + 1] : to.imaginary[at]) = im;
}

template <class T>
void MirroredLine<T>::apply(const Planes<const T>& source, const Planes<T>& to, std::size_t begin,
                            std::size_t end) const {
  if (begin == 0) apply_one(source, to, begin++);
  if (end == half_ + 1) apply_one(source, to, --end);
  if (end < begin + kernels_.vector) {
    for (std::size_t k = begin; k < end; ++k) apply_one(source, to, k);
    return;
  }
  kernels_.combine_mirrored({source.real, source.imaginary, to.real, to.imaginary, a_real_.data(), a_imaginary_.data(),
                             sum_, half_, begin, end});
}

template class MirroredLine<float>;
template class MirroredLine<double>;
template class MirroredLine<long double>;

}  // namespace twiddle::backend::host
