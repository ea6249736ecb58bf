// What the kernel of two stages in one launch is made of: each stage's own text, as its kernel would have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/dialect.hpp"
#include "kernel/storage_text.hpp"
#include "plan/stage.hpp"

namespace twiddle::kernel {

struct StageParts {
  // The body, which reads `input`, `constants`, `count` and TW_GROUP and writes `output`: before and behind where its
  // work-items meet first, when all have read their elements.
  std::string before_meeting;
  std::string behind_meeting;
  std::set<std::pair<unsigned, Direction>> butterflies;
  std::vector<std::byte> constants;
  std::uint32_t slots = 0;  // of local memory, as in StageLayout
  bool wide_index = false;
};

// Of a stage into which nothing but a twiddle and the scale is folded, of several passes.
[[nodiscard]] StageParts stage_parts(const plan::Stage& stage, Dialect dialect, Caching load, Caching store);

// The function `multiply` of two complex numbers.
[[nodiscard]] std::string_view product_function();

}  // namespace twiddle::kernel
