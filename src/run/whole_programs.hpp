// What a device with work-groups runs to convolve by transforms of the whole, or of long segments: values alone.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"
#include "run/whole_geometry.hpp"
#include "twiddle/device.hpp"

namespace twiddle::run {

// Their stages have shapes; operands are as lower_extension(), lower_results() and the hooks of whole_hooks.hpp say.
struct WholePrograms {
  plan::Program taps;  // kept for sums instead of results that are not finite
  std::size_t taps_bytes = 0;
  plan::Program filters;  // to their spectra
  plan::Program signal;   // to those of all signals
  // Of the geometry's result_transforms(): products of spectra, back to results for all filters.
  std::vector<plan::Program> results;
  std::optional<plan::Program> extension;  // signals with what stands beyond their ends
  std::optional<plan::Program> made;       // post-processing and hooks, where there are any
};

// Throws Unsupported where the device does not hold a stage.
[[nodiscard]] WholePrograms lower_whole(const WholeGeometry& geometry, const DeviceLimits& limits);

// Transforms as the programs have them, with the hooks by which they read: of the filters, and of results.
[[nodiscard]] Transform gathering_filter_transform(const WholeGeometry& geometry);
[[nodiscard]] std::vector<Transform> gathering_result_transforms(const WholeGeometry& geometry);

// Bytes of the spectra of all filters, or of all segments of all signals.
[[nodiscard]] std::size_t filter_spectra_bytes(const WholeGeometry& geometry);
[[nodiscard]] std::size_t signal_spectra_bytes(const WholeGeometry& geometry);

}  // namespace twiddle::run
