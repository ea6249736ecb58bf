// From the algorithm of one axis to drafts of stages.
#pragma once

#include <string>
#include <vector>

#include "plan/axis_rule.hpp"
#include "plan/draft.hpp"
#include "plan/recipe.hpp"

namespace twiddle::plan {

// The transforms along one dimension of the data.
struct AxisTask {
  std::size_t dimension = 0;  // of the frames
  std::string name;           // "axis 1", for steps
  AxisRule rule;
  Frame source;
  Frame destination;
  bool fuse_load_map = false;  // a stage that computes the whole line may also carry out the map before it
  bool fuse_store_map = false;
};

// The stages of `line`, which has task.rule.points points, maps included, in order of execution.
[[nodiscard]] std::vector<Draft> emit(const AxisTask& task, const LineRecipe& line);

}  // namespace twiddle::plan
