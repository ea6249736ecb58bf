// Names for tests that are run over transforms: "b3_15x28", "6x20x9_axes_0_2_ortho".
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "twiddle/transform.hpp"

namespace twiddle::test {

[[nodiscard]] inline std::string transform_name(const testing::TestParamInfo<Transform>& info) {
  std::string name = info.param.batch > 1 ? "b" : "";
  name += to_string(info.param);
  std::ranges::replace_if(
      name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  switch (info.param.normalization) {
    case Normalization::backward:
      return name;
    case Normalization::ortho:
      return name + "_ortho";
    case Normalization::forward:
      return name + "_forward";
    case Normalization::none:
      return name + "_none";
  }
  return name;
}

}  // namespace twiddle::test
