// Names for tests that are run over transforms ("c2c_f32_3_15x28", "c2c_f32_6x20x9_axes_0_2_norm_ortho") or over
// named limits ("nvidia_cuda").
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "twiddle/transform.hpp"

namespace twiddle::test {

[[nodiscard]] inline std::string transform_name(const testing::TestParamInfo<Transform>& info) {
  std::string name = to_string(info.param);
  std::ranges::replace_if(
      name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}

template <class Name>
[[nodiscard]] std::string limits_name(const testing::TestParamInfo<Name>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace twiddle::test
