// Terms from the rules' entries.
#include "backend/host/combination_terms.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/host/vector_roots.hpp"
#include "plan/lower/map_entries.hpp"

namespace twiddle::backend::host {
namespace {

template <class T, class Index>
CombinationTerm<T, Index> term_of(const plan::MapEntry<T>& entry) {
  CombinationTerm<T, Index> term;
  if (entry.first.index != plan::MapTables::none) {
    term.first = static_cast<Index>(entry.first.index);
    term.first_real = entry.first.coefficient.real();
    term.first_imaginary = entry.first.coefficient.imag();
  }
  if (entry.second.index != plan::MapTables::none) {
    term.second = static_cast<Index>(entry.second.index);
    term.second_real = entry.second.coefficient.real();
    term.second_imaginary = entry.second.coefficient.imag();
  }
  return term;
}

}  // namespace

template <class T, class Index>
AlignedArray<CombinationTerm<T, Index>> combination_terms(const plan::LineMap& map, std::int64_t targets) {
  const plan::MapEntries<T> entries(map, vector_roots(targets));
  AlignedArray<CombinationTerm<T, Index>> terms(map.count);
  std::array<plan::MapEntry<T>, 64> block;
  for (std::size_t begin = 0; begin < terms.size(); begin += block.size()) {
    const std::size_t count = std::min(block.size(), terms.size() - begin);
    entries.make(begin, {block.data(), count});
    for (std::size_t i = 0; i < count; ++i) terms[begin + i] = term_of<T, Index>(block[i]);
  }
  return terms;
}

template AlignedArray<CombinationTerm<float, std::size_t>> combination_terms(const plan::LineMap&, std::int64_t);
template AlignedArray<CombinationTerm<double, std::size_t>> combination_terms(const plan::LineMap&, std::int64_t);
template AlignedArray<CombinationTerm<long double, std::size_t>> combination_terms(const plan::LineMap&, std::int64_t);
template AlignedArray<CombinationTerm<float, std::uint32_t>> combination_terms(const plan::LineMap&, std::int64_t);
template AlignedArray<CombinationTerm<double, std::uint32_t>> combination_terms(const plan::LineMap&, std::int64_t);
template AlignedArray<CombinationTerm<long double, std::uint32_t>> combination_terms(const plan::LineMap&,
                                                                                     std::int64_t);

}  // namespace twiddle::backend::host
