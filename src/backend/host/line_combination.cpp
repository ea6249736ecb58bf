// Tables of a LineMap in the precision of the arithmetic.
#include "backend/host/line_combination.hpp"

#include <algorithm>

#include "backend/host/combination_terms.hpp"
#include "backend/host/twiddle_tables.hpp"
#include "plan/numbers/half_spectrum.hpp"

namespace twiddle::backend::host {

template <class T>
LineCombination<T>::LineCombination(const plan::LineMap& map, std::int64_t targets)
    : source_count_(map.source_count), count_(map.count), kernels_(find_combinations<T>(targets)) {
  using Rule = plan::LineMap::Rule;
  const SpectrumPairKernels<T> spectra = find_spectrum_pairs<T>(targets);
  makes_line_ = map.rule != Rule::two_spectra_store;
  if (map.rule == Rule::two_spectra_store) spectra_ = spectra.separate;
  if (map.rule == Rule::two_spectra_load) spectra_ = spectra.join;
  if (map.rule == Rule::hermitian_load && source_count_ == plan::full_source_count(map.rule, map.length)) {
    spectra_ = spectra.mirror;
  }
  if (spectra_ != nullptr) return;
  const plan::MapTables rules = plan::map_rules(map);
  sign_ = rules.conjugate ? T{-1} : T{1};
  if (rules.real_end != plan::MapTables::none) {
    for (const std::uint64_t element : {std::uint64_t{0}, rules.real_end}) {
      if (element < source_count_) real_elements_.push_back(element);
    }
  }
  if (plan::is_half_spectrum(map.rule) && map.source_parts.empty() && plan::is_whole(map)) {
    take_half_spectrum(map, targets);
  } else {
    terms_ = combination_terms<T, std::size_t>(map, targets);
  }
}

// Half of the terms' factors, which say all.
template <class T>
void LineCombination<T>::take_half_spectrum(const plan::LineMap& map, std::int64_t targets) {
  const bool load = map.rule == plan::LineMap::Rule::c2r_load;
  const std::size_t half = map.length / 2;
  half_spectrum_factors_.reserve(half + 2);
  for_each_root<T>(map.length, 1, half / 2 + 1, targets, [&](std::uint64_t, const auto& root) {
    const auto a = plan::half_spectrum_factor(map.rule, root);
    half_spectrum_factors_.push_back(static_cast<T>(a.real()));
    half_spectrum_factors_.push_back(static_cast<T>(a.imag()));
  });
  half_spectrum_ = find_half_spectrum<T>(targets);
  half_spectrum_call_.sum = load ? T{2} : T{1};
  half_spectrum_call_.half = half;
  half_spectrum_call_.load = load;
}

template <class T>
void LineCombination<T>::apply(const Planes<T>& source, std::size_t lanes, const Planes<T>& to) const {
  if (spectra_ != nullptr && makes_line_) return spectra_({to, source, count_, lanes});
  if (spectra_ != nullptr) return spectra_({source, to, source_count_, lanes});
  for (const std::size_t element : real_elements_) std::fill_n(source.imaginary + element * lanes, lanes, T{0});
  if (half_spectrum_ != nullptr) {
    HalfSpectrumCall<T> call = half_spectrum_call_;
    call.source = source;
    call.to = to;
    call.factors = half_spectrum_factors_.data();
    call.lanes = lanes;
    return half_spectrum_(call);
  }
  if (lanes % kernels_.vector == 0) {
    kernels_.combine_lanes({source, to, terms_.data(), terms_.size(), lanes, sign_});
    return;
  }
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    const CombinationTerm<T>& term = terms_[k];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const T a_re = source.real[term.first * lanes + lane];
      const T a_im = source.imaginary[term.first * lanes + lane];
      const T b_re = source.real[term.second * lanes + lane];
      const T b_im = source.imaginary[term.second * lanes + lane] * sign_;
      to.real[k * lanes + lane] =
          term.first_real * a_re - term.first_imaginary * a_im + term.second_real * b_re - term.second_imaginary * b_im;
      to.imaginary[k * lanes + lane] =
          term.first_real * a_im + term.first_imaginary * a_re + term.second_real * b_im + term.second_imaginary * b_re;
    }
  }
}

template class LineCombination<float>;
template class LineCombination<double>;
template class LineCombination<long double>;

}  // namespace twiddle::backend::host
