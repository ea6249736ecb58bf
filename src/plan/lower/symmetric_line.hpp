// Even and odd lines of reals in two stages, of which a quarter is kept in between.
#pragma once

#include <vector>

#include "plan/lower/emit.hpp"

namespace twiddle::plan {

// The stages of dct1 or dst1 as the transform of an even or odd line of P = n1 n2 points, `task.rule.points`. With w_n
// = exp(2 pi i / n), element k1 n2 + k2 of x and result f1 + n1 f2:
//   b[k2][f1] = w_P^(k2 f1) sum over k1 of w_n1^(k1 f1) x[k1 n2 + k2]
//   y[f1 + n1 f2] = sum over k2 of w_n2^(k2 f2) b[k2][f1]
// Column n2 - k2 is the mirror image of column k2, and b[n2 - k2] the conjugate of b[k2] (of an odd line, once
// multiplied by -i, which makes its results real); row n1 - f1 of results is the mirror image of row f1. So columns
// 0..n2/2 of reals, and rows 0..n1/2 from halves of their spectra to reals, say everything. (Symmetry as in J. W.
// Cooley, P. A. W. Lewis, P. D. Welch, 1970, in one step of the radix n1.) Only of a line in two stages that stay on
// chip.
// Where `task.means`, the first stage makes complex numbers of the reals (Factor::Sequence::oblique), so that b[f1] and
// what should be its conjugate, of n1 - f1, have errors of their own, and stores the mean of both; the second one
// transforms rows as complex numbers, and stores real parts. That is twice the work on as much memory, and the errors'
// squares are half as large.
[[nodiscard]] std::vector<Draft> emit_symmetric(const AxisTask& task, const LineRecipe& line);

}  // namespace twiddle::plan
