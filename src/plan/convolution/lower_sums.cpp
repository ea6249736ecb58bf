// The stage that the host has for a convolution without post-processing, with longer lines where neighbours are needed.
#include "plan/convolution/lower_sums.hpp"

#include "plan/convolution/filter_bank.hpp"
#include "plan/convolution/lower_results.hpp"

namespace twiddle::plan {

BankPrograms lower_sums(const twiddle::Convolution& convolution, bool separable) {
  twiddle::Convolution plain = convolution;
  plain.post = {};
  plain.store_hook = nullptr;
  const Halo halo = halo_of(convolution);
  const std::uint64_t wide = halo.left + convolved_lengths(convolution).back() + halo.right;
  BankPrograms programs =
      lower_bank(plain, {convolution.kernel_lengths.back() - 1 + wide, {}, separable, /*partitioned=*/false});
  if (convolution.post == PostProcessing{} && !convolution.store_hook) return programs;

  Stage& stage = programs.apply.stages.front();
  stage.input_offset -= static_cast<std::int64_t>(halo.left);
  stage.load_bound->offset -= static_cast<std::int64_t>(halo.left);
  stage.store_bound->count = wide;
  std::uint64_t stride = wide;
  for (std::size_t i = 1; i < stage.loops.size(); ++i) {
    if (i + 1 == stage.loops.size()) {  // signals
      stage.bank->filter_stride = static_cast<std::int64_t>(stride);
      stride *= convolution.filters;
    }
    stage.loops[i].output_stride = static_cast<std::int64_t>(stride);
    stride *= stage.loops[i].count;
  }
  programs.results = lower_results(convolution);
  programs.convolved_bytes = stride * (convolution.complex ? 2 : 1) * scalar_bytes(convolution.precision);
  return programs;
}

}  // namespace twiddle::plan
