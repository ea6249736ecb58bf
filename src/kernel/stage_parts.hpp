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
#include "plan/lower/stage.hpp"

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
  bool steps_back = false;  // it counts in TW_OFFSET, too
};

// What a part of a kernel must know of the others.
struct PartPlace {
  Caching load = Caching::usual;
  Caching store = Caching::usual;
  bool reads_exchange = false;   // what it loads lies where it exchanges: all work-items have read before any writes
  bool writes_exchange = false;  // likewise what it stores, which is no result of a map
};

// Of a stage into which nothing but a twiddle, the scale and the maps between reals and their spectrum is folded. Where
// the work-items never meet, all of it is before that.
[[nodiscard]] StageParts stage_parts(const plan::Stage& stage, Dialect dialect, const PartPlace& place);

// Those of the two stages of one kernel.
struct PartPair {
  const StageParts& first;
  const StageParts& second;
};

// What their kernel has ahead of all else: the types of numbers, of indices and, where one needs it, of distances.
[[nodiscard]] std::string shared_prelude(const PartPair& parts, Dialect dialect, Precision precision,
                                         bool limits_registers, bool wide_index);
// The functions that they call: products and butterflies.
[[nodiscard]] std::string shared_functions(const PartPair& parts, Dialect dialect, Precision precision);

}  // namespace twiddle::kernel
