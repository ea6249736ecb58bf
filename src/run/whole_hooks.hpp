// Where the transforms of a convolution of the whole, or of long segments, find what they read on devices: hooks that
// gather (hook.hpp), so that one transform serves all filters.
#pragma once

#include "run/whole_geometry.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::run {

// For filter_transform(): elements of the padded filters, from the filters as they are given.
[[nodiscard]] Hook padded_filter_hook(const WholeGeometry& geometry);

// For result_transforms(): the products of the signals' spectra, which are read, with those of the filters, which are
// the hook's own memory.
[[nodiscard]] Hook product_hook(const WholeGeometry& geometry);

// For plan::Repair, results of result_transforms(): the sums of what is given, its `memory`, times the taps, its
// `spectra`, of which each filter has as many as it has, of a correlation the last one first and conjugated.
[[nodiscard]] Hook sum_hook(const WholeGeometry& geometry);

}  // namespace twiddle::run
