// The studies, one function a study.
#pragma once

#include "study.hpp"

namespace twiddle::studies {

[[nodiscard]] Study radix_study();
[[nodiscard]] Study twiddle_study();
[[nodiscard]] Study launches_study();
[[nodiscard]] Study transpose_study();
[[nodiscard]] Study crossover_study();
[[nodiscard]] Study workgroup_study();
[[nodiscard]] Study overlap_save_study();
[[nodiscard]] Study image_convolution_study();
[[nodiscard]] Study overhead_study();

// For studies of work-items and launches, which the host does not have.
[[nodiscard]] std::optional<std::string> needs_work_groups(const Device& device);

}  // namespace twiddle::studies
