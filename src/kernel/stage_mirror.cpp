// Elements of a line of which memory holds the lower half (plan::Bound::period).
#include <fmt/format.h>

#include "kernel/stage_memory.hpp"

namespace twiddle::kernel {

// Declares `kept`, the position in the lower half where `position` or, if it is `upper`, its conjugate is, and returns
// the condition under which it exists.
std::string StageMemory::write_mirror(const plan::Bound& bound) {
  text_.line("const int upper = position > {};", bound.period / 2);
  text_.line("const TW_INDEX kept = upper ? {} - position : position;", bound.period);
  const bool all = bound.first == 0 && bound.count > bound.period / 2;
  return all ? std::string() : within("kept", bound);
}

// Makes `value` that of the position at hand where it is the one kept instead.
void StageMemory::write_conjugate(const plan::Bound& bound, const std::string& value) {
  text_.line("if (upper) {0}.{1} = -{0}.{1};", value, bound.odd ? "x" : "y");
}

// Multiplies `value`, at the position at hand, by its weight where that is an end of the line.
void StageMemory::weigh_ends(const plan::Bound& bound, const std::string& value) {
  if (bound.end_weight == 1) return;
  text_.line("if (position == 0 || position == {0}) {1} = TW_MAKE({1}.x * {2}, {1}.y * {2});", bound.period / 2, value,
             literal(static_cast<double>(bound.end_weight), stage_.precision));
}

}  // namespace twiddle::kernel
