// Lines fetched ahead. Within a turn the work-items meet once more than otherwise, when all have read their elements:
// then the next line may take the place of this one, and nobody reads what was exchanged in the turn before.
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
    : stage_(stage), layout_(layout), memory_(memory), text_(text) {
  const KernelShape& shape = stage.shape;
  if (!shape.prefetch) return;
  const bool plain = !stage.convolution && !stage.returns && !stage.bank && !stage.direct && !stage.load_map &&
                     !stage.load_bound && !stage.load_hook && !stage.shared_map && stage.launched_loops == 0;
  const bool whole = stage.input_stride == 1 && stage.input_storage.form == plan::Storage::Form::interleaved &&
                     stage.input_storage.precision == stage.precision;
  const bool alone = shape.transforms_per_group == 1 && shape.groups_per_transform == 1 && shape.groups != 0 &&
                     shape.exchange != KernelShape::Exchange::none && shape.exchange_rounds == 1 &&
                     !shape.stage_through_local && shape.load == Lanes::elements && shape.store == Lanes::elements;
  if (plain && whole && alone) return;
  throw Unsupported(fmt::format(
      "lines cannot be fetched ahead in stage '{}'; expected plain passes over rows of complex numbers, one "
      "line for each group at a time",
      plan::to_string(stage)));
}

std::uint64_t StagePrefetch::groups() const {
  return std::min<std::uint64_t>(plan::transform_count(stage_), stage_.shape.groups);
}

std::uint64_t StagePrefetch::line_elements() const {
  return plan::prefetched_elements(stage_.length, stage_.precision);
}

// In complex numbers.
std::uint64_t StagePrefetch::exchange_elements() const {
  return stage_.shape.exchange == KernelShape::Exchange::split ? (layout_.slots + 1) / 2 : layout_.slots;
}

std::size_t StagePrefetch::local_bytes() const {
  constexpr std::size_t arrival = 8;
  return (line_elements() + exchange_elements()) * 2 * plan::scalar_bytes(stage_.precision) + arrival;
}

void StagePrefetch::declare_memory() {
  text_.line("TW_LOCAL_ARRAY(TW_COMPLEX, fetched, {});", line_elements() + exchange_elements() + 1);
}

void StagePrefetch::declare_arrays() {
  const char* type = stage_.shape.exchange == KernelShape::Exchange::split ? "TW_REAL" : "TW_COMPLEX";
  text_.line("{0}* const exchange = ({0}*)(fetched + {1});", type, line_elements());
  text_.line("TW_ARRIVAL* const arrival = (TW_ARRIVAL*)(fetched + {});", line_elements() + exchange_elements());
}

void StagePrefetch::open_lines() {
  text_.line("TW_INDEX own = TW_GROUP;");
  text_.open("if (item == 0) {{");
  text_.line("prepare_arrival(arrival);");
  fetch("own");
  text_.close();
  text_.line("TW_BARRIER();");
  text_.open("for (TW_UINT turn = 0; own < count; own += TW_GROUPS, ++turn) {{");
  text_.line("await_line(arrival, turn);");
}

void StagePrefetch::fetch_next() {
  text_.line("");
  text_.line("// fetch the next line");
  text_.line("TW_BARRIER();");
  text_.open("if (item == 0 && own + TW_GROUPS < count) {{");
  fetch("(own + TW_GROUPS)");
  text_.close();
}

void StagePrefetch::fetch(const char* transform) {
  memory_.locate_input(transform);
  text_.line("fetch_line(fetched, arrival, source, {});", stage_.length);
}

void StageMemory::locate_input(const std::string& transform) {
  constexpr Stride stride = &plan::Loop::input_stride;
  locate_loops(transform);
  text_.line("TW_GLOBAL const {}* source = {} + ({});", input_.type(), base(stride), offset(stride, false));
}

}  // namespace twiddle::kernel
