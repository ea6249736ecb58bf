// Passes, local memory and constant tables of a stage kernel.
#include "kernel/stage_layout.hpp"

#include <algorithm>
#include <cstdlib>

#include "plan/tables.hpp"

namespace twiddle::kernel {
namespace {

using plan::KernelShape;
using plan::Stage;
using Lanes = KernelShape::Lanes;

constexpr std::uint32_t banks = 32;  // of local memory, four bytes wide

std::complex<float> rounded(std::complex<long double> value) {
  return {static_cast<float>(value.real()), static_cast<float>(value.imag())};
}

// exp(-+ 2 pi i k / n) in the stage's direction.
std::complex<float> root(const Stage& stage, std::uint64_t k, std::uint64_t n) {
  const auto value = rounded(plan::root_of_unity(k, n));
  return stage.direction == Direction::forward ? value : std::conj(value);
}

std::vector<Pass> make_passes(const Stage& stage) {
  const auto length = static_cast<std::uint32_t>(stage.length);
  std::vector<unsigned> radices = stage.radices;
  if (radices.empty()) radices.push_back(1);
  std::vector<Pass> passes;
  std::uint32_t before = 1;
  for (unsigned radix : radices) {
    Pass pass;
    pass.radix = radix;
    pass.before = before;
    pass.butterflies = length / radix;
    pass.groups = pass.butterflies / before;
    const std::uint32_t items = stage.shape.items_per_transform;
    pass.rounds = (pass.butterflies + items - 1) / items;
    pass.partial = pass.butterflies % items != 0;
    passes.push_back(pass);
    before *= radix;
  }
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
  }
  return passes;
}

void lay_out_local_memory(const Stage& stage, StageLayout& layout) {
  const KernelShape& shape = stage.shape;
  if (shape.exchange == KernelShape::Exchange::none) return;
  const auto padded = [&](std::uint64_t n) { return n + (shape.padding != 0 ? n / shape.padding : 0); };
  const auto length = static_cast<std::uint32_t>(stage.length) / shape.exchange_rounds;
  layout.transforms_inside = shape.load == Lanes::transforms && shape.store == Lanes::transforms &&
                             !shape.stage_through_local;
  if (layout.transforms_inside) {
    layout.slots = static_cast<std::uint32_t>((padded(length - 1) + 1) * shape.transforms_per_group);
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

void add_pass_tables(const Stage& stage, StageLayout& layout) {
  for (std::size_t i = 0; i + 1 < layout.passes.size(); ++i) {
    Pass& pass = layout.passes[i];
    pass.constants = static_cast<std::uint32_t>(layout.constants.size());
    const std::uint64_t remaining = stage.length / pass.before;
    for (std::uint64_t j = 1; j < pass.radix; ++j) {
      for (std::uint64_t p = 0; p < pass.groups; ++p) layout.constants.push_back(root(stage, p * j, remaining));
    }
  }
}

void add_root_tables(const Stage& stage, StageLayout& layout) {
  if (!stage.twiddle) return;
  const std::uint64_t modulus = stage.twiddle->modulus;
  std::uint64_t fine = 1;
  while (fine * fine < modulus) fine *= 2;
  layout.roots.fine_count = static_cast<std::uint32_t>(fine);
  layout.roots.fine = static_cast<std::uint32_t>(layout.constants.size());
  for (std::uint64_t i = 0; i < fine; ++i) layout.constants.push_back(root(stage, i, modulus));
  layout.roots.coarse = static_cast<std::uint32_t>(layout.constants.size());
  for (std::uint64_t i = 0; i * fine < modulus; ++i) layout.constants.push_back(root(stage, i * fine, modulus));
}

std::uint32_t add_factor(const plan::Factor& factor, StageLayout& layout) {
  const auto start = static_cast<std::uint32_t>(layout.constants.size());
  for (const auto& value : plan::factor_values(factor)) {
    layout.constants.emplace_back(static_cast<float>(value.real()), static_cast<float>(value.imag()));
  }
  return start;
}

bool needs_wide_index(const Stage& stage) {
  std::uint64_t input = (stage.length - 1) * static_cast<std::uint64_t>(std::abs(stage.input_stride));
  std::uint64_t output = (stage.length - 1) * static_cast<std::uint64_t>(std::abs(stage.output_stride));
  for (const plan::Loop& loop : stage.loops) {
    input += (loop.count - 1) * static_cast<std::uint64_t>(std::abs(loop.input_stride));
    output += (loop.count - 1) * static_cast<std::uint64_t>(std::abs(loop.output_stride));
  }
  // Half the range, so that the idle transforms of the last group stay within it.
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  return input >= most || output >= most || plan::transform_count(stage) >= most;
}

}  // namespace

StageLayout lay_out(const Stage& stage) {
  StageLayout layout;
  layout.passes = make_passes(stage);
  for (const Pass& pass : layout.passes) layout.held = std::max(layout.held, pass.rounds * pass.radix);
  lay_out_local_memory(stage, layout);
  add_pass_tables(stage, layout);
  add_root_tables(stage, layout);
  if (stage.load_factor) layout.load_factor = add_factor(*stage.load_factor, layout);
  if (stage.store_factor) layout.store_factor = add_factor(*stage.store_factor, layout);
  if (layout.constants.empty()) layout.constants.emplace_back(1.0F, 0.0F);
  layout.wide_index = needs_wide_index(stage);
  return layout;
}

}  // namespace twiddle::kernel
