// Short lines of reals times a matrix: rows with results in the lanes, or neighbouring columns. Included once per SIMD
// target.
// clang-format off
#if defined(TWIDDLE_HOST_MATRIX_LINES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_MATRIX_LINES_INL_H
#undef TWIDDLE_HOST_MATRIX_LINES_INL_H
#else
#define TWIDDLE_HOST_MATRIX_LINES_INL_H
#endif
// clang-format on

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "backend/host/combination.hpp"
#include "backend/host/matrix_line.hpp"
#include "backend/host/some_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// kSums sums of products at once, each in kParts parts, a power of two: that rounds less, and does not wait for each
// product.
template <std::size_t kSums, std::size_t kParts, class V, class Term>
HWY_INLINE void SumProducts(std::size_t count, V zero, V* HWY_RESTRICT sums, const Term& term) {
  V parts[kParts][kSums];
  for (std::size_t part = 0; part < kParts; ++part) std::fill_n(parts[part], kSums, zero);
  std::size_t k = 0;
  for (; k + kParts <= count; k += kParts) {
    for (std::size_t part = 0; part < kParts; ++part) term(k + part, parts[part]);
  }
  for (std::size_t part = 0; part + 1 < kParts; ++part) {  // by constants: parts stay in registers
    if (k + part < count) term(k + part, parts[part]);
  }
  for (std::size_t i = 0; i < kSums; ++i) {
    for (std::size_t some = kParts / 2; some > 0; some /= 2) {
      for (std::size_t part = 0; part < some; ++part) {
        parts[part][i] = hn::Add(parts[part][i], parts[part + some][i]);
      }
    }
    sums[i] = parts[0][i];
  }
}

// kRows lines. Results of more than a vector are stored before all of a line is read again, so those have a copy of it.
template <std::size_t kRows, class D, class T = hn::TFromD<D>>
HWY_INLINE void MatrixRowsTogether(D d, const MatrixCall<T>& call, const T* from, T* to) {
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = lanes_of<D>;
  T copies[kRows][most_matrix_points];
  const T* lines[kRows];
  for (std::size_t i = 0; i < kRows; ++i) {
    lines[i] = from + static_cast<std::ptrdiff_t>(i) * call.from_step;
    if (call.results > kLanes) lines[i] = std::copy_n(lines[i], call.inputs, copies[i]) - call.inputs;
  }
  for (std::size_t at = 0; at < call.results; at += kLanes) {
    V sums[kRows];
    SumProducts<kRows, kRows == 1 ? 4 : 2>(call.inputs, hn::Zero(d), sums, [&](std::size_t k, V* HWY_RESTRICT sum) TWIDDLE_HOST_INLINE {
      const V column = hn::LoadU(d, call.matrix + k * call.matrix_step + at);
      for (std::size_t i = 0; i < kRows; ++i) sum[i] = hn::MulAdd(column, hn::Set(d, lines[i][k]), sum[i]);
    });
    for (std::size_t i = 0; i < kRows; ++i) {
      StoreSome(d, sums[i], call.results - at, to + static_cast<std::ptrdiff_t>(i) * call.to_step + at);
    }
  }
}

template <class D, class T = hn::TFromD<D>>
void MatrixRowsBy(D d, const MatrixCall<T>& call) {
  constexpr std::size_t kRows = 4;
  const T* from = call.from;
  T* to = call.to;
  std::size_t line = 0;
  for (; line + kRows <= call.lines; line += kRows) {
    MatrixRowsTogether<kRows>(d, call, from, to);
    from += kRows * call.from_step;
    to += kRows * call.to_step;
  }
  for (; line < call.lines; ++line, from += call.from_step, to += call.to_step) {
    MatrixRowsTogether<1>(d, call, from, to);
  }
}

// kResults results of a vector of columns.
template <std::size_t kResults, class D, class T = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE void MatrixResults(D d, const MatrixCall<T>& call, const V* HWY_RESTRICT elements, std::size_t result,
                              std::size_t count, T* to) {
  V sums[kResults];
  const T* const matrix = call.matrix + result * call.matrix_step;
  SumProducts<kResults, kResults == 1 ? 4 : 2>(call.inputs, hn::Zero(d), sums, [&](std::size_t k, V* HWY_RESTRICT sum) TWIDDLE_HOST_INLINE {
    for (std::size_t i = 0; i < kResults; ++i) {
      sum[i] = hn::MulAdd(elements[k], hn::Set(d, matrix[i * call.matrix_step + k]), sum[i]);
    }
  });
  for (std::size_t i = 0; i < kResults; ++i) {
    StoreSome(d, sums[i], count, to + static_cast<std::ptrdiff_t>(result + i) * call.to_step);
  }
}

template <class D, class T = hn::TFromD<D>>
void MatrixColumnsBy(D d, const MatrixCall<T>& call) {
  constexpr std::size_t kLanes = lanes_of<D>;
  constexpr std::size_t kResults = 4;
  for (std::size_t lane = 0; lane < call.lines; lane += kLanes) {
    const std::size_t count = std::min(kLanes, call.lines - lane);
    hn::Vec<D> elements[most_matrix_points];
    for (std::size_t k = 0; k < call.inputs; ++k) {
      elements[k] = LoadSome(d, call.from + lane + static_cast<std::ptrdiff_t>(k) * call.from_step, count);
    }
    std::size_t result = 0;
    for (; result + kResults <= call.results; result += kResults) {
      MatrixResults<kResults>(d, call, elements, result, count, call.to + lane);
    }
    for (; result < call.results; ++result) MatrixResults<1>(d, call, elements, result, count, call.to + lane);
  }
}

// By vectors no wider than what they are to hold.
template <bool kRows, class D, class T = hn::TFromD<D>>
void MatrixBy(D d, const MatrixCall<T>& call) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (lanes_of<D> * sizeof(T) > 16) {
    const hn::Half<D> half;
    if (2 * (kRows ? call.results : call.lines) <= lanes_of<D>) return MatrixBy<kRows>(half, call);
  }
#endif
  kRows ? MatrixRowsBy(d, call) : MatrixColumnsBy(d, call);
}

template <class T>
void MatrixRows(const MatrixCall<T>& call) {
  MatrixBy<true>(hn::ScalableTag<T>(), call);
}

template <class T>
void MatrixColumns(const MatrixCall<T>& call) {
  MatrixBy<false>(hn::ScalableTag<T>(), call);
}

// One line of kInputs elements, or of call.inputs if that is 0, whose results are kept in registers until all of it is
// read.
template <std::size_t kInputs, std::size_t kVectors, class D, class T = hn::TFromD<D>>
HWY_INLINE void MatrixLineIn(D d, const MatrixCall<T>& call, const T* from, T* to) {
  constexpr std::size_t kLanes = lanes_of<D>;
  constexpr std::size_t kLast = kVectors - 1;
  hn::Vec<D> sums[kVectors];
  SumProducts<kVectors, kVectors == 1 ? 4 : 2>(kInputs == 0 ? call.inputs : kInputs, hn::Zero(d), sums, [&](std::size_t k, hn::Vec<D>* HWY_RESTRICT sum) TWIDDLE_HOST_INLINE {
    const auto element = hn::Set(d, from[k]);
    const T* const column = call.matrix + k * call.matrix_step;
    for (std::size_t i = 0; i < kVectors; ++i) sum[i] = hn::MulAdd(hn::LoadU(d, column + i * kLanes), element, sum[i]);
  });
  for (std::size_t i = 0; i < kLast; ++i) hn::StoreU(sums[i], d, to + i * kLanes);
  StoreSome(d, sums[kLast], call.results - kLast * kLanes, to + kLast * kLanes);
}

constexpr std::size_t most_vectors_of_line = 4;

template <std::size_t kInputs, class D, class T = hn::TFromD<D>>
HWY_INLINE void MatrixLineBy(D d, const MatrixCall<T>& call, const T* from, T* to) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (lanes_of<D> * sizeof(T) > 16) {
    const hn::Half<D> half;
    if (2 * call.results <= lanes_of<D>) return MatrixLineBy<kInputs>(half, call, from, to);
  }
#endif
  if (call.results <= lanes_of<D>) return MatrixLineIn<kInputs, 1>(d, call, from, to);
  if (call.results <= 2 * lanes_of<D>) return MatrixLineIn<kInputs, 2>(d, call, from, to);
  if (call.results <= 3 * lanes_of<D>) return MatrixLineIn<0, 3>(d, call, from, to);
  MatrixLineIn<0, most_vectors_of_line>(d, call, from, to);
}

template <class T, std::size_t kInputs>
void MatrixLineOf(const MatrixCall<T>& call, const T* from, T* to) {
  MatrixLineBy<kInputs>(hn::ScalableTag<T>(), call, from, to);
}

template <class T, std::size_t... kInputs>
constexpr std::array<MatrixLineFunction<T>, sizeof...(kInputs)> MatrixLinesOf(std::index_sequence<kInputs...>) {
  return {MatrixLineOf<T, kInputs>...};
}

// Lines to 16 elements by constants, which take half of the time; the first is for any number of them.
template <class T>
MatrixLineFunction<T> FindMatrixLine(std::size_t inputs, std::size_t results) {
  static constexpr auto lines = MatrixLinesOf<T>(std::make_index_sequence<17>());
  if (results > most_vectors_of_line * lanes_of<hn::ScalableTag<T>>) return nullptr;
  return lines[inputs < lines.size() ? inputs : 0];
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // TWIDDLE_HOST_MATRIX_LINES_INL_H
