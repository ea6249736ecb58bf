// What to convolve: signals, filters, which part of the result, what happens at the edges and to the results. A plain
// value; convolution_plan.hpp computes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twiddle/transform.hpp"

namespace twiddle {

// What is taken for the samples before and behind a signal of n samples a b c d (the words of scipy.ndimage):
enum class Boundary {
  zero,      // 0 0 0 | a b c d | 0 0 0       (ndimage's "constant" with cval = 0)
  periodic,  // b c d | a b c d | a b c       ("wrap")
  reflect,   // c b a | a b c d | d c b       ("reflect"), again and again for filters longer than the signal
  nearest    // a a a | a b c d | d d d       ("nearest")
};

// The sample that stands at `position` of a line of `length` samples, which may lie anywhere; none for zero.
[[nodiscard]] std::optional<std::uint64_t> boundary_source(Boundary boundary, std::int64_t position,
                                                           std::uint64_t length);

// What is made of the results before they are stored, in this order: function, maximum, decimation. All of it is along
// the last axis, by which y is meant here as y[0], y[1], ... Outputs that stand beside the first and the last one,
// where a function needs them, are what the convolution gives there (the signal goes on as its boundary says).
struct PostProcessing {
  enum class Function {
    none,
    power,       // |y[n]|^2
    magnitude,   // |y[n]|
    derivative,  // (y[n+1] - y[n-1]) / 2
    // Fourier interbinning of a spectrum y: twice as many real outputs, at 2 n |y[n]|^2 and at 2 n + 1
    // |c (y[n] - y[n+1])|^2, where the amplitude factor c is one of the two that are published:
    interbin_pi_4,  // c = pi / 4 (S. M. Ransom, S. S. Eikenberry, J. Middleditch, Fourier techniques for very long
                    // astrophysical time-series analysis, 2002)
    interbin_2_pi   // c = 2 / pi (K. Adamek, S. Dimoudi, M. Giles, W. Armour, GPU fast convolution via the
                    // overlap-and-save method in shared memory, 2020)
  };
  Function function = Function::none;
  // Over the filters: of each signal only the largest outputs are stored, and behind them, as scalars, the indices of
  // the filters (the first of equals) that they are of. Outputs must be real.
  bool maximum = false;
  std::size_t decimation = 1;  // outputs 0, d, 2 d, ... are stored; 1 for interbinning
  bool operator==(const PostProcessing&) const = default;
};

// Convolution of `signals` arrays with each of `filters` arrays:
//   y[q] = sum_m h[m] x[q - m],    0 <= m < kernel length, x beyond the signal as `boundary` says,
// in each dimension; the mode says which q are the outputs. Correlation is convolution with the filter reversed along
// all axes and, where complex, conjugated. Along each axis of N signal and M kernel samples:
//   full    q = 0 ... N + M - 2
//   valid   q = M - 1 ... N - 1: no sample beyond the signal is used; M <= N
//   same    q = M - 1 - past ... N + M - 2 - past: N outputs. Output i uses the signal's samples i - past to
//           i - past + M - 1, so that `past` = M - 1 is a causal filter and 0 an anticipating one; any number is
//           allowed.
// Results are those of scipy.signal.convolve and correlate (boundary zero) and scipy.ndimage.convolve and correlate
// (mode same), with these libraries' centres for `same`. Memory is row-major without gaps: signals [signal][lengths],
// filters [filter][lengths], results [signal][filter][lengths]. Elements are real or complex as `complex` says, all of
// them.
struct Convolution {
  enum class Operation { convolve, correlate };
  enum class Mode { full, same, valid };
  enum class Method {
    automatic,    // the fastest by a model of costs
    direct,       // the sum as it stands
    separable,    // direct down the columns, then along the rows: two dimensions, of filters that are products of a
                  // column and a row (set_filters() throws InvalidArgument for others)
    whole,        // by transforms of the whole padded signal
    overlap_save  // by transforms of overlapping segments, one dimension
  };

  std::vector<std::size_t> signal_lengths;  // 1 to 3 dimensions
  std::vector<std::size_t> kernel_lengths;  // as many
  std::size_t signals = 1;
  std::size_t filters = 1;
  Precision precision = Precision::float32;  // or float64
  bool complex = false;
  Operation operation = Operation::convolve;
  Mode mode = Mode::full;
  Boundary boundary = Boundary::zero;
  std::vector<std::int64_t> past{};  // mode same only; empty: default_past()
  Method method = Method::automatic;
  // Points of overlap-save's transforms, 0: chosen. On the host a longer filter is cut into partitions, on devices segments
  // are made longer.
  std::size_t segment = 0;
  PostProcessing post{};
  // A function of the user's (hook.hpp) on every stored result, last of all, not beside a maximum; its index is the
  // place in the output, its `user` memory none. Neighbours are along the last axis, undecimated, of a local
  // post.function.
  std::shared_ptr<const Hook> store_hook{};
  bool operator==(const Convolution&) const = default;
};

// Throws InvalidArgument for what can never be computed: no or more than 3 dimensions, empty signals, kernels or banks,
// a kernel longer than the signal in mode valid, `past` beside another mode than same, a decimation of 0, a maximum of
// complex outputs or beside a hook, sizes beyond the address space.
void validate(const Convolution& convolution);

// The samples of the past where `past` is empty: M - 1 in mode full, 0 in mode valid (whose first output stands beside
// sample 0); in mode same those of SciPy's centres, M / 2 rounded down, but for a convolution with a boundary other
// than zero (M - 1) / 2 rounded down.
[[nodiscard]] std::vector<std::int64_t> default_past(const Convolution& convolution);

// Elements along each axis that the convolution has, and that are stored: fewer where decimated, twice as many along
// the last axis where interbinned.
[[nodiscard]] std::vector<std::size_t> convolved_lengths(const Convolution& convolution);
[[nodiscard]] std::vector<std::size_t> output_lengths(const Convolution& convolution);

// Whether what is stored is complex: complex data, unless powers, magnitudes or maxima are made of it.
[[nodiscard]] bool has_complex_output(const Convolution& convolution);

// All elements of the three operands; those of the result with the indices of maxima.
[[nodiscard]] std::size_t signal_elements(const Convolution& convolution);
[[nodiscard]] std::size_t filter_elements(const Convolution& convolution);
[[nodiscard]] std::size_t output_elements(const Convolution& convolution);

[[nodiscard]] std::string_view to_string(Boundary boundary);                  // "reflect"
[[nodiscard]] std::string_view to_string(Convolution::Mode mode);             // "same"
[[nodiscard]] std::string_view to_string(Convolution::Method method);         // "overlap-save"
[[nodiscard]] std::string_view to_string(PostProcessing::Function function);  // "power"
// "convolve f32 complex, 1 x 4194304 with 16 x 257, mode same, boundary zero".
[[nodiscard]] std::string to_string(const Convolution& convolution);

}  // namespace twiddle
