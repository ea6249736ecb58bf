// How the elements of one line are made from those of another, at most two for each: what real transforms do before and
// after the complex transform at their core. A plain value; map_tables() says what it means.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace twiddle::plan {

// A rule for lines of a real transform of `length` points. The names say which transform the rule belongs to and on
// which side of its complex transform (whose points are given in brackets) it stands.
// Sources: r2c of even length by half the points: J. W. Cooley, P. A. W. Lewis, P. D. Welch, The fast Fourier transform
// algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms, 1970. dct2 and dct3:
// J. Makhoul, A fast cosine transform in one and two dimensions, 1980. dct1 and dst1: by even and odd extension.
// dct4: as the sum of two shifted transforms with zeros appended; of odd length by as many points: S. C. Chan, K. L.
// Ho, Fast algorithms for computing the discrete cosine transform, 1992; by half the points: P. Duhamel, Y. Mahieux, J.
// P. Petit, A fast algorithm for the implementation of filter banks based on time domain aliasing cancellation, 1991.
// Sines: from cosines by signs and reversal.
struct LineMap {
  enum class Rule {
    r2c_store,       // [n/2, n even] pairs of reals packed as complex numbers -> frequencies 0..n/2
    c2r_load,        // [n/2, n even] the other way
    hermitian_load,  // [n, inverse] frequencies 0..n/2 -> all n
    // Two lines of an odd length for the price of one (pair_lines.hpp); frequencies 0..n/2 of the first, then of the
    // second.
    two_spectra_store,    // [n] two lines of reals as real and imaginary parts -> their frequencies
    two_spectra_load,     // [n, inverse] the other way
    mean_spectrum_store,  // [n] a line of reals -> frequencies 0..n/2: the mean of both halves of its spectrum
    // [n] reals times 1 + oblique_slope i, transformed and turned by a hermitian twiddle -> elements 0..n/2 of what
    // reals would be: the mean of both halves, whose errors, unlike those of reals' spectra, are not mirror images.
    mean_store,
    dct1_load,  // [2 (n-1)]
    dct1_store,
    dct1_mean_store,  // [2 (n-1)] from both halves of the spectrum, which are equal but for their errors
    dct2_load,        // [n]
    dct2_store,
    dct3_load,  // [n, inverse]
    dct3_store,
    dct4_load,  // [2 n]
    dct4_store,
    dct4_odd_load,  // [n, n odd]
    dct4_odd_store,
    dst1_load,  // [2 (n+1)]
    dst1_store,
    dst1_mean_store,  // [2 (n+1)]
    dst2_load,        // [n]
    dst2_store,
    dst3_load,  // [n, inverse]
    dst3_store,
    // [n, inverse] the row of frequency n1/2 of a longer even or odd line, of whose elements x[j] imaginary parts are
    // there (moved_symmetric_line.hpp): x[1] sin(t), ..., x[n-1] sin((n-1) t), x[0] with t = pi / 2n, then dct3.
    dct3_row_load,
    dst3_row_load,  // x[n-1], -x[0] cos(t), ..., -x[n-2] cos((n-1) t), then dst3
    dst4_load,      // [2 n]
    dst4_store,
    dst4_odd_load,  // [n, n odd]
    dst4_odd_store,
    dht_store,  // [n]
    // The same with half the points, for lines of any length or, where n is said to be even, of an even one.
    // Neighbouring elements of what would be transformed, which is real, are the parts of complex numbers.
    pairs_load,  // [n/2, n even] elements as they are, for dht
    dht_half_store,
    dct1_half_load,  // [n-1]
    dct1_half_store,
    dst1_half_load,  // [n+1]
    dst1_half_store,
    dct2_half_load,  // [n/2, n even]
    dct2_half_store,
    dst2_half_load,
    dst2_half_store,
    dct3_half_before,  // [n/2, n even, inverse] -> frequencies 0..n/2-1, and n/2 as imaginary part of 0: both are real
    dst3_half_before,
    half_spectrum_load,          // from these
    half_spectrum_shifted_load,  // from frequencies 1..n/2-1, and n/2 with 0 as its imaginary part
    dct3_half_store,
    dst3_half_store,
    dct4_half_load,  // [n/2, n even]
    dct4_half_store,
    dst4_half_load,
    dst4_half_store,
    // [n/2, n even] between elements of half of the points and complex numbers k that hold results k and n - k, or what
    // these are made of: as real and imaginary part, of dct2 and dct3 minus the latter. Number 0 holds 0 and n/2. Sines
    // are cosines whose reals change places and signs.
    dht_pairs_store,
    dct2_pairs_store,
    dct3_pairs_load
  };
  Rule rule = Rule::r2c_store;
  std::uint64_t length = 1;        // n, of the real transform
  std::uint64_t source_count = 1;  // elements there are to read; those beyond are zero and not touched
  std::uint64_t count = 1;         // elements to make
  bool orthogonal = false;         // with the weights that make the transform orthogonal
  // Not empty: the full source stands as stages of so many points leave it if none moves elements (reversed_place).
  std::vector<std::uint64_t> source_parts{};
  // Not 0: the complex side is half of the spectrum of an odd number of reals, as columns of so many points leave or
  // take it (real_halves.hpp), or one column of all points: element i of row r is frequency r + half_columns * i, and
  // rows 0..half_columns / 2 are there. What the map makes of it is real: twice the real part of the first term.
  std::uint64_t half_columns = 0;
  // Not empty: these rows stand as decimation in frequency by parts of so many points leaves them (reversed_place).
  std::vector<std::uint64_t> row_parts{};
  bool operator==(const LineMap&) const = default;
};

// The rule of the same results from the mean of both halves of a symmetric spectrum, or the rule itself.
[[nodiscard]] LineMap::Rule mean_rule(LineMap::Rule rule);

// Where decimation in frequency by parts of so many points, each where its elements are, leaves element `index` of a
// line of their product: the first part has the lowest digit of the index and the highest of the place. No parts: in
// order.
[[nodiscard]] std::uint64_t reversed_place(std::uint64_t index, const std::vector<std::uint64_t>& parts);
// The element that stands in such a place.
[[nodiscard]] std::uint64_t element_in_place(std::uint64_t place, const std::vector<std::uint64_t>& parts);

// value[k] = a[k] * source[first[k]] + b[k] * s[second[k]] for 0 <= k < count, where s is the source, or its complex
// conjugate where `conjugate` is set. An index that is `none` stands for zero. Where `real_end` is given, the source's
// elements 0 and *that one* count without their imaginary parts. Values from `conjugated_from` on are the conjugates of
// this.
struct MapTables {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> second;
  std::vector<std::complex<long double>> a;
  std::vector<std::complex<long double>> b;
  bool conjugate = false;
  std::uint64_t real_end = none;  // none: no such rule; else the index of the other end
  std::uint64_t conjugated_from = none;
};
[[nodiscard]] MapTables map_tables(const LineMap& map);
// The same without the four arrays, for those who take these from MapEntries (map_entries.hpp).
[[nodiscard]] MapTables map_rules(const LineMap& map);

// Whether the real and the imaginary parts of the transform's elements belong to one real line: the rules by half the
// points.
[[nodiscard]] bool pairs_reals(LineMap::Rule rule);

// Whether the rule is that of a complex line of half the points: between it and half of the reals' spectrum.
[[nodiscard]] bool is_half_spectrum(LineMap::Rule rule);

// Whether element k is made of those at k and at its mirror image, half of n less k, and of no others, so that both can
// be made where these stand: 0 is its own mirror image, or both ends of a spectrum are each other's.
[[nodiscard]] bool keeps_to_mirror_images(LineMap::Rule rule);

// Whether the map takes or makes the frequencies of two lines.
[[nodiscard]] bool holds_two_spectra(LineMap::Rule rule);

// Points of the source line where nothing is pruned: the frequencies, reals or complex points that the rule takes.
[[nodiscard]] std::uint64_t full_source_count(LineMap::Rule rule, std::uint64_t length);
// Points that it makes where nothing is pruned.
[[nodiscard]] std::uint64_t full_count(LineMap::Rule rule, std::uint64_t length);
// Whether nothing is pruned.
[[nodiscard]] bool is_whole(const LineMap& map);

[[nodiscard]] std::string to_string(const LineMap& map);

}  // namespace twiddle::plan
