// From the algorithm of one axis to drafts of stages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plan/lower/axis_rule.hpp"
#include "plan/lower/draft.hpp"
#include "plan/recipe/recipe.hpp"

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
  // The dimension whose lines, two at least, are transformed in pairs; the rule's maps are those of two spectra.
  std::optional<std::size_t> paired{};
  bool halves = false;         // real_halves.hpp has the line's stages
  bool planar_halves = false;  // these are as many reals as the line has, where rows take one stage
  bool means = false;          // of an extended line, which is one in two stages then (symmetric_line.hpp)
  bool rows_first = false;     // of two stages, the first one's results are rows, and the second keeps to its places
  bool share_map =
      false;  // of two stages of a line, the one beside the one map carries it out together (Stage::shared_map)
  bool unordered = false;   // several stages keep to their places, and leave results in the order of reversed_digits()
  bool last_moves = false;  // of passes that are stages of their own, the last one alone moves elements
  bool keeps_places = false;  // several stages keep to their places, and a map of its own behind them moves elements
};

// What a real transform of one point multiplies it by: it has no stages. Nothing for others.
[[nodiscard]] std::optional<long double> point_factor(const AxisTask& task);

// The stages of `line`, which has task.rule.points points, maps included, in order of execution.
[[nodiscard]] std::vector<Draft> emit(const AxisTask& task, const LineRecipe& line);

}  // namespace twiddle::plan
