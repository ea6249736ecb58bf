// What a device with work-groups runs to convolve by transforms of the whole, or of long segments: values alone.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"
#include "run/whole_geometry.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::run {

// A transform, with the hook by which it reads if it has one, and what it is lowered to.
struct LoweredTransform {
  Transform transform;
  plan::Program program;
};

// Their stages have shapes; operands are as lower_extension(), lower_results() and the hooks of whole_hooks.hpp say.
struct WholePrograms {
  plan::Program taps;  // kept for sums instead of results that are not finite
  std::size_t taps_bytes = 0;
  LoweredTransform filters;  // to their spectra
  LoweredTransform signal;   // to those of all signals
  // Of the geometry's result_transforms(): products of spectra, back to results for all filters.
  std::vector<LoweredTransform> results;
  std::optional<plan::Program> extension;  // signals with what stands beyond their ends
  std::optional<plan::Program> made;       // post-processing and hooks, where there are any
};

// Throws Unsupported where the device does not hold a stage.
[[nodiscard]] WholePrograms lower_whole(const WholeGeometry& geometry, const DeviceLimits& limits);

// Bytes of the spectra of all filters, or of all segments of all signals.
[[nodiscard]] std::size_t filter_spectra_bytes(const WholeGeometry& geometry);
[[nodiscard]] std::size_t signal_spectra_bytes(const WholeGeometry& geometry);

}  // namespace twiddle::run
