// Terms from the rules' entries.
#include "backend/host/combination_terms.hpp"

#include <cstddef>
#include <cstdint>

#include "backend/host/twiddle_tables.hpp"
#include "plan/map_entries.hpp"

namespace twiddle::backend::host {

template <class T, class Index>
std::vector<CombinationTerm<T, Index>> combination_terms(const plan::LineMap& map) {
  const plan::MapEntries<Roots<T>, T> entries(map);
  std::vector<CombinationTerm<T, Index>> terms(map.count);
  for (std::size_t k = 0; k < map.count; ++k) {
    const auto entry = entries(k);
    CombinationTerm<T, Index>& term = terms[k];
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
  }
  return terms;
}

template std::vector<CombinationTerm<float, std::size_t>> combination_terms(const plan::LineMap&);
template std::vector<CombinationTerm<double, std::size_t>> combination_terms(const plan::LineMap&);
template std::vector<CombinationTerm<long double, std::size_t>> combination_terms(const plan::LineMap&);
template std::vector<CombinationTerm<float, std::uint32_t>> combination_terms(const plan::LineMap&);
template std::vector<CombinationTerm<double, std::uint32_t>> combination_terms(const plan::LineMap&);
template std::vector<CombinationTerm<long double, std::uint32_t>> combination_terms(const plan::LineMap&);

}  // namespace twiddle::backend::host
