// Elements and their mirror images: of a line of which memory holds the lower half (plan::Bound::period), and of maps
// that make both together (plan::Stage::mirrored).
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

// Declares `mirror`, the index of the current element's mirror image. Beyond the line's end where element 0 has none.
void StageMemory::declare_mirror_image() {
  const plan::LineMap& map = *stage_.load_map;
  const std::uint64_t half = map.length / 2;
  text_.line("const TW_INDEX mirror = element == 0 ? {} : {} - element;", plan::is_half_spectrum(map.rule) ? half : 0,
             half);
}

// Declares `made`, the element, and sets v[1] to its mirror image.
void StageMemory::write_pair(const ReadTerm& read) {
  const plan::LineMap& map = *stage_.load_map;
  declare_mirror_image();
  const std::uint64_t all = plan::full_source_count(map.rule, map.length);
  const auto existing = [&](int term, const char* index) {
    if (map.source_count == all) return read(term, index);
    return fmt::format("({} < {} ? {} : TW_MAKE(0, 0))", index, map.source_count, read(term, index));
  };
  text_.line("const TW_COMPLEX here = {};", existing(0, "element"));
  const bool ends_apart = all > map.length / 2;
  text_.line("const TW_COMPLEX there = {};", existing(1, ends_apart ? "mirror" : "(element == 0 ? 0 : mirror)"));
  const auto source = [](const char* own, const char* other) {
    return [=](int term, const std::string&) { return std::string(term == 0 ? own : other); };
  };
  text_.open("{{");
  text_.line("const TW_INDEX element = mirror < {} ? mirror : 0;", map.count);
  write_map(map, *layout_.load_map, source("there", "here"), text_);
  text_.line("v[1] = made;");
  text_.close();
  write_map(map, *layout_.load_map, source("here", "there"), text_);
}

// Stores v[1] where it belongs; the element's own place is `place` from `destination`.
void StageMemory::store_mirror_image(const std::string& place) {
  declare_mirror_image();
  const std::string other = fmt::format("{} + {}", place, times("mirror - element", stage_.output_stride));
  text_.line("if (mirror != element && mirror < {}) {}", stage_.load_map->count,
             write_element("destination", distance(other, &plan::Loop::output_stride), scaled("v[1]")));
}

}  // namespace twiddle::kernel
