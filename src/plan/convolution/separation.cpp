// The best column and row of a matrix are its first singular vectors (C. Eckart, G. Young, The approximation of one
// matrix by another of lower rank, 1936). From the row of the largest element, which is theirs where the matrix is such
// a product, one step of the power method (G. H. Golub, C. F. Van Loan, Matrix Computations, section 8.2) takes the
// mean of what rounding did to all elements.
#include "plan/convolution/separation.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

namespace twiddle::plan {
namespace {

long double conjugate(long double value) { return value; }
std::complex<long double> conjugate(const std::complex<long double>& value) { return std::conj(value); }

long double real_part(long double value) { return value; }
long double real_part(const std::complex<long double>& value) { return value.real(); }
long double imaginary_part(long double) { return 0; }
long double imaginary_part(const std::complex<long double>& value) { return value.imag(); }

// `Value` is long double, or complex.
template <class Value>
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Value> elements;
  [[nodiscard]] const Value& at(std::size_t row, std::size_t column) const { return elements[row * columns + column]; }
};

template <class Value>
long double squared_norm(const std::vector<Value>& values) {
  long double sum = 0;
  for (const Value& value : values) sum += std::norm(value);
  return sum;
}

template <class Value, class T>
Matrix<Value> filter_matrix(const twiddle::Convolution& convolution, const T* filter) {
  constexpr bool complex = !std::is_same_v<Value, long double>;
  Matrix<Value> matrix{convolution.kernel_lengths[0], convolution.kernel_lengths[1], {}};
  for (std::size_t i = 0; i < matrix.rows * matrix.columns; ++i) {
    if constexpr (complex) {
      matrix.elements.emplace_back(filter[2 * i], filter[2 * i + 1]);
    } else {
      matrix.elements.push_back(filter[i]);
    }
  }
  if (convolution.operation == twiddle::Convolution::Operation::correlate) {
    std::reverse(matrix.elements.begin(), matrix.elements.end());
    for (Value& element : matrix.elements) element = conjugate(element);
  }
  return matrix;
}

template <class T>
long double rounded(long double value) {
  return static_cast<T>(value);
}
template <class T>
std::complex<long double> rounded(const std::complex<long double>& value) {
  return {rounded<T>(value.real()), rounded<T>(value.imag())};
}

// Column and row, rounded to T; empty for another matrix.
template <class T, class Value>
std::vector<Value> factors(const Matrix<Value>& matrix) {
  const auto largest = std::max_element(matrix.elements.begin(), matrix.elements.end(),
                                        [](const Value& a, const Value& b) { return std::abs(a) < std::abs(b); });
  const std::size_t pivot = static_cast<std::size_t>(largest - matrix.elements.begin()) / matrix.columns;
  std::vector<Value> column(matrix.rows), row(matrix.columns);
  if (*largest != Value{}) {
    for (std::size_t j = 0; j < matrix.columns; ++j) row[j] = matrix.at(pivot, j) / *largest;
    const long double row_norm = squared_norm(row);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      for (std::size_t j = 0; j < matrix.columns; ++j) column[i] += matrix.at(i, j) * conjugate(row[j]) / row_norm;
    }
    for (Value& value : column) value = rounded<T>(value);
    const long double column_norm = squared_norm(column);
    std::fill(row.begin(), row.end(), Value{});
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      for (std::size_t j = 0; j < matrix.columns; ++j) row[j] += conjugate(column[i]) * matrix.at(i, j) / column_norm;
    }
    for (Value& value : row) value = rounded<T>(value);
  }
  long double difference = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j) difference += std::norm(matrix.at(i, j) - column[i] * row[j]);
  }
  const long double allowed = 2 * static_cast<long double>(std::numeric_limits<T>::epsilon());
  // Not where anything is not a number.
  if (!(std::sqrt(difference) <= allowed * std::sqrt(squared_norm(matrix.elements)))) return {};
  column.insert(column.end(), row.begin(), row.end());
  return column;
}

template <class Value, class T>
Separation<T> separate(const twiddle::Convolution& convolution, std::span<const T> filters) {
  constexpr std::size_t scalars = std::is_same_v<Value, long double> ? 1 : 2;
  const std::size_t size = filters.size() / convolution.filters;
  Separation<T> result;
  for (std::size_t filter = 0; filter < convolution.filters; ++filter) {
    const std::vector<Value> found = factors<T>(filter_matrix<Value>(convolution, filters.data() + filter * size));
    if (found.empty()) return {{}, filter};
    for (const Value& value : found) {
      result.taps.push_back(static_cast<T>(real_part(value)));
      if (scalars == 2) result.taps.push_back(static_cast<T>(imaginary_part(value)));
    }
  }
  return result;
}

}  // namespace

template <class T>
Separation<T> separate_filters(const twiddle::Convolution& convolution, std::span<const T> filters) {
  return convolution.complex ? separate<std::complex<long double>>(convolution, filters)
                             : separate<long double>(convolution, filters);
}

template Separation<float> separate_filters(const twiddle::Convolution&, std::span<const float>);
template Separation<double> separate_filters(const twiddle::Convolution&, std::span<const double>);

}  // namespace twiddle::plan
