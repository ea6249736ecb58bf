// The studies, one function a study; each stands in a file of its own.
#pragma once

#include "study.hpp"

namespace twiddle::studies {

[[nodiscard]] Study crossover_study();
[[nodiscard]] Study workgroup_study();
[[nodiscard]] Study overlap_save_study();
[[nodiscard]] Study image_convolution_study();
[[nodiscard]] Study overhead_study();

// For studies of work-items and launches, which the host does not have.
[[nodiscard]] std::optional<std::string> needs_work_groups(const Device& device);

}  // namespace twiddle::studies
