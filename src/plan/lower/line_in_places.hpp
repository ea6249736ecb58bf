// Lines of reals whose stages keep to exactly as many places as there are reals.
#pragma once

#include <optional>
#include <vector>

#include "plan/lower/draft.hpp"

namespace twiddle::plan {

// All of a line in places of its reals.
struct LineInPlaces {
  std::optional<Draft> before{};  // what moves elements before all else
  std::vector<Draft> stages{};
  std::optional<Draft> behind{};  // and behind it
  bool has_other_axes = false;    // the stages are those of all axes
};

}  // namespace twiddle::plan
