// Passes, local memory and constant tables of a stage kernel.
#include "kernel/stage_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "kernel/point_order.hpp"
#include "plan/recipe/convolution.hpp"
#include "plan/shape/exchange_shape.hpp"
#include "plan/shape/shape.hpp"
#include "plan/shape/summed_rows.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

using plan::KernelShape;
using plan::Stage;
using Lanes = KernelShape::Lanes;

constexpr std::uint32_t banks = 32;  // of local memory, four bytes wide

bool is_applied_bank(const Stage& stage) { return stage.bank && stage.bank->kind == plan::FilterBank::Kind::cyclic; }

Pass make_pass(const Stage& stage, unsigned radix, std::uint32_t before) {
  Pass pass;
  pass.radix = radix;
  pass.direction = stage.direction;
  pass.before = before;
  pass.butterflies = static_cast<std::uint32_t>(plan::chip_points(stage)) / radix;
  pass.groups = pass.butterflies / before;
  const std::uint32_t items = stage.shape.items_per_transform * stage.shape.groups_per_transform;
  pass.rounds = (pass.butterflies + items - 1) / items;
  pass.partial = pass.butterflies % items != 0;
  if (plan::bundles_transforms(stage.shape)) {
    pass.vector = stage.shape.vector;
    pass.rounds *= pass.vector;
  }
  return pass;
}

// Neighbouring elements of lines that Rader's algorithm takes in another order are loaded and stored by neighbouring
// items, and change places in local memory.
Pass line_order(const Stage& stage) {
  Pass pass = make_pass(stage, 1, 1);
  pass.line_order = true;
  pass.groups = 1;
  return pass;
}

void add_way_back(const Stage& stage, std::vector<Pass>& passes) {
  const KernelShape& shape = stage.shape;
  for (std::size_t i = shape.same_way_back ? 0 : passes.size(); i-- > 0;) {
    passes.push_back(passes[i]);
    passes.back().direction = plan::opposite(stage.direction);
    passes.back().mirrored = true;
  }
  if (!is_by_rader(stage) || shape.exchange == KernelShape::Exchange::none) return;
  if (shape.load == Lanes::elements) passes.insert(passes.begin(), line_order(stage));
  const bool in_local = stage.store_map || shape.stores_together;  // where stores take results from in order
  if (shape.store == Lanes::elements && !in_local) passes.push_back(line_order(stage));
}

std::vector<Pass> make_passes(const Stage& stage) {
  std::vector<Pass> passes;
  std::uint32_t before = 1;
  for (const unsigned radix : stage.radices) {
    if (plan::is_summed(stage, stage.shape)) break;
    passes.push_back(make_pass(stage, radix, before));
    before *= radix;
  }
  leave_out_twiddles(stage, passes);
  if (passes.empty()) passes.push_back(make_pass(stage, 1, 1));
  // Elements that are moved by blocks change hands once.
  if (stage.radices.empty() && stage.shape.load != stage.shape.store) passes.push_back(passes.front());
  if (stage.convolution || stage.returns || is_applied_bank(stage)) add_way_back(stage, passes);
  // Where loads and stores walk differently, one exchange changes over: as near as possible to the side that walks
  // across transforms, since exchanges along elements meet fewer bank conflicts.
  const KernelShape& shape = stage.shape;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const bool first = i == 0;
    const bool last = i + 1 == passes.size();
    passes[i].lanes = shape.load == shape.store ? shape.load
                      : first                   ? shape.load
                      : last                    ? shape.store
                                                : Lanes::elements;
    if (first || last) passes[i].vector = shape.vector;
  }
  return passes;
}

void lay_out_local_memory(const Stage& stage, StageLayout& layout) {
  const KernelShape& shape = stage.shape;
  if (shape.exchange == KernelShape::Exchange::none) return;
  const std::uint32_t skipped = shape.groups_per_transform > 1 ? shape.vector : 1;
  const auto padded = [&](std::uint64_t n) { return n + (shape.padding != 0 ? n / shape.padding * skipped : 0); };
  const std::uint64_t kept = plan::local_points(stage, shape) / shape.groups_per_transform;
  const auto length = static_cast<std::uint32_t>(kept) / shape.exchange_rounds;
  layout.transforms_inside =
      shape.load == Lanes::transforms && shape.store == Lanes::transforms && !shape.stage_through_local;
  if (layout.transforms_inside) {
    layout.slots = static_cast<std::uint32_t>((padded(length - 1) + 1) * shape.transforms_per_group);
    return;
  }
  if (shape.stage_through_local && !layout.one_run) {
    layout.pitch = length | 1;
    layout.slots = layout.pitch * shape.transforms_per_group;
    return;
  }
  if (shape.stage_through_local) {
    layout.slots = static_cast<std::uint32_t>(padded(std::uint64_t{length} * shape.transforms_per_group - 1) + 1);
    return;
  }
  layout.pitch = static_cast<std::uint32_t>(padded(length - 1) + 1);
  if (shape.load != shape.store) {
    // Lanes that walk across transforms should fall into different banks: offset each transform by banks / transforms.
    const std::uint32_t width = shape.exchange == KernelShape::Exchange::complex ? banks / 2 : banks;
    const std::uint32_t offset = std::max(1U, width / shape.transforms_per_group);
    while (layout.pitch % width != offset % width) ++layout.pitch;
  }
  layout.slots = layout.pitch * shape.transforms_per_group;
}

void require_shape(const Stage& stage) {
  if (stage.shape.exchange_rounds > 1 || stage.shape.stage_through_local) {
    throw Unsupported(
        fmt::format("a convolution on chip exchanges its {} points in one round, and loads and stores its "
                    "lines directly; got {} rounds{}; compute it in several stages",
                    stage.convolution->points, stage.shape.exchange_rounds,
                    stage.shape.stage_through_local ? ", and lines in local memory" : ""));
  }
}

// Each work-item keeps its part of a segment's spectrum between the two ways: all must have one.
void require_bank_shape(const Stage& stage, const StageLayout& layout) {
  const KernelShape& shape = stage.shape;
  const Pass& middle = layout.passes[layout.turn - 1];
  if (shape.exchange_rounds == 1 && !shape.stage_through_local && shape.transforms_per_group == 1 && !middle.partial &&
      shape.load == Lanes::elements && shape.store == Lanes::elements) {
    return;
  }
  throw Unsupported(fmt::format(
      "a bank of filters has one segment of {} points in a group, shared evenly by its items, exchanged in "
      "one round; got {} segments, {} items for radix {}, {} rounds; choose another segment",
      stage.length, shape.transforms_per_group, shape.items_per_transform, middle.radix, shape.exchange_rounds));
}

// The most that a position moves from where the first transform's first element is, in either direction.
std::uint64_t reach(const Stage& stage, std::uint64_t elements, std::int64_t element_stride,
                    const std::function<std::int64_t(std::size_t loop)>& loop_stride) {
  std::uint64_t sum = elements * static_cast<std::uint64_t>(std::abs(element_stride));
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    sum += (stage.loops[i].count - 1) * static_cast<std::uint64_t>(std::abs(loop_stride(i)));
  }
  return sum;
}

// Pairs of segment and filter are counted; the place of an output among those of all filters is what hooks see.
bool needs_wide_index(const Stage& stage, const plan::FilterBank& bank, std::uint64_t most) {
  const auto outputs = bank.filters * static_cast<std::uint64_t>(std::abs(bank.filter_stride));
  return plan::transform_count(stage) * bank.filters >= most || (stage.store_hook && outputs >= most);
}

// `line`: elements of the source that a sum by the definition takes.
bool needs_wide_index(const Stage& stage, std::uint64_t line) {
  // Half the range, so that idle transforms of the last group and negative distances stay within it.
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  if (plan::transform_count(stage) >= most) return true;
  const auto elements = [&](const auto& map, std::uint64_t plan::LineMap::*count) {
    if (stage.shared_map) return stage.length + 1;  // the loop over its transforms counts the others
    return map ? *map.*count : stage.length;
  };
  const std::uint64_t loaded = (stage.direct ? line : elements(stage.load_map, &plan::LineMap::source_count)) - 1;
  const std::uint64_t stored = elements(stage.store_map, &plan::LineMap::count) - 1;
  const auto input = [&](std::size_t i) { return stage.loops[i].input_stride; };
  const auto output = [&](std::size_t i) { return stage.loops[i].output_stride; };
  // Hooks see places from where the memory starts on.
  const auto ahead = [](std::int64_t offset, const plan::Storage& storage) {
    return static_cast<std::uint64_t>(std::abs(offset)) +
           static_cast<std::uint64_t>(std::abs(storage.imaginary_offset));
  };
  const std::uint64_t before = stage.load_hook ? ahead(stage.input_offset, stage.input_storage) : 0;
  const std::uint64_t behind = plan::stores_with_user(stage) ? ahead(stage.output_offset, stage.output_storage) : 0;
  if (before + reach(stage, loaded, stage.input_stride, input) >= most) return true;
  if (behind + reach(stage, stored, stage.output_stride, output) >= most) return true;
  const auto sequence_is_long = [&](const auto& sequence) {
    if (!sequence) return false;
    const auto strides = [&](std::size_t i) { return sequence->loop_strides[i]; };
    const std::uint64_t elements = stage.radices.empty() && stage.load_map ? stage.load_map->count : stage.length;
    return reach(stage, elements - 1, sequence->element_stride, strides) >= most;
  };
  return sequence_is_long(stage.load_factor) || sequence_is_long(stage.store_factor) ||
         (stage.bank && needs_wide_index(stage, *stage.bank, most)) || sequence_is_long(stage.load_bound) ||
         sequence_is_long(stage.store_bound);
}

// Neighbouring reals taken as complex numbers, read or written as interleaved ones. `spectrum`: how far a second
// spectrum lies on this side, if there is one.
void pair_scalars(plan::Storage& storage, std::int64_t& offset, std::int64_t& element_stride,
                  std::vector<plan::Loop>& loops, std::int64_t plan::Loop::*stride, std::int64_t* spectrum,
                  const std::optional<plan::Bound>& bound) {
  if (storage.form != plan::Storage::Form::planar || storage.imaginary_offset != 1) return;
  if (bound && bound->imaginary_step != 0) return;  // the last one has a real part alone
  const auto even = [](std::int64_t n) { return n % 2 == 0; };
  if (!even(offset) || !even(element_stride) || (spectrum != nullptr && !even(*spectrum))) return;
  if (!std::all_of(loops.begin(), loops.end(), [&](const plan::Loop& loop) { return even(loop.*stride); })) return;
  storage.form = plan::Storage::Form::interleaved;
  storage.imaginary_offset = 0;
  offset /= 2;
  element_stride /= 2;
  if (spectrum != nullptr) *spectrum /= 2;
  for (plan::Loop& loop : loops) loop.*stride /= 2;
}

// Loops of one turn are no reason to divide the index of a segment.
void drop_single_turns(Stage& stage) {
  for (std::size_t i = stage.loops.size(); i-- > 0;) {
    if (stage.loops[i].count != 1) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    stage.loops.erase(stage.loops.begin() + at);
    for (auto* strides : plan::position_strides(stage)) strides->erase(strides->begin() + at);
  }
}

// The loop over the elements, which a map finds itself, goes where it belongs by the distance of its stores.
std::size_t flatten(Stage& stage) {
  const bool inside = stage.loops.size() > stage.launched_loops &&
                      std::abs(stage.loops[0].output_stride) < std::abs(stage.output_stride);
  const std::size_t place = inside ? 1 : 0;
  const bool own_element = !stage.load_map && !stage.direct;
  const std::uint64_t elements = stage.direct           ? plan::bounded_count(stage.length, stage.store_bound)
                                 : makes_spectra(stage) ? stage.length / 2
                                 : stage.mirrored       ? stage.load_map->length / 4 + 1
                                                        : stage.length;
  const auto at = static_cast<std::ptrdiff_t>(place);
  stage.loops.insert(stage.loops.begin() + at,
                     plan::Loop{elements, own_element ? stage.input_stride : 0, stage.output_stride});
  for (auto* factor : {&stage.load_factor, &stage.store_factor}) {
    if (*factor) (*factor)->loop_strides.insert((*factor)->loop_strides.begin() + at, 0);
  }
  for (auto* bound : {&stage.load_bound, &stage.store_bound}) {
    if (*bound) (*bound)->loop_strides.insert((*bound)->loop_strides.begin() + at, 0);
  }
  if (stage.twiddle && stage.twiddle->loop >= place) ++stage.twiddle->loop;
  stage.length = 1;
  return place;
}

}  // namespace

bool is_by_rader(const Stage& stage) {
  return stage.convolution && stage.convolution->algorithm == plan::Convolution::Algorithm::rader;
}

bool makes_spectra(const Stage& stage) {
  return stage.radices.empty() && stage.load_map && stage.load_map->rule == plan::LineMap::Rule::two_spectra_store;
}

StageLayout lay_out(const Stage& stage, std::uint64_t line) {
  StageLayout layout;
  if (stage.convolution) require_shape(stage);
  layout.passes = make_passes(stage);
  share_passes(stage, layout);
  for (const Pass& pass : layout.passes) layout.held = std::max(layout.held, pass.rounds * pass.radix);
  if (makes_spectra(stage) || stage.mirrored) layout.held = 2;
  layout.one_run = stage.shape.stage_through_local && plan::is_one_run(stage);
  lay_out_local_memory(stage, layout);
  const auto first_back = std::find_if(layout.passes.begin(), layout.passes.end(), std::mem_fn(&Pass::mirrored));
  layout.turn = static_cast<std::size_t>(first_back - layout.passes.begin());
  if (stage.shape.same_way_back && layout.passes.back().line_order) --layout.turn;
  if (stage.bank) require_bank_shape(stage, layout);
  add_tables(stage, line, layout);
  layout.wide_index = needs_wide_index(stage, line);
  return layout;
}

Prepared prepare(Stage stage) {
  if (stage.precision == Precision::extended) throw Unsupported("long double is computed on the host only");
  const auto spectrum = [&](const std::optional<plan::LineMap>& map, plan::LineMap::Rule rule) {
    return map && map->rule == rule ? &stage.second_spectrum : nullptr;
  };
  // Hooks count places in memory as the stage does.
  if (!stage.load_hook) {
    pair_scalars(stage.input_storage, stage.input_offset, stage.input_stride, stage.loops, &plan::Loop::input_stride,
                 spectrum(stage.load_map, plan::LineMap::Rule::two_spectra_load), stage.load_bound);
  }
  if (!stage.store_hook) {
    pair_scalars(
        stage.output_storage, stage.output_offset, stage.output_stride, stage.loops, &plan::Loop::output_stride,
        spectrum(makes_spectra(stage) ? stage.load_map : stage.store_map, plan::LineMap::Rule::two_spectra_store),
        stage.store_bound);
  }
  if (stage.bank) drop_single_turns(stage);
  Prepared result{std::move(stage)};
  result.line = result.stage.length;
  const bool moves =
      !result.stage.bank && result.stage.length > 1 && result.stage.shape.load == result.stage.shape.store;
  if (result.stage.radices.empty() && (result.stage.load_map || moves)) result.element_loop = flatten(result.stage);
  return result;
}

}  // namespace twiddle::kernel
