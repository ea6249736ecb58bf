// The loops of a stage kernel over a work-item's butterflies.
#include <fmt/format.h>

#include "kernel/stage_memory.hpp"

namespace twiddle::kernel {

// Runs of the groups of a cluster follow each other; `part` is the group's place among them.
std::string StageMemory::butterfly(const Pass& pass, const std::string& index) const {
  if (pass.run == 0) return index;
  return fmt::format("{0} / {1} * {2} + part * {1} + {0} % {1}", index, pass.run,
                     pass.run * stage_.shape.groups_per_transform);
}

void StageMemory::open_reads(const Pass& pass, bool needs_butterfly) {
  const std::string own = pass.rounds == 1 ? "lane" : fmt::format("lane + m * {}", stage_.shape.items_per_transform);
  text_.loop("m", 0, pass.rounds);
  if (pass.partial) {
    text_.line("const TW_UINT b = {0} < {1} ? {0} : {2};", own, pass.butterflies, pass.butterflies - 1);
  } else if (needs_butterfly) {
    text_.line("const TW_UINT b = {};", butterfly(pass, pass.run == 0 || pass.rounds == 1 ? own : "(" + own + ")"));
  }
}

void StageMemory::close_reads() { text_.close(); }

void StageMemory::open_writes(const Pass& pass, bool needs_butterfly) {
  if (!pass.partial) return open_reads(pass, needs_butterfly);
  text_.loop("m", 0, pass.rounds);
  text_.line("const TW_UINT b = lane{};",
             pass.rounds == 1 ? "" : fmt::format(" + m * {}", stage_.shape.items_per_transform));
  text_.open("if (b < {}) {{", pass.butterflies);
}

void StageMemory::close_writes(const Pass& pass) {
  if (pass.partial) text_.close();
  text_.close();
}

}  // namespace twiddle::kernel
