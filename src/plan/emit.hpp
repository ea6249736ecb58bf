// From the algorithm of one axis to drafts of stages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plan/axis_rule.hpp"
#include "plan/draft.hpp"
#include "plan/recipe.hpp"

namespace twiddle::plan {

// A line, or a part of one, that one stage transforms.
struct Leaf {
  std::size_t length;
  std::vector<unsigned> radices;
  std::optional<Convolution> convolution{};
  bool direct = false;  // by the definition
};

// The line whose transform stays on chip in one stage; nothing for all others.
[[nodiscard]] std::optional<Leaf> chip_leaf(const LineRecipe& line);

// The parts of a line in order of execution, for which frequencies are decimated: one of one stage, those of four-step
// and staged lines; none of others.
[[nodiscard]] std::vector<Leaf> leaves(const LineRecipe& line);

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
  bool halves = false;      // real_halves.hpp has the line's stages
  bool rows_first = false;  // of two stages, the first one's results are rows, and the second keeps to its places
  bool share_map = false;  // of two stages of a line, the one beside the one map carries it out together (Stage::shared_map)
  bool unordered = false;  // several stages keep to their places, and leave results in the order of reversed_digits()
  bool last_moves = false;  // of passes that are stages of their own, the last one alone moves elements
  bool keeps_places = false;  // several stages keep to their places, and a map of its own behind them moves elements
};

// Where the results of unordered stages are, and where they belong: the digits of both positions.
struct ReversedDigit {
  std::uint64_t count = 1;
  std::int64_t at = 1;        // weight in the position where it is
  std::int64_t belongs = 1;  // and in that where it belongs
};
[[nodiscard]] std::vector<ReversedDigit> reversed_digits(const LineRecipe& line);

// The stages of `line`, which has task.rule.points points, maps included, in order of execution.
[[nodiscard]] std::vector<Draft> emit(const AxisTask& task, const LineRecipe& line);

}  // namespace twiddle::plan
