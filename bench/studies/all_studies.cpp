// The list of studies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "studies.hpp"
#include "twiddle/error.hpp"

namespace twiddle::studies {

const std::vector<Study>& all_studies() {
  static const std::vector<Study> studies{
      crossover_study(), radix_study(),        twiddle_study(),           launches_study(), transpose_study(),
      workgroup_study(), overlap_save_study(), image_convolution_study(), overhead_study()};
  return studies;
}

const Study& find_study(const std::string& name) {
  const auto found = std::ranges::find(all_studies(), name, &Study::name);
  if (found != all_studies().end()) return *found;
  std::vector<std::string> names;
  for (const Study& study : all_studies()) names.push_back(study.name);
  throw InvalidArgument(fmt::format("there is no study '{}'; expected one of {}", name, fmt::join(names, ", ")));
}

bool is_wrong(const Sample& sample) { return sample.complaint.find(wrong_result) != std::string::npos; }

std::optional<std::string> needs_work_groups(const Device& device) {
  if (device.info().backend != BackendKind::host) return std::nullopt;
  return "the host has no work-groups; choose an OpenCL or CUDA device (--device opencl)";
}

}  // namespace twiddle::studies
