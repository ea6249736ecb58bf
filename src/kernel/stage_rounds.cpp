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

// How far the butterfly of turn m is from that of the first one, both of the work-item's own.
std::string StageMemory::turn(const Pass& pass, std::uint32_t items) const {
  if (pass.vector == 1) return pass.rounds == 1 ? "" : fmt::format("m * {}", items);
  const bool first = pass.rounds == pass.vector;
  if (plan::bundles_transforms(stage_.shape)) return first ? "" : fmt::format("m / {} * {}", pass.vector, items);
  return first ? "m" : fmt::format("m / {0} * {1} + m % {0}", pass.vector, items * pass.vector);
}

// The first of the work-item's own butterflies.
std::string StageMemory::first_butterfly(const Pass& pass) const {
  return pass.vector == 1 || plan::bundles_transforms(stage_.shape) ? "lane" : fmt::format("lane * {}", pass.vector);
}

std::string StageMemory::own_butterfly(const Pass& pass) const {
  const std::string distance = turn(pass, stage_.shape.items_per_transform);
  return distance.empty() ? first_butterfly(pass) : fmt::format("{} + {}", first_butterfly(pass), distance);
}

void StageMemory::open_reads(const Pass& pass, bool needs_butterfly, std::uint32_t step) {
  const std::string own = own_butterfly(pass);
  text_.loop("m", 0, pass.rounds, step);
  if (pass.partial) {
    text_.line("const TW_UINT b = {0} < {1} ? {0} : {2};", own, pass.butterflies, pass.butterflies - 1);
  } else if (needs_butterfly) {
    text_.line("const TW_UINT b = {};", butterfly(pass, pass.run == 0 || own == "lane" ? own : "(" + own + ")"));
  }
}

void StageMemory::close_reads() { text_.close(); }

void StageMemory::open_writes(const Pass& pass, bool needs_butterfly, std::uint32_t step) {
  if (!pass.partial) return open_reads(pass, needs_butterfly, step);
  text_.loop("m", 0, pass.rounds, step);
  text_.line("const TW_UINT b = {};", own_butterfly(pass));
  text_.open("if (b < {}) {{", pass.butterflies);
}

void StageMemory::close_writes(const Pass& pass) {
  if (pass.partial) text_.close();
  text_.close();
}

}  // namespace twiddle::kernel
