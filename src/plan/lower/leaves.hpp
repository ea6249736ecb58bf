// The parts of a line that are stages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/recipe/convolution.hpp"
#include "plan/recipe/recipe.hpp"

namespace twiddle::plan {

// A line, or a part of one, that one stage transforms.
struct Leaf {
  std::size_t length;
  std::vector<unsigned> radices;
  std::optional<Convolution> convolution{};
  bool direct = false;                  // by the definition
  std::vector<unsigned> to_spectrum{};  // Stockham::to_spectrum
};

// The line whose transform stays on chip in one stage; nothing for all others.
[[nodiscard]] std::optional<Leaf> chip_leaf(const LineRecipe& line);

// Whether it is columns and rows of one stage each.
[[nodiscard]] bool has_two_parts(const LineRecipe& line);

// The parts of a line in order of execution, for which frequencies are decimated: one of one stage, those of four-step
// and staged lines; none of others.
[[nodiscard]] std::vector<Leaf> leaves(const LineRecipe& line);

// The same of a line whose first part takes more work than others, and leaves the lower half of its results: that with
// the smallest radices, and of enough points to be cut, goes first; of radices that are stages by themselves that of
// whose results the lower half is the smallest part.
[[nodiscard]] std::vector<Leaf> leaves_from_plainest(const LineRecipe& line);

// Where the results of unordered stages are, and where they belong: the digits of both positions.
struct ReversedDigit {
  std::uint64_t count = 1;
  std::int64_t at = 1;       // weight in the position where it is
  std::int64_t belongs = 1;  // and in that where it belongs
};
[[nodiscard]] std::vector<ReversedDigit> reversed_digits(const LineRecipe& line);

}  // namespace twiddle::plan
