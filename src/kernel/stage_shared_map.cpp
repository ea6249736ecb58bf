// Maps of lines that are spread over several transforms of a stage: pairs of transforms that mirror each other are
// neighbours, so that one group holds both.
#include <fmt/format.h>

#include "kernel/line_map_text.hpp"
#include "kernel/stage_memory.hpp"

namespace twiddle::kernel {

using plan::Loop;

// Declares `loop0` for the turn in the order 0, n/2, 1, n - 1, 2, n - 2, ...: the first two mirror themselves.
void StageMemory::write_turn(const std::string& turn) {
  const std::uint64_t count = stage_.loops[0].count;
  text_.line("const TW_INDEX turn0 = {};", turn);
  text_.line("const TW_INDEX loop0 = turn0 < 2 ? turn0 * {} : turn0 % 2 == 0 ? turn0 / 2 : {} - turn0 / 2;", count / 2,
             count);
}

// Declares `partner`, the slot of the transform that mirrors this one, and `end`, what an element's place and its
// mirror image's add up to.
void StageMemory::declare_mirror(const Pass& pass) {
  const std::uint32_t length = pass.radix * pass.butterflies;
  text_.line("const TW_UINT partner = turn0 < 2 ? slot : slot ^ 1;");
  text_.line("const TW_UINT end = loop0 == 0 ? {} : {};", length, length - 1);
}

void StageMemory::keep_mirrored(const Pass& pass, const Place& mirrored) {
  text_.line("TW_REAL kept[{}];", pass.rounds * pass.radix);
  text_.open("{{");
  locate(false);
  declare_mirror(pass);
  open_reads(pass);
  text_.loop("j", 0, pass.radix);
  text_.line("const TW_UINT place = b + j * {};", pass.butterflies);
  text_.line("kept[m * {} + j] = {};", pass.radix, mirrored("(loop0 + place == 0 ? 0 : end - place)"));
  text_.close();
  close_reads();
  text_.close();
}

void StageMemory::store_shared(const Pass& pass, const Place& mirrored, const std::string& kept) {
  const auto count = static_cast<std::int64_t>(stage_.loops[0].count);
  text_.open("{{");
  locate(false);
  declare_mirror(pass);
  declare_destination(true);
  text_.open("if (own < count) {{");
  open_writes(pass);
  text_.loop("j", 0, pass.radix);
  text_.line("const TW_UINT place = b + j * {};", pass.butterflies);
  text_.line("const TW_INDEX element = loop0 + (TW_INDEX){} * place;", count);
  const std::string there = mirrored("(element == 0 ? 0 : end - place)");
  const std::string near = fmt::format("v[m * {} + j]", pass.radix);
  const std::string far = kept.empty() ? there : fmt::format("TW_MAKE({}[m * {} + j], {})", kept, pass.radix, there);
  write_map_of(*stage_.store_map, *layout_.store_map, near, far, text_);
  text_.line("{}", write_element("destination", step(pass, "j", &Loop::output_stride), scaled("made")));
  // The last frequency comes with the first one.
  text_.line("if (element == 0) {}",
             write_element("destination", step(fmt::to_string(pass.radix * pass.butterflies), &Loop::output_stride),
                           scaled("opposite")));
  text_.close();
  close_writes(pass);
  text_.close();
  text_.close();
}

}  // namespace twiddle::kernel
