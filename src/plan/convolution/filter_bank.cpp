// Sizes and text of filter banks.
#include "plan/convolution/filter_bank.hpp"

#include <fmt/format.h>

#include <numbers>

#include "twiddle/hook.hpp"

namespace twiddle::plan {

using Function = PostProcessing::Function;

Halo halo_of(Function function, const Hook* store_hook) {
  Halo halo;
  if (function == Function::derivative) halo = {1, 1};
  if (interbins(function)) halo = {0, 1};
  if (store_hook != nullptr) halo = {halo.left + store_hook->left, halo.right + store_hook->right};
  return halo;
}

Halo halo_of(const twiddle::Convolution& convolution) {
  return halo_of(convolution.post.function, convolution.store_hook.get());
}

bool reads_neighbours(const Hook& hook) { return hook.left + hook.right > 0; }

std::uint64_t stored_outputs(Function function, std::uint64_t decimation, std::uint64_t results) {
  return (results + decimation - 1) / decimation * (interbins(function) ? 2 : 1);
}

bool makes_reals(Function function) {
  return function == Function::power || function == Function::magnitude || interbins(function);
}

bool interbins(Function function) { return function == Function::interbin_pi_4 || function == Function::interbin_2_pi; }

long double interbin_factor(Function function) {
  constexpr long double pi = std::numbers::pi_v<long double>;
  return function == Function::interbin_pi_4 ? pi / 4 : 2 / pi;
}

std::uint64_t all_taps(const FilterBank& bank) {
  const std::uint64_t lines = outer_taps(bank);
  return bank.kind == FilterBank::Kind::separable ? lines + bank.taps : lines * bank.taps * bank.partitions;
}

std::uint64_t outer_taps(const FilterBank& bank) {
  std::uint64_t taps = 1;
  for (const OuterTaps& outer : bank.outer) taps *= outer.taps;
  return taps;
}

std::string to_string(const FilterBank& bank) {
  std::string text = fmt::format("{} filter{} of ", bank.filters, bank.filters == 1 ? "" : "s");
  for (const OuterTaps& outer : bank.outer) text += fmt::format("{}x", outer.taps);
  text += std::to_string(bank.taps);
  if (bank.partitions != 1) text += fmt::format(" x {} partitions", bank.partitions);
  if (bank.kind == FilterBank::Kind::separable) text += " as columns and rows";
  if (bank.kind == FilterBank::Kind::spectra) text = "spectra of " + text;
  if (bank.post.function != Function::none) text += fmt::format(", {}", to_string(bank.post.function));
  if (bank.post.maximum) text += ", maximum";
  if (bank.post.decimation != 1) text += fmt::format(", 1 of {}", bank.post.decimation);
  return text;
}

}  // namespace twiddle::plan
