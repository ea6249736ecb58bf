// One discrete Fourier transform over symbols, for every length: a design says by which algorithm, and the design of a
// length is chosen by counting operations.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "kernel/expression.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::kernel {

enum class Algorithm {
  trivial,        // length 1 and 2
  symmetric,      // odd prime: elements n and N - n taken together, sums with cosines and with sines by definition
  rader_cosines,  // the same, the sums with cosines as a cyclic convolution (C. M. Rader 1968, on half of the group)
  rader,          // the same, and the sums with sines as a negacyclic convolution
  prime_factor,   // first x second, coprime (I. J. Good 1958, L. H. Thomas 1963)
  mixed_radix,    // first x second, with twiddle factors between them (J. W. Cooley and J. W. Tukey 1965)
  split_radix,    // multiple of 4: one half and two quarters with conjugate factors (I. Kamar and Y. Elcherif 1989)
};

// In words, for tables: "split radix".
[[nodiscard]] std::string_view name(Algorithm algorithm);

// How to transform `length` values. The parts of a composite length follow their own designs.
struct Design {
  unsigned length = 1;
  Algorithm algorithm = Algorithm::trivial;
  unsigned first = 1;  // the part of prime_factor and mixed_radix that is transformed first; length / first is second
  bool operator==(const Design&) const = default;
};

// A butterfly as a graph: inputs 2 n and 2 n + 1 are the real and imaginary part of element n, and so for the outputs.
struct ButterflyGraph {
  ExpressionGraph graph;
  std::vector<Value> outputs;
};

// Every way in which transform() knows to compute `length`, one row each.
[[nodiscard]] std::vector<Design> possible_designs(unsigned length);

// The cheapest design of 1, a length that has_butterfly() or one of plan::packed_line_radices, found by counting when
// it is first asked for; any thread may.
[[nodiscard]] const Design& chosen_design(unsigned length);

// Transforms there and back in one stage round twice as much: there 13 points are transformed by the definition, which
// takes one operation in 14 more, fused, and has 0.82 times the error. Sums of 14 and 15 terms, of 29 and 31 points,
// are added up in runs, which takes as many operations: 118 reals by Rader's over 29 have 0.95 times the error with
// runs of 8, 59 reals 0.99 times that with runs of 5. Sums of 6 terms in runs take up to 1.1 times as long.
enum class Rounding { usual, least };
inline constexpr LongSums long_sums_of_least_rounding{13, 5};

// The one for Rounding::least: the definition in place of a convolution of both cosines and sines (13 points).
[[nodiscard]] Design exact_design(unsigned length);

// The transform of `design.length` values in natural order. Its parts follow the designs chosen for their lengths, or
// those for least rounding.
[[nodiscard]] std::vector<ComplexValue> transform(ExpressionGraph& graph, const Design& design,
                                                  std::span<const ComplexValue> values,
                                                  Rounding rounding = Rounding::usual);

// The transform, forward or inverse (not scaled), by the given design.
[[nodiscard]] ButterflyGraph butterfly_graph(const Design& design, Direction direction,
                                             Rounding rounding = Rounding::usual);

// By the chosen design, or that for least rounding. Throws InvalidArgument unless has_butterfly(radix).
[[nodiscard]] ButterflyGraph butterfly_graph(unsigned radix, Direction direction, Rounding rounding = Rounding::usual);

}  // namespace twiddle::kernel
