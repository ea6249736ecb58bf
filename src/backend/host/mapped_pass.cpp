// Tables of passes that a map is part of.
#include "backend/host/mapped_pass.hpp"

#include <algorithm>

#include "backend/host/mirrored_line.hpp"
#include "plan/numbers/half_spectrum.hpp"

namespace twiddle::backend::host {

template <class T>
std::optional<MappedPass<T>> MappedPass<T>::make(const plan::LineMap& map, const LinePasses<T>& passes, T scale,
                                                 std::int64_t targets) {
  using Rule = plan::LineMap::Rule;
  const bool load = map.rule == Rule::c2r_load;
  if (!plan::is_half_spectrum(map.rule) || !plan::is_whole(map)) return std::nullopt;
  const auto& pass = passes.pass(load ? 0 : passes.count() - 1);
  const std::size_t lanes = vector_lanes<T>(targets);
  const std::size_t radix = pass.radix;
  const std::size_t columns = load ? pass.columns : pass.run;
  if (columns < 2 * lanes) return std::nullopt;
  MappedPass mapped;
  mapped.function_ = find_pass<T>(load ? PassKind::first_row_mapped : PassKind::last_row_mapped, pass.radix, targets);
  if (mapped.function_ == nullptr) return std::nullopt;
  const std::optional<MirroredLine<T>> line = MirroredLine<T>::make(map, scale, targets);
  if (!line) return std::nullopt;
  mapped.sum_ = line->sum();

  const std::size_t pairs = (columns / 2 + lanes - 1) / lanes;
  mapped.table_ = AlignedArray<T>(pairs * 2 * lanes * (radix + (load ? 2 * (radix - 1) : 0)));
  T* next = mapped.table_.data();
  const auto put = [&](const auto& value) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::complex<T> number = value(lane);
      next[lane] = number.real();
      next[lanes + lane] = number.imag();
    }
    next += 2 * lanes;
  };
  // Column and k of what a first pass has as [vector][k][real, imaginary][lane], the last vector up to the last column.
  const auto twiddle = [&](std::size_t column, std::size_t k) {
    const std::size_t vector = column / lanes;
    const std::size_t lane = column - std::min(vector * lanes, columns - lanes);
    const T* const place = pass.twiddles.data() + (vector * (radix - 1) + k - 1) * 2 * lanes + lane;
    return std::complex<T>(place[0], place[lanes]);
  };
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const std::size_t q = std::min(1 + pair * lanes, columns / 2 + 1 - lanes);
    const std::size_t mirrored = columns - q - lanes + 1;
    for (std::size_t row = 0; row < radix; ++row) {
      // Of the two vectors that are combined, the one in the first half of the line.
      const std::size_t own = row * columns + (load ? q : mirrored);
      const std::size_t other = (radix - 1 - row) * columns + (load ? mirrored : q);
      put([&](std::size_t lane) { return line->factor(std::min(own, other) + lane); });
    }
    if (!load) continue;
    for (const std::size_t first : {q, mirrored}) {
      for (std::size_t k = 1; k < radix; ++k) {
        put([&](std::size_t lane) { return twiddle(first + lane, k); });
      }
    }
  }
  mapped.first_column_ = AlignedArray<T>(2 * (radix / 2 + 1));
  for (std::size_t row = 0; row <= radix / 2; ++row) {
    const std::complex<T> factor = line->factor(row * columns);
    mapped.first_column_[2 * row] = factor.real();
    mapped.first_column_[2 * row + 1] = factor.imag();
  }
  return mapped;
}

template <class T>
void MappedPass<T>::operator()(PassCall<T> call) const {
  call.scale = sum_;
  call.twiddles = table_.data();
  call.roots = first_column_.data();
  function_(call);
}

template class MappedPass<float>;
template class MappedPass<double>;
template class MappedPass<long double>;

}  // namespace twiddle::backend::host
