// The number of pieces of the host's stages.
#include "plan/recipe/host_sharing.hpp"

#include "plan/convolution/filter_bank.hpp"

namespace twiddle::plan {
namespace {

constexpr std::uint64_t points_of_a_piece = 16384;

// Transforms, or sums of as many terms as one takes operations for a point, for each point of a stage.
std::uint64_t work_factor(const Stage& stage) {
  if (!stage.bank || stage.bank->kind == FilterBank::Kind::spectra) return 1;
  if (stage.bank->kind == FilterBank::Kind::cyclic) return 1 + stage.bank->filters;
  return (all_taps(*stage.bank) + 31) / 32 * stage.bank->filters;
}

}  // namespace

std::uint64_t host_points(const Stage& stage) {
  return chip_points(stage) * launch_transforms(stage) * work_factor(stage);
}

std::uint64_t host_pieces(std::uint64_t points) { return points < host_shared_points ? 1 : points / points_of_a_piece; }

}  // namespace twiddle::plan
