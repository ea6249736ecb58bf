// All signals forward at once; then the inverse for all filters, which multiplies by their spectra as it reads.
#include "run/whole_programs.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "plan/convolution/lower_extension.hpp"
#include "plan/convolution/lower_results.hpp"
#include "plan/convolution/lower_sums.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "plan/shape/shape.hpp"
#include "run/whole_hooks.hpp"
#include "twiddle/error.hpp"

namespace twiddle::run {
namespace {

// What is between the stages of filters that are transformed together may be as large as the spectra of the signals,
// or as what keeps a device busy for longer than a launch takes: on an H200 4 MiB for 200 filters take 1.6 times as
// long as 32 MiB, 128 MiB 0.96 of it. On CPUs it should stay in a cache: 32 MiB take 1.2 times as long as 1 MiB.
std::uint64_t busy_bytes(const DeviceLimits& limits) {
  return (plan::is_like_cpu(limits) ? std::uint64_t{1} : std::uint64_t{32}) << 20;
}

// To the stages that write what the program ends with.
plan::Program with_repair(plan::Program program, const plan::Repair& repair) {
  for (plan::Stage& stage : program.stages) {
    if (!stage.ends) continue;
    if (stage.swaps || stage.on_host) {
      throw Unsupported("a transposition is where results that are not finite would be made anew; expected none");
    }
    stage.repair = repair;
  }
  return program;
}

Transform hooked(Transform transform, Hook hook) {
  transform.load_hook = std::make_shared<const Hook>(std::move(hook));
  return transform;
}

std::size_t spectrum_bytes(const WholeGeometry& geometry) {
  return 2 * geometry.points() * plan::scalar_bytes(geometry.convolution().precision);
}

}  // namespace

std::size_t filter_spectra_bytes(const WholeGeometry& geometry) {
  return geometry.convolution().filters * spectrum_bytes(geometry);
}

std::size_t signal_spectra_bytes(const WholeGeometry& geometry) {
  return geometry.convolution().signals * geometry.segments() * spectrum_bytes(geometry);
}

WholePrograms lower_whole(const WholeGeometry& geometry, const DeviceLimits& limits) {
  const Convolution& convolution = geometry.convolution();
  const std::uint64_t most_scratch = std::max<std::uint64_t>(signal_spectra_bytes(geometry), busy_bytes(limits));
  const auto forward = [&](const Transform& transform) {
    return LoweredTransform{transform, plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward,
                                                   Placement::out_of_place, limits, most_scratch)};
  };
  WholePrograms programs;
  plan::BankPrograms sums = plan::lower_sums(convolution, /*separable=*/false);
  programs.taps = plan::shaped(std::move(sums.prepare), limits);
  programs.taps_bytes = sums.spectra_bytes;
  programs.filters = forward(hooked(geometry.filter_transform(), padded_filter_hook(geometry)));
  programs.signal = forward(geometry.signal_transform());
  if (geometry.extends()) {
    programs.extension =
        plan::shaped(plan::lower_extension(convolution, geometry.first_positions(), geometry.given()), limits);
  }
  if (!geometry.stores_outputs()) programs.made = plan::shaped(plan::lower_results(convolution), limits);
  const plan::Repair repair{std::make_shared<const Hook>(sum_hook(geometry)), !convolution.complex};
  for (const Transform& reading_spectra : geometry.result_transforms()) {
    const Transform transform = hooked(reading_spectra, product_hook(geometry));
    // A repair is for stages in launches of their own.
    plan::Program program = plan::lower_apart(plan::make_recipe(transform, limits), transform, Direction::inverse,
                                              Placement::out_of_place, limits, most_scratch);
    programs.results.push_back({transform, with_repair(std::move(program), repair)});
  }
  return programs;
}

}  // namespace twiddle::run
