// What convolutions on chip (plan/recipe/convolution.hpp) add to a stage kernel's loads, passes and stores.
#include <fmt/format.h>

#include <algorithm>

#include "kernel/stage_memory.hpp"

namespace twiddle::kernel {

using plan::Loop;

bool StageMemory::has_zeroth() const { return is_by_rader(stage_); }

bool StageMemory::has_chirp() const {
  return stage_.convolution && stage_.convolution->algorithm == plan::Convolution::Algorithm::bluestein;
}

// At most one k has positions on both sides of the line's end: no other one needs a condition.
std::vector<StageMemory::Span> StageMemory::spans(const Pass& pass) const {
  if (!has_chirp()) return {{0, pass.radix, Within::all}};
  const auto length = static_cast<std::uint32_t>(stage_.length);
  const std::uint32_t whole = length / pass.butterflies;
  const std::uint32_t begun = (length + pass.butterflies - 1) / pass.butterflies;
  std::vector<Span> all{{0, whole, Within::all}, {whole, begun, Within::some}, {begun, pass.radix, Within::none}};
  std::erase_if(all, [](const Span& span) { return span.from == span.to; });
  return all;
}

void StageMemory::declare_element(const Pass& pass, const char* index, bool loading) {
  if (element_loop_) {
    text_.line("const TW_INDEX element = loop{};", *element_loop_);
    return;
  }
  if (is_reordered(pass)) {
    const ConvolutionLayout& convolution = *layout_.convolution;
    text_.line("const TW_UINT element = indices[{} + b + {}];",
               loading ? convolution.load_order : convolution.store_order, position(pass, index));
  } else {
    text_.line("const TW_UINT element = b + {};", position(pass, index));
  }
}

// The same for reads: positions beyond the line read its last element, since compilers fetch nothing ahead of a branch.
void StageMemory::declare_read_element(const Pass& pass, const char* index, const Span& span, bool loading) {
  if (span.within == Within::all) return declare_element(pass, index, loading);
  text_.line("const TW_UINT point = b + {} * {};", index, pass.butterflies);
  text_.line("const TW_UINT element = point < {} ? point : {};", stage_.length, stage_.length - 1);
}

void StageMemory::write_chirp(const std::string& value) {
  if (!has_chirp()) return;
  text_.line("{0} = multiply({0}, constants[{1} + element]);", value, layout_.convolution->chirp);
}

void StageMemory::multiply_by_spectrum(const Pass& pass) {
  text_.line("");
  text_.line("// times the spectrum");
  if (has_zeroth()) {
    text_.line("const TW_COMPLEX total = TW_MAKE(zeroth.x + v[0].x, zeroth.y + v[0].y);");
  }
  const bool both_ways = stage_.shape.same_way_back;
  const std::uint32_t spectrum = layout_.convolution->spectrum;
  if (both_ways) {
    text_.line("TW_GLOBAL const TW_COMPLEX* factors = constants + ({} + way * {});", spectrum,
               plan::chip_points(stage_));
  }
  open_reads(pass);
  text_.loop("j", 0, pass.radix);
  const std::string factor = both_ways ? fmt::format("factors[b + j * {}]", pass.butterflies)
                                       : fmt::format("constants[{} + b + j * {}]", spectrum, pass.butterflies);
  text_.line("v[m * {0} + j] = multiply(v[m * {0} + j], {1});", pass.radix, factor);
  text_.close();
  close_reads();
  if (has_zeroth()) {
    if (both_ways) text_.open("if (way == 0) {{");
    text_.line("if (lane == 0) v[0] = TW_MAKE(v[0].x + zeroth.x, v[0].y + zeroth.y);");
    text_.line("zeroth = total;");
    if (both_ways) text_.close();
  }
}

void StageMemory::load_zeroth() {
  text_.open("{{");
  locate(true);
  declare_source(false);
  if (stage_.load_map || stage_.load_factor || stage_.load_bound) text_.line("TW_UINT element = 0;");
  write_load("zeroth", "source", "0");
  turn_zeroth(true);
  text_.close();
}

// The root of element 0 is 1.
void StageMemory::turn_zeroth(bool on_load) {
  if (!stage_.twiddle || stage_.twiddle->on_load != on_load || !stage_.twiddle->times_i) return;
  const bool forward = stage_.direction == Direction::forward;
  text_.line("zeroth = TW_MAKE({0}zeroth.y, {1}zeroth.x);", forward ? "-" : "", forward ? "" : "-");
}

void StageMemory::store_zeroth() {
  text_.open("{{");
  locate(false);
  declare_destination(false);
  text_.open("if (lane == 0 && own < count) {{");
  if (stage_.store_factor || stage_.store_bound) text_.line("TW_UINT element = 0;");
  turn_zeroth(false);
  write_store("zeroth", "0");
  text_.close();
  text_.close();
}

void StageMemory::finish_zeroth() {
  turn_zeroth(false);
  if (!stage_.store_factor) return;
  text_.open("{{");
  locate(true);
  locate_sequence(stage_.store_factor->loop_strides, "sequence", stage_.store_factor->offset);
  text_.line("TW_UINT element = 0;");
  write_factor("zeroth");
  text_.close();
}

void StageMemory::send_line(const Pass& pass, const Place& exchange, const char* part) {
  open_writes(pass);
  for (const Span& span : spans(pass)) {
    if (span.within == Within::none) continue;
    text_.loop("j", span.from, span.to);
    declare_element(pass, "j", false);
    text_.line("{}{} = v[m * {} + j]{};",
               span.within == Within::some ? fmt::format("if (element < {}) ", stage_.length) : "", exchange("element"),
               pass.radix, part);
    text_.close();
  }
  close_writes(pass);
}

}  // namespace twiddle::kernel
