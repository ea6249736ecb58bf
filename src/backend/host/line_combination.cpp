// Tables of a LineMap in the precision of the arithmetic.
#include "backend/host/line_combination.hpp"

#include <algorithm>

namespace twiddle::backend::host {

template <class T>
LineCombination<T>::LineCombination(const plan::LineMap& map) : source_count_(map.source_count) {
  const plan::MapTables tables = plan::map_tables(map);
  conjugate_ = tables.conjugate;
  for (std::size_t k = 0; k < tables.first.size(); ++k) {
    Coefficients coefficients;
    if (tables.first[k] != plan::MapTables::none) {
      coefficients.first_real = static_cast<T>(tables.a[k].real());
      coefficients.first_imaginary = static_cast<T>(tables.a[k].imag());
    }
    if (tables.second[k] != plan::MapTables::none) {
      coefficients.second_real = static_cast<T>(tables.b[k].real());
      coefficients.second_imaginary = static_cast<T>(tables.b[k].imag());
    }
    coefficients_.push_back(coefficients);
    first_.push_back(tables.first[k] == plan::MapTables::none ? 0 : tables.first[k]);
    second_.push_back(tables.second[k] == plan::MapTables::none ? 0 : tables.second[k]);
  }
  if (tables.real_end == plan::MapTables::none) return;
  for (const std::uint64_t element : {std::uint64_t{0}, tables.real_end}) {
    if (element < source_count_) real_elements_.push_back(element);
  }
}

template <class T>
void LineCombination<T>::apply(const Planes<T>& source, std::size_t lanes, const Planes<T>& to) const {
  for (const std::size_t element : real_elements_) std::fill_n(source.imaginary + element * lanes, lanes, T{0});
  const T sign = conjugate_ ? T{-1} : T{1};
  for (std::size_t k = 0; k < first_.size(); ++k) {
    const T* const first_real = source.real + first_[k] * lanes;
    const T* const first_imaginary = source.imaginary + first_[k] * lanes;
    const T* const second_real = source.real + second_[k] * lanes;
    const T* const second_imaginary = source.imaginary + second_[k] * lanes;
    T* const real = to.real + k * lanes;
    T* const imaginary = to.imaginary + k * lanes;
    const Coefficients c = coefficients_[k];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const T other = sign * second_imaginary[lane];
      real[lane] = c.first_real * first_real[lane] - c.first_imaginary * first_imaginary[lane] +
                   c.second_real * second_real[lane] - c.second_imaginary * other;
      imaginary[lane] = c.first_real * first_imaginary[lane] + c.first_imaginary * first_real[lane] +
                        c.second_real * other + c.second_imaginary * second_real[lane];
    }
  }
}

template class LineCombination<float>;
template class LineCombination<double>;
template class LineCombination<long double>;

}  // namespace twiddle::backend::host
