// Loads and stores of a stage kernel that go through local memory: short lines and runs of them moved by a whole group,
// and what a map makes of lines that local memory holds.
#include <fmt/format.h>

#include "kernel/line_map_text.hpp"
#include "kernel/stage_memory.hpp"

namespace twiddle::kernel {

using plan::Loop;

// Opens the loop over the elements of the group's lines that this work-item moves: `element` of the transform `slot`.
void StageMemory::open_lines(std::uint64_t elements) {
  text_.loop("i", 0, static_cast<unsigned>(elements));
  text_.line("const TW_UINT moved = item + i * {};", stage_.shape.transforms_per_group);
  text_.line("const TW_UINT slot = moved / {};", elements);
  text_.line("const TW_UINT element = moved % {};", elements);
}

void StageMemory::load_lines(const Place& exchange) {
  open_lines(stage_.length);
  locate(true);
  declare_source(false);
  text_.line("TW_COMPLEX value;");
  write_load("value", "source", step("element", &Loop::input_stride));
  write_twiddle("value", true);
  text_.line("{} = value;", exchange("element"));
  text_.close();
}

void StageMemory::store_lines(const Place& exchange) {
  open_lines(stage_.store_map ? made_in_turn() : stage_.length);
  locate(false);
  text_.open("if (own < count) {{");
  declare_destination(false);
  if (stage_.store_map) {
    write_made([&](int, const std::string& index) { return exchange(index); });
  } else {
    text_.line("TW_COMPLEX value = {};", exchange("element"));
    write_twiddle("value", false);
    write_store("value", step("element", &Loop::output_stride));
  }
  text_.close();
  text_.close();
}

bool StageMemory::stores_pairs() const {
  const plan::LineMap& map = *stage_.store_map;
  if (map.rule == plan::LineMap::Rule::two_spectra_store) return true;
  return map.rule == plan::LineMap::Rule::r2c_store && map.count == map.length / 2 + 1;
}

// Values of `element` that make the whole line.
std::uint64_t StageMemory::made_in_turn() const {
  const plan::LineMap& map = *stage_.store_map;
  if (map.rule == plan::LineMap::Rule::two_spectra_store) return map.count / 2;
  return stores_pairs() ? map.length / 4 + 1 : map.count;
}

// Stores what the map makes for `element`, and for the one as far from the other end where that comes with it.
void StageMemory::write_made(const ReadTerm& read) {
  const auto put = [&](const char* element, const char* value) {
    return write_element("destination", step(element, &Loop::output_stride), scaled(value));
  };
  if (stores_pairs()) {
    write_map_pair(*stage_.store_map, *layout_.store_map, read, text_);
    text_.line("{}", put("element", "made"));
    if (stage_.store_map->rule == plan::LineMap::Rule::two_spectra_store) {
      const std::string second = fmt::format("(destination + ({}))", stage_.second_spectrum);
      text_.line("{}", write_element(second, step("element", &Loop::output_stride), scaled("opposite")));
      return;
    }
    text_.line("if (mirrored != element) {}", put("mirrored", "opposite"));
  } else {
    write_map(*stage_.store_map, *layout_.store_map, read, text_);
    text_.line("{}", put("element", "made"));
  }
}

// Whether a group stores what its map makes element by element: where few items share a line, neighbours would store
// neighbouring elements of short runs only.
bool StageMemory::moves_together() const {
  const plan::KernelShape& shape = stage_.shape;
  return shape.items_per_transform < 32 && shape.transforms_per_group > 1 &&
         shape.store == plan::KernelShape::Lanes::elements;
}

// The loop over the elements of all of the group's lines, of which `slot` holds `element`.
void StageMemory::open_group_lines(std::uint64_t elements) {
  const std::uint32_t items = stage_.shape.items_per_transform * stage_.shape.transforms_per_group;
  text_.open("for (TW_UINT moved = item; moved < {}; moved += {}) {{", elements * stage_.shape.transforms_per_group,
             items);
  text_.line("const TW_UINT slot = moved / {};", elements);
  text_.line("const TW_UINT element = moved % {};", elements);
}

void StageMemory::store_made(const Place& read) {
  if (moves_together()) {
    open_group_lines(made_in_turn());
    locate(false);
    declare_destination(false);
    text_.line("if (own >= count) break;");
    write_made([&](int, const std::string& index) { return read(index); });
    return text_.close();
  }
  text_.open("{{");
  locate(false);
  declare_destination(false);
  text_.open("if (own < count) {{");
  if (stage_.shape.exchange == plan::KernelShape::Exchange::none) {
    text_.loop("element", 0, static_cast<unsigned>(made_in_turn()));  // so that registers have fixed names
  } else {
    text_.open("for (TW_UINT element = lane; element < {}; element += {}) {{", made_in_turn(),
               stage_.shape.items_per_transform);
  }
  write_made([&](int, const std::string& index) { return read(index); });
  text_.close();
  text_.close();
  text_.close();
}

// The loop over what this work-item makes, idle turns doing what the first one does: `element` in turn `i`.
void StageMemory::open_turns() {
  const std::uint64_t elements = made_in_turn();
  const std::uint32_t items = stage_.shape.items_per_transform;
  text_.loop("i", 0, static_cast<unsigned>((elements + items - 1) / items));
  text_.line("const TW_UINT own_element = lane + i * {};", items);
  text_.line("const TW_UINT element = own_element < {} ? own_element : 0;", elements);
}

void StageMemory::keep_made(const Place& part) {
  const std::uint32_t items = stage_.shape.items_per_transform;
  text_.line("TW_REAL kept[{}][2];", (made_in_turn() + items - 1) / items);
  open_turns();
  const auto keep = [&](int term, const std::string& index) {
    return fmt::format("kept[i][{}] = {};", term, part(index));
  };
  write_map_terms(*stage_.store_map, *layout_.store_map, keep, text_);
  text_.close();
}

void StageMemory::store_kept(const Place& part) {
  text_.open("{{");
  locate(false);
  declare_destination(false);
  text_.open("if (own < count) {{");
  open_turns();
  text_.open("if (own_element < {}) {{", made_in_turn());
  write_made(
      [&](int term, const std::string& index) { return fmt::format("TW_MAKE(kept[i][{}], {})", term, part(index)); });
  text_.close();
  text_.close();
  text_.close();
  text_.close();
}

void StageMemory::scale_values(const Pass& pass) {
  if (stage_.scale == 1.0L) return;
  text_.loop("i", 0, pass.radix);
  text_.line("v[i] = {};", scaled("v[i]"));
  text_.close();
}

// Opens the loop over the elements `at` of the group's run that this work-item moves, and says where the data ends.
void StageMemory::open_run() {
  const std::uint32_t transforms = stage_.shape.transforms_per_group;
  text_.open("{{");
  text_.line("const TW_INDEX first = (TW_INDEX)TW_GROUP * {} * {};", transforms, stage_.length);
  text_.line("const TW_INDEX end = count * {};", stage_.length);
  text_.loop("i", 0, static_cast<unsigned>(stage_.length));
  text_.line("const TW_INDEX at = first + item + i * {};", transforms);
}

void StageMemory::load_run() {
  open_run();
  const std::string start = stage_.input_offset == 0 ? "input" : fmt::format("({})", base(&Loop::input_stride));
  text_.line("v[i] = {};", read_element(start, "at < end ? at : end - 1"));
  text_.close();
  text_.close();
}

void StageMemory::store_run() {
  open_run();
  const std::string start = stage_.output_offset == 0 ? "output" : fmt::format("({})", base(&Loop::output_stride));
  text_.line("if (at < end) {}", write_element(start, "at", "v[i]"));
  text_.close();
  text_.close();
}

void StageMemory::store_group(const Place& exchange) {
  const std::uint64_t elements = stage_.length * stage_.shape.transforms_per_group;
  const std::uint32_t items = plan::group_items(stage_.shape);
  const std::string start = stage_.output_offset == 0 ? "output" : fmt::format("({})", base(&Loop::output_stride));
  text_.open("{{");
  text_.line("const TW_INDEX first = (TW_INDEX)TW_GROUP * {};", elements);
  text_.line("const TW_INDEX end = count * {};", stage_.length);
  text_.loop("i", 0, static_cast<unsigned>((elements + items - 1) / items));
  text_.line("const TW_UINT moved = item + i * {};", items);
  text_.line("const TW_UINT slot = moved / {};", stage_.length);
  text_.line("const TW_UINT element = moved % {};", stage_.length);
  text_.line("if ({}first + moved < end) {}", elements % items == 0 ? "" : fmt::format("moved < {} && ", elements),
             write_element(start, "first + moved", scaled(exchange("element"))));
  text_.close();
  text_.close();
}

}  // namespace twiddle::kernel
