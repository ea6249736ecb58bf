// What each rule of real transforms makes an element of: positions and coefficients, by whatever roots of unity.
#pragma once

#include <complex>
#include <cstdint>
#include <numbers>
#include <type_traits>
#include <utility>

#include "plan/lower/map_entries.hpp"
#include "plan/numbers/half_spectrum.hpp"

namespace twiddle::plan {

// Even elements ascending, then odd ones descending.
[[nodiscard]] inline std::uint64_t reordered(std::uint64_t j, std::uint64_t n) {
  return 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1;
}
[[nodiscard]] inline std::uint64_t reordered_back(std::uint64_t k, std::uint64_t n) {
  return k % 2 == 0 ? k / 2 : n - 1 - k / 2;
}

// k modulo n, below 2 n.
[[nodiscard]] inline std::uint64_t wrapped(std::uint64_t k, std::uint64_t n) { return k < n ? k : k - n; }

// dct4 of an odd number n of points: cos(2 pi m q / 8n) of m = 2j+1 and q = 2k+1 stays the same where the sign of m
// changes, and becomes its negative where 4n is added. One of these m, and of these q, is n modulo 8: n + 8a and n +
// 8c, for which it is cos(2 pi (n/8 + 8ac/n)), a term of a transform of n points.
struct OddPlace {
  bool negated;   // 4n was added
  bool mirrored;  // the sign changed
};
[[nodiscard]] inline OddPlace odd_place(std::uint64_t odd, std::uint64_t n) {
  const std::uint64_t rest = odd % 8;
  return {rest != n % 8 && rest != (8 - n % 8), rest != n % 8 && (rest + 4) % 8 != n % 8};
}

// Element 0 of maps between half of the points and pairs of results (LineMap): both ends of the spectrum, real numbers
// that are the sum and the difference of its parts; times `first` and `last` they are the parts of the other side's.
template <class Real>
[[nodiscard]] MapEntry<Real> ends_entry(long double first, long double last, Real sign) {
  const auto difference = static_cast<Real>((first - last) / 2);
  const auto sum = static_cast<Real>((first + last) / 2);
  return {{0, std::complex<Real>(difference, sign * difference)}, {0, std::complex<Real>(sum, sum)}};
}
template <class Real>
[[nodiscard]] MapEntry<Real> pair_of_ends(long double first, long double last = std::numbers::sqrt2_v<long double>) {
  return ends_entry(first, last, Real{-1});
}
template <class Real>
[[nodiscard]] MapEntry<Real> pair_from_ends(long double first, long double last = std::numbers::sqrt2_v<long double>) {
  return ends_entry(first, last, Real{1});
}

// The entries of whole lines, without the weights of orthogonal transforms. `order` is a multiple of what
// order_of_roots() says, and roots(k) is exp(-2 pi i k / order). They are asked for the same roots in the same order
// whatever their values are.
template <class Roots, class Real>
struct MapFormulas {
  using Rule = LineMap::Rule;
  using Complex = std::complex<Real>;
  using Wide = std::decay_t<decltype(std::declval<const Roots&>()(0))>;  // complex, of the roots' precision
  using WideReal = typename Wide::value_type;
  using Entry = MapEntry<Real>;

  const Roots& roots;
  std::uint64_t order;  // of roots

  // exp(-2 pi i k / n), where n divides the order.
  Wide wide_root(std::uint64_t k, std::uint64_t n) const { return roots(k * (order / n)); }
  // The same, rounded; what is made of it by signs, exchanged parts and powers of two is rounded once as well.
  Complex root_of_unity(std::uint64_t k, std::uint64_t n) const { return rounded(wide_root(k, n)); }
  static Complex rounded(const Wide& value) {
    return {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
  }
  // Times i.
  template <class Any>
  static Any turned(const Any& value) {
    return {typename Any::value_type{0} - value.imag(), value.real()};
  }
  static Wide conjugate(const Wide& value) { return {value.real(), -value.imag()}; }
  static Wide sum(const Wide& a, const Wide& b) { return {a.real() + b.real(), a.imag() + b.imag()}; }
  static Wide difference(const Wide& a, const Wide& b) { return {a.real() - b.real(), a.imag() - b.imag()}; }
  static Wide times(WideReal factor, const Wide& value) { return {value.real() * factor, value.imag() * factor}; }
  static Real sign(std::uint64_t k) { return k % 2 == 0 ? 1 : -1; }

  // exp(+2 pi i k / n).
  Complex turn(std::uint64_t k, std::uint64_t n) const { return std::conj(root_of_unity(k, n)); }

  // dct3 of n points, element j of the complex line: (x[j] - i x[n-j]) exp(2 pi i j / 4n), where x[n] = 0. The sine
  // version reads its source backwards.
  Entry cosine3_load(std::uint64_t j, std::uint64_t n, bool backwards) const {
    const auto at = [&](std::uint64_t index) { return backwards ? n - 1 - index : index; };
    if (j == 0) return {{at(0), 1}, {}};
    const Complex root = turn(j, 4 * n);
    return {{at(j), root}, {at(n - j), -turned(root)}};
  }

  // The same of elements j times the sine of j / 4n of a turn, which stand before element 0; and of sines, the other
  // way round and times minus the cosine, behind the last one.
  Entry cosine3_row_load(std::uint64_t j, std::uint64_t n, bool sines) const {
    if (j == 0) return {{sines ? 0 : n - 1, 1}, {}};
    const Wide root = conjugate(wide_root(j, 4 * n));
    const auto sine = static_cast<long double>(root.imag());
    const auto cosine = static_cast<long double>(root.real());
    const Entry entry{{j - 1, Complex(static_cast<Real>(cosine / sine), 1)},
                      {n - j - 1, Complex(static_cast<Real>(sine / cosine), -1)}};
    if (!sines) return entry;
    return {{n - j, -entry.first.coefficient}, {j, -entry.second.coefficient}};
  }

  // dct2 of n points, from the transform of its reordered elements: Z[k] w + Z[n-k] conj(w), w = exp(-2 pi i k / 4n).
  Entry cosine2_store(std::uint64_t k, std::uint64_t n) const {
    const Complex root = root_of_unity(k, 4 * n);
    return {{k, root}, {wrapped(n - k, n), std::conj(root)}};
  }

  // dct4 of n points as a transform of 2 n points of x[j] exp(-2 pi i j / 4n) with zeros appended:
  // Z[k] w + Z[2n-1-k] conj(w), w = exp(-2 pi i (2k+1) / 8n).
  Entry cosine4_store(std::uint64_t k, std::uint64_t n) const {
    const Complex root = root_of_unity(2 * k + 1, 8 * n);
    return {{k, root}, {2 * n - 1 - k, std::conj(root)}};
  }

  Entry cosine4_odd_load(std::uint64_t a, std::uint64_t n, bool backwards) const {
    const std::uint64_t m = wrapped(n + 8 * a, 8 * n);
    const std::uint64_t folded = m < 4 * n ? m : 8 * n - m;
    const bool negated = folded > 2 * n;
    const std::uint64_t j = ((negated ? 4 * n - folded : folded) - 1) / 2;
    return {{backwards ? n - 1 - j : j, negated ? -1 : 1}, {}};
  }

  Entry cosine4_odd_store(std::uint64_t k, std::uint64_t n) const {
    const OddPlace place = odd_place(2 * k + 1, n);
    Complex eighth = (place.negated ? -Real{1} : Real{1}) * root_of_unity(n % 8, 8);
    if (place.mirrored) eighth = std::conj(eighth);
    const std::uint64_t frequency = wrapped(2 * k + 1, n);
    return {{frequency, eighth}, {wrapped(n - frequency, n), std::conj(eighth)}};
  }

  // Elements 2 j and 2 j + 1 of a real sequence as one complex number, each made from one element.
  Entry pair(const Entry& real, const Entry& imaginary) const {
    return {real.first, {imaginary.first.index, turned(imaginary.first.coefficient)}};
  }

  // The real part of c times frequency k of `points` reals, from the transform of their pairs. `product`: c times
  // exp(-2 pi i k / points), which is c's conjugate's where points - k takes the place of k.
  Entry real_frequency(std::uint64_t k, std::uint64_t points, Wide c, Wide product) const {
    const std::uint64_t half = points / 2;
    if (k > half) {
      k = points - k;
      c = conjugate(c);
      product = conjugate(product);
    }
    c = times(WideReal{0.5}, c);
    const Wide rotated = times(WideReal{0.5}, turned(product));
    return {{wrapped(k, half), rounded(difference(c, rotated))}, {wrapped(half - k, half), rounded(sum(c, rotated))}};
  }

  Entry cosine2_half_store(std::uint64_t k, std::uint64_t n) const {
    const Wide root = times(WideReal{2}, wide_root(k, 4 * n));
    return real_frequency(k, n, root, times(WideReal{2}, wide_root(5 * k, 4 * n)));
  }

  // The frequencies of dct3 before its transform, of which 0 and n/2 are real.
  Entry cosine3_half_before(std::uint64_t k, std::uint64_t n, bool backwards) const {
    if (k > 0) return cosine3_load(k, n, backwards);
    const std::uint64_t last = backwards ? n - 1 : 0;
    const std::uint64_t middle = backwards ? n - 1 - n / 2 : n / 2;
    return {{last, 1}, {middle, Complex(0, std::numbers::sqrt2_v<Real>)}};
  }

  Entry cosine3_half_store(std::uint64_t k, std::uint64_t n) const {
    const std::uint64_t from = reordered_back(k, n);
    return {{from / 2, from % 2 == 0 ? Complex(1) : Complex(0, -1)}, {}};
  }

  // dct4: (x[2j] + i x[n-1-2j]) exp(-2 pi i (8j+1) / 16n), transformed and multiplied likewise, has the even results as
  // real parts, and minus the odd ones, backwards, as imaginary parts.
  Entry cosine4_half_load(std::uint64_t j, std::uint64_t n, bool backwards) const {
    const Complex root = root_of_unity(8 * j + 1, 16 * n);
    const std::uint64_t near = backwards ? n - 1 - 2 * j : 2 * j;
    return {{near, root}, {n - 1 - near, turned(root)}};
  }

  Entry cosine4_half_store(std::uint64_t k, std::uint64_t n) const {
    const std::uint64_t from = k % 2 == 0 ? k / 2 : (n - 1 - k) / 2;
    const Complex root = Real{2} * root_of_unity(8 * from + 1, 16 * n);
    return {{from, k % 2 == 0 ? root : turned(root)}, {}};
  }

  // Frequency k > 0 of n reals from the transform of their pairs, times `root`, of which `product` is the product with
  // exp(-2 pi i k / n); and the other way, where `root` and `product` belong to what is transformed.
  Entry pair_store(std::uint64_t k, std::uint64_t n, const Wide& root, const Wide& product) const {
    const Wide straight = times(WideReal{0.5}, root);
    const Wide rotated = times(WideReal{0.5}, turned(product));
    return {{k, rounded(difference(straight, rotated))}, {n / 2 - k, rounded(sum(straight, rotated))}};
  }

  // From frequencies of which the first is number `first`.
  Entry half_spectrum_load(std::uint64_t k, std::uint64_t n, std::uint64_t first) const {
    const Wide one{WideReal{1}, WideReal{0}};
    const Wide rotated = turned(conjugate(wide_root(k, n)));
    return {{k - first, rounded(sum(one, rotated))}, {n / 2 - k - first, rounded(difference(one, rotated))}};
  }

  Entry times(Real factor, Entry values) const {
    values.first.coefficient *= factor;
    values.second.coefficient *= factor;
    return values;
  }

  template <LineMap::Rule rule>
  Entry entry(std::uint64_t k, std::uint64_t n) const {
    const std::uint64_t half = n / 2;
    switch (rule) {
      case Rule::r2c_store: {
        const Wide a = half_spectrum_factor(rule, wide_root(k, n));
        return {{wrapped(k, half), rounded(a)},
                {wrapped(half - k, half), rounded(difference({WideReal{1}, WideReal{0}}, a))}};
      }
      case Rule::c2r_load: {
        const Wide a = half_spectrum_factor(rule, wide_root(k, n));
        return {{k, rounded(a)}, {half - k, rounded(difference({WideReal{2}, WideReal{0}}, a))}};
      }
      case Rule::hermitian_load:
        return k <= half ? Entry{{k, 1}, {}} : Entry{{}, {n - k, 1}};
      case Rule::two_spectra_store:
        if (k <= half) return {{k, 0.5}, {wrapped(n - k, n), 0.5}};
        k -= half + 1;
        return {{k, Complex(0, -0.5)}, {wrapped(n - k, n), Complex(0, 0.5)}};
      case Rule::two_spectra_load:  // beyond the middle the conjugate of this
        if (k <= half) return {{k, 1}, {half + 1 + k, Complex(0, 1)}};
        return {{n - k, 1}, {half + 1 + n - k, Complex(0, -1)}};
      case Rule::mean_spectrum_store:
        return {{k, 0.5}, {wrapped(n - k, n), 0.5}};
      case Rule::mean_store: {  // the ends have no mirror images
        constexpr Real square = 1 + Real{oblique_slope} * oblique_slope;
        const Complex straight(1 / square, -oblique_slope / square);
        if (k == 0 || 2 * k == n) return {{k, straight}, {}};
        return {{k, straight / Real{2}}, {n - k, std::conj(straight) / Real{2}}};
      }
      case Rule::dct1_load:
        return {{k < n ? k : 2 * (n - 1) - k, 1}, {}};
      case Rule::dct1_store:
        return {{k, 1}, {}};
      case Rule::dct1_mean_store:
        return {{k, 0.5}, {wrapped(2 * (n - 1) - k, 2 * (n - 1)), 0.5}};
      case Rule::dct2_load:
        return {{reordered(k, n), 1}, {}};
      case Rule::dct2_store:
        return cosine2_store(k, n);
      case Rule::dct3_load:
        return cosine3_load(k, n, false);
      case Rule::dct3_store:
        return {{reordered_back(k, n), 1}, {}};
      case Rule::dct3_row_load:
        return cosine3_row_load(k, n, false);
      case Rule::dst3_row_load:
        return cosine3_row_load(k, n, true);
      case Rule::dct4_load:
        return k < n ? Entry{{k, root_of_unity(k, 4 * n)}, {}} : Entry{};
      case Rule::dct4_store:
        return cosine4_store(k, n);
      case Rule::dct4_odd_load:
        return cosine4_odd_load(k, n, false);
      case Rule::dct4_odd_store:
        return cosine4_odd_store(k, n);
      case Rule::dst1_load:  // 0, x, 0, -x backwards
        if (k == 0 || k == n + 1) return {};
        return k <= n ? Entry{{k - 1, 1}, {}} : Entry{{2 * n + 1 - k, -1}, {}};
      case Rule::dst1_store:
        return {{k + 1, Complex(0, 1)}, {}};
      case Rule::dst1_mean_store:
        // A real part of -0, as in products with i: another text would not be found in the kernel cache.
        return {{k + 1, Complex(0, 0.5)}, {2 * n + 1 - k, Complex(-Real{0}, -0.5)}};
      case Rule::dst2_load: {
        const std::uint64_t from = reordered(k, n);
        return {{from, sign(from)}, {}};
      }
      case Rule::dst2_store:
        return cosine2_store(n - 1 - k, n);
      case Rule::dst3_load:
        return cosine3_load(k, n, true);
      case Rule::dst3_store:
        return {{reordered_back(k, n), sign(k)}, {}};
      case Rule::dst4_load:
        return k < n ? Entry{{n - 1 - k, root_of_unity(k, 4 * n)}, {}} : Entry{};
      case Rule::dst4_store:
        return times(sign(k), cosine4_store(k, n));
      case Rule::dst4_odd_load:
        return cosine4_odd_load(k, n, true);
      case Rule::dst4_odd_store:
        return times(sign(k), cosine4_odd_store(k, n));
      case Rule::dht_store:
        return {{k, Complex(0.5, 0.5)}, {wrapped(n - k, n), Complex(0.5, -0.5)}};
      case Rule::pairs_load:
        return {{2 * k, 1}, {2 * k + 1, Complex(0, 1)}};
      case Rule::dht_half_store: {
        const Wide root = wide_root(k, n);
        return real_frequency(k, n, {WideReal{1}, WideReal{1}}, sum(root, turned(root)));
      }
      case Rule::dct1_half_load:
        return pair(entry<Rule::dct1_load>(2 * k, n), entry<Rule::dct1_load>(2 * k + 1, n));
      case Rule::dct1_half_store:
        return real_frequency(k, 2 * (n - 1), {WideReal{1}, WideReal{0}}, wide_root(k, 2 * (n - 1)));
      case Rule::dst1_half_load:
        return pair(entry<Rule::dst1_load>(2 * k, n), entry<Rule::dst1_load>(2 * k + 1, n));
      case Rule::dst1_half_store:
        return real_frequency(k + 1, 2 * (n + 1), {WideReal{0}, WideReal{1}}, turned(wide_root(k + 1, 2 * (n + 1))));
      case Rule::dct2_half_load:
        return pair(entry<Rule::dct2_load>(2 * k, n), entry<Rule::dct2_load>(2 * k + 1, n));
      case Rule::dct2_half_store:
        return cosine2_half_store(k, n);
      case Rule::dst2_half_load:
        return pair(entry<Rule::dst2_load>(2 * k, n), entry<Rule::dst2_load>(2 * k + 1, n));
      case Rule::dst2_half_store:
        return cosine2_half_store(n - 1 - k, n);
      case Rule::dct3_half_before:
        return cosine3_half_before(k, n, false);
      case Rule::dst3_half_before:
        return cosine3_half_before(k, n, true);
      case Rule::half_spectrum_load:
        if (k == 0) return {{}, {0, Complex(1, 1)}};
        return half_spectrum_load(k, n, 0);
      case Rule::half_spectrum_shifted_load:
        if (k == 0) return {{half - 1, Complex(1, -1)}, {}};
        return half_spectrum_load(k, n, 1);
      case Rule::dct3_half_store:
        return cosine3_half_store(k, n);
      case Rule::dst3_half_store:
        return times(sign(k), cosine3_half_store(k, n));
      case Rule::dct4_half_load:
        return cosine4_half_load(k, n, false);
      case Rule::dct4_half_store:
        return cosine4_half_store(k, n);
      case Rule::dst4_half_load:
        return cosine4_half_load(k, n, true);
      case Rule::dst4_half_store:
        return times(sign(k), cosine4_half_store(k, n));
      case Rule::dht_pairs_store: {
        if (k == 0) return pair_of_ends<Real>(1, 1);
        const Wide root = wide_root(k, n);
        return pair_store(k, n, {WideReal{1}, WideReal{1}}, sum(root, turned(root)));
      }
      case Rule::dct2_pairs_store:
        if (k == 0) return pair_of_ends<Real>(2);
        return pair_store(k, n, times(WideReal{2}, wide_root(k, 4 * n)), times(WideReal{2}, wide_root(5 * k, 4 * n)));
      case Rule::dct3_pairs_load: {
        // With w = exp(2 pi i k / 4n), frequency k is w v[k], and n/2 - k is exp(pi i / 4) conj(w) v[n/2 - k]: what is
        // made is the sum of the one and the other's conjugate, and i w^4 times their difference.
        if (k == 0) return pair_from_ends<Real>(1);
        const Wide own = conjugate(wide_root(k, 4 * n));
        const Wide rotated = turned(conjugate(wide_root(5 * k, 4 * n)));
        const Wide mirror = wide_root(half - k, 4 * n);
        const Wide mirror_rotated = turned(conjugate(wide_root(3 * n + half + 5 * k, 4 * n)));
        return {{k, rounded(sum(own, rotated))}, {half - k, rounded(difference(mirror, mirror_rotated))}};
      }
    }
    return {};
  }
};

}  // namespace twiddle::plan
