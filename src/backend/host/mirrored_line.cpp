// With a[k] and b[k] the map's coefficients, a[k] + b[k] is the same for all k: 1 for r2c_store, 2 for the others. So
// a F + b conj(R) = (a + b) conj(R) + a (F - conj(R)), where F = source[k] and R = source[half - k]; with the factors
// of R, the conjugates, R a* + b* conj(F) is the conjugate of (a + b) F - a (F - conj(R)).
#include "backend/host/mirrored_line.hpp"

#include <algorithm>
#include <type_traits>

#include "backend/host/twiddle_tables.hpp"
#include "plan/numbers/half_spectrum.hpp"

namespace twiddle::backend::host {

template <class T>
bool MirroredLine<T>::serves(const plan::LineMap& map) {
  const bool of_half = plan::is_half_spectrum(map.rule) || map.rule == plan::LineMap::Rule::half_spectrum_load;
  return of_half && map.source_parts.empty() && map.source_count == plan::full_source_count(map.rule, map.length);
}

template <class T>
std::optional<MirroredLine<T>> MirroredLine<T>::make(const plan::LineMap& map, T scale, std::int64_t targets) {
  if (!serves(map)) return std::nullopt;
  using Rule = plan::LineMap::Rule;
  const bool load = map.rule != Rule::r2c_store;
  MirroredLine line;
  line.load_ = load;
  line.packed_ends_ = map.rule == Rule::half_spectrum_load;
  line.half_ = map.length / 2;
  line.count_ = map.count;
  line.sum_ = (load ? 2 : 1) * scale;
  line.kernels_ = find_combinations<T>(targets);
  const std::size_t factors = std::min(line.half_, line.pairs() + line.kernels_.vector) + 1;
  line.a_real_ = AlignedArray<T>(factors);
  line.a_imaginary_ = AlignedArray<T>(factors);
  // Those of k and half - k are conjugates.
  const auto put = [&](std::size_t k, const auto& root) {
    const auto a = plan::half_spectrum_factor(load ? Rule::c2r_load : Rule::r2c_store, root);
    const T real = static_cast<T>(a.real()) * scale;
    const T imaginary = static_cast<T>(a.imag()) * scale;
    const auto put_at = [&](std::size_t at, T value) {
      if (at >= factors) return;
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
  return line;
}

// Element k and its mirror image. The ends of the source stand in for each other where it has half_ elements; else they
// count as real.
template <class T>
void MirroredLine<T>::apply_one(const Planes<const T>& source, const Planes<T>& to, std::size_t k) const {
  const auto read = [&](std::size_t i) {
    return source.imaginary == nullptr ? Planes<const T>{source.real + 2 * i, source.real + 2 * i + 1}
                                       : Planes<const T>{source.real + i, source.imaginary + i};
  };
  const auto write = [&](std::size_t i, T re, T im) {
    if (i >= count_) return;
    const std::size_t at = to.imaginary == nullptr ? 2 * i : i;
    to.real[at] = re;
    (to.imaginary == nullptr ? to.real[at + 1] : to.imaginary[at]) = im;
  };
  if (packed_ends_ && k == 0) {
    const auto [first, last] = read(0);
    const T scale = sum_ / 2;
    return write(0, scale * (*first + *last), scale * (*first - *last));
  }
  const std::size_t mirror = half_ - k;
  const auto [re, own_im] = read(k);
  const auto [mirror_re, own_mirror_im] = read(load_ ? mirror : mirror % half_);
  const T im = load_ && k == 0 ? 0 : *own_im;
  const T mirror_im = load_ && k == 0 ? 0 : *own_mirror_im;
  const T difference_re = *re - *mirror_re;
  const T difference_im = im + mirror_im;
  const T turned_re = a_real_[k] * difference_re - a_imaginary_[k] * difference_im;
  const T turned_im = a_real_[k] * difference_im + a_imaginary_[k] * difference_re;
  write(mirror, sum_ * *re - turned_re, turned_im - sum_ * im);
  write(k, sum_ * *mirror_re + turned_re, turned_im - sum_ * mirror_im);
}

template <class T>
void MirroredLine<T>::apply(const Planes<const T>& source, const Planes<T>& to, std::size_t begin,
                            std::size_t end) const {
  if (begin == 0) apply_one(source, to, begin++);
  const auto combine = [&](std::size_t first, std::size_t last, bool both) {
    // A whole vector may reach beyond the middle, up to the first one's mirror image: it makes these elements again.
    if (both && end == pairs()) last = std::max(last, std::min(first + kernels_.vector, half_ + 1 - first));
    if (last < first + kernels_.vector) {
      for (std::size_t k = first; k < last; ++k) apply_one(source, to, k);
      return;
    }
    kernels_.combine_mirrored({source.real, source.imaginary, to.real, to.imaginary, a_real_.data(),
                               a_imaginary_.data(), sum_, half_, first, last, both});
  };
  // The map makes mirror images from here on.
  const std::size_t both = std::clamp(half_ + 1 - std::min(count_, half_), begin, end);
  if (begin < both) combine(begin, std::min(both, std::max(begin, count_)), false);
  if (both < end) combine(both, end, true);
}

template <class T>
void MirroredLine<T>::apply_block(const Planes<const T>& source, const Planes<T>& to, std::size_t k,
                                  std::size_t count) const {
  const std::size_t half = 2 * count + 1;  // as if there were no others
  const T* const a_real = a_real_.data() + k - 1;
  const T* const a_imaginary = a_imaginary_.data() + k - 1;
  if (count >= kernels_.vector) {
    return kernels_.combine_mirrored(
        {source.real, source.imaginary, to.real, to.imaginary, a_real, a_imaginary, sum_, half, 1, count + 1, true});
  }
  for (std::size_t i = 1; i <= count; ++i) {
    const std::complex<T> own(source.real[i], source.imaginary[i]);
    const std::complex<T> mirror(source.real[half - i], -source.imaginary[half - i]);
    const std::complex<T> turned = std::complex<T>(a_real[i], a_imaginary[i]) * (own - mirror);
    const std::complex<T> made = sum_ * mirror + turned;
    const std::complex<T> made_mirror = std::conj(sum_ * own - turned);
    to.real[i] = made.real();
    to.imaginary[i] = made.imag();
    to.real[half - i] = made_mirror.real();
    to.imaginary[half - i] = made_mirror.imag();
  }
}

template class MirroredLine<float>;
template class MirroredLine<double>;
template class MirroredLine<long double>;

}  // namespace twiddle::backend::host
