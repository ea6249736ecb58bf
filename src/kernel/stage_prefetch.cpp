// Lines and tiles fetched ahead. Within a turn the work-items meet once more than otherwise, when all have read their
// elements: then the next line may take the place of this one, and nobody reads what was exchanged in the turn before.
// Of a tile, which all have copied a part of, they meet before that as well.
#include "kernel/stage_prefetch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plan/shape/prefetch.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {

using plan::KernelShape;
using plan::Stage;
using Lanes = KernelShape::Lanes;

StagePrefetch::StagePrefetch(const Stage& stage, const StageLayout& layout, StageMemory& memory, Text& text)
    : stage_(stage), tiles_(plan::fetches_tiles(stage.shape)), layout_(layout), memory_(memory), text_(text) {
  const KernelShape& shape = stage.shape;
  if (!shape.prefetch) return;
  const bool plain = !stage.convolution && !stage.returns && !stage.bank && !stage.direct && !stage.load_map &&
                     !stage.load_bound && !stage.load_hook && !stage.shared_map && stage.launched_loops == 0;
  const bool complex =
      stage.input_storage.form == plan::Storage::Form::interleaved && stage.input_storage.precision == stage.precision;
  const bool usual = shape.groups_per_transform == 1 && shape.groups != 0 && shape.vector == 1 &&
                     shape.exchange != KernelShape::Exchange::none && shape.exchange_rounds == 1 &&
                     !shape.stage_through_local && shape.load == shape.store;
  const bool fetchable =
      tiles_ ? shape.load == Lanes::transforms && plan::are_whole_tiles(stage, shape.transforms_per_group)
             : shape.load == Lanes::elements && stage.input_stride == 1;
  if (plain && complex && usual && fetchable) return;
  throw Unsupported(fmt::format(
      "lines cannot be fetched ahead in stage '{}'; expected plain passes over complex numbers, of rows one line for "
      "each group at a time, of columns as many neighbours as divide the number of them",
      plan::to_string(stage)));
}

std::uint64_t StagePrefetch::groups() const {
  return std::min<std::uint64_t>(plan::transform_count(stage_) / stage_.shape.transforms_per_group,
                                 stage_.shape.groups);
}

std::uint64_t StagePrefetch::fetched_elements() const {
  if (tiles_) return stage_.length * stage_.shape.transforms_per_group;
  return plan::prefetched_elements(stage_.length, stage_.precision);
}

// In complex numbers.
std::uint64_t StagePrefetch::exchange_elements() const {
  return stage_.shape.exchange == KernelShape::Exchange::split ? (layout_.slots + 1) / 2 : layout_.slots;
}

std::size_t StagePrefetch::local_bytes() const {
  constexpr std::size_t arrival = 8;
  const std::size_t arrays = (fetched_elements() + exchange_elements()) * 2 * plan::scalar_bytes(stage_.precision);
  return tiles_ ? arrays : arrays + arrival;
}

void StagePrefetch::declare_memory() {
  text_.line("TW_LOCAL_ARRAY(TW_COMPLEX, fetched, {});", fetched_elements() + exchange_elements() + (tiles_ ? 0 : 1));
}

void StagePrefetch::declare_arrays() {
  const char* type = stage_.shape.exchange == KernelShape::Exchange::split ? "TW_REAL" : "TW_COMPLEX";
  text_.line("{0}* const exchange = ({0}*)(fetched + {1});", type, fetched_elements());
  if (tiles_) return;
  text_.line("TW_ARRIVAL* const arrival = (TW_ARRIVAL*)(fetched + {});", fetched_elements() + exchange_elements());
}

void StagePrefetch::open_lines() {
  if (tiles_) {
    text_.line("TW_INDEX tile = TW_GROUP;");
    fetch_tile("tile");
    text_.open("for (; tile * {} < count; tile += TW_GROUPS) {{", stage_.shape.transforms_per_group);
    text_.line("await_elements();");
    text_.line("TW_BARRIER();");
    return;
  }
  text_.line("TW_INDEX own = TW_GROUP;");
  text_.open("if (item == 0) {{");
  text_.line("prepare_arrival(arrival);");
  fetch_line("own");
  text_.close();
  text_.line("TW_BARRIER();");
  text_.open("for (TW_UINT turn = 0; own < count; own += TW_GROUPS, ++turn) {{");
  text_.line("await_line(arrival, turn);");
}

void StagePrefetch::fetch_next() {
  text_.line("");
  text_.line("// fetch the next {}", tiles_ ? "tile" : "line");
  text_.line("TW_BARRIER();");
  if (tiles_) {
    text_.open("if ((tile + TW_GROUPS) * {} < count) {{", stage_.shape.transforms_per_group);
    fetch_tile("(tile + TW_GROUPS)");
  } else {
    text_.open("if (item == 0 && own + TW_GROUPS < count) {{");
    fetch_line("(own + TW_GROUPS)");
  }
  text_.close();
}

void StagePrefetch::fetch_line(const char* line) {
  memory_.locate_input(line);
  text_.line("fetch_line(fetched, arrival, source, {});", stage_.length);
}

// Every work-item copies 16 bytes of as many rows of the tile, at constant distances, which become parts of
// instructions.
void StagePrefetch::fetch_tile(const char* tile) {
  const std::uint32_t transforms = stage_.shape.transforms_per_group;
  const std::uint32_t elements = plan::copied_elements(stage_.precision);
  const std::uint32_t in_row = transforms / elements;
  const std::uint32_t items = plan::group_items(stage_.shape);
  const std::uint64_t rows = items / in_row;  // that the group copies at a time
  text_.open("{{");
  memory_.locate_input(fmt::format("({} * {})", tile, transforms));
  text_.line("const bool whole = before_line(source) == 0;");
  text_.line("const TW_UINT row = item / {}, column = item % {} * {};", in_row, in_row, elements);
  text_.line("TW_COMPLEX* const place = fetched + (row * {} + column);", transforms);
  text_.line("TW_GLOBAL const TW_COMPLEX* first = source + ((TW_INDEX)row * {} + column);", stage_.input_stride);
  text_.loop("i", 0, static_cast<unsigned>((stage_.length + rows - 1) / rows));
  const bool all = items % in_row == 0 && stage_.length % rows == 0;
  text_.line("{}fetch_16_bytes(place + i * {}, first + (TW_INDEX)(i * {}) * {}, whole);",
             all ? "" : fmt::format("if (row < {0} && row + i * {0} < {1}) ", rows, stage_.length), rows * transforms,
             rows, stage_.input_stride);
  text_.close();
  text_.close();
}

void StageMemory::locate_input(const std::string& transform) {
  constexpr Stride stride = &plan::Loop::input_stride;
  locate_loops(transform);
  text_.line("TW_GLOBAL const {}* source = {} + ({});", input_.type(), base(stride), offset(stride, false));
}

}  // namespace twiddle::kernel
