// The tables of a stage kernel: roots of its twiddles, what its convolution multiplies by, and its factors.
#include <span>

#include "kernel/factor_text.hpp"
#include "kernel/point_order.hpp"
#include "kernel/stage_layout.hpp"
#include "plan/numbers/tables.hpp"
#include "plan/recipe/convolution.hpp"
#include "plan/shape/summed_rows.hpp"

namespace twiddle::kernel {
namespace {

using plan::Stage;

// exp(-+ 2 pi i k / n).
std::complex<long double> root(Direction direction, std::uint64_t k, std::uint64_t n) {
  const auto value = plan::root_of_unity(k, n);
  return direction == Direction::forward ? value : std::conj(value);
}

std::span<const Pass> passes_there(const StageLayout& layout, std::size_t first) {
  return std::span(layout.passes).subspan(first, layout.turn - first);
}

void add_pass_tables(const Stage& stage, StageLayout& layout) {
  for (std::size_t i = 0; i < layout.passes.size(); ++i) {
    Pass& pass = layout.passes[i];
    if (pass.mirrored) pass.constants = layout.passes[2 * layout.turn - 1 - i].constants;
    if (pass.mirrored || !pass.has_twiddles()) continue;
    pass.constants = static_cast<std::uint32_t>(layout.tables.constants.size());
    const std::uint64_t remaining = plan::chip_points(stage) / pass.before;
    const std::vector<std::uint32_t> elements = point_order(passes_there(layout, i + 1)).elements;
    for (std::uint64_t j = 1; j < pass.radix; ++j) {
      for (const std::uint64_t element : elements)
        layout.tables.constants.push_back(root(pass.direction, element * j, remaining));
    }
  }
}

// What Rader's algorithm has for each point; Bluestein's has no order of points.
template <class Value>
std::vector<Value> in_order(const std::vector<Value>& values, const std::vector<std::uint32_t>& order) {
  std::vector<Value> ordered;
  for (std::size_t i = 0; i < values.size(); ++i) ordered.push_back(values[order[i]]);
  return ordered;
}

template <class Real>
void add_convolution(const Stage& stage, StageLayout& layout) {
  const auto values = plan::convolution_tables<Real>(*stage.convolution, stage.length, stage.direction);
  const PointOrder order = point_order(passes_there(layout, 0));
  const auto append = [](const auto& table, auto& tables) {
    const auto start = static_cast<std::uint32_t>(tables.size());
    tables.insert(tables.end(), table.begin(), table.end());
    return start;
  };
  ConvolutionLayout& convolution = *layout.convolution;
  convolution.spectrum = append(in_order(values.spectrum, order.frequencies), layout.tables.constants);
  const auto& chirp = values.chirp;
  for (std::size_t i = 0; stage.shape.same_way_back && i < values.spectrum.size(); ++i) {
    const std::complex<Real> last = i < chirp.size() ? std::conj(chirp[i]) : std::complex<Real>(0);
    layout.tables.constants.emplace_back(chirp.empty() ? std::complex<Real>(1) : last);
  }
  convolution.chirp = append(values.chirp, layout.tables.constants);
  std::vector<std::uint32_t> load_order = in_order(values.load_order, order.elements);
  if (layout.passes.front().line_order) {
    const std::vector<std::uint32_t> elements = load_order;
    for (std::uint32_t q = 0; q < elements.size(); ++q) load_order[elements[q] - 1] = q;
  }
  convolution.load_order = append(load_order, layout.tables.indices);
  std::vector<std::uint32_t> store_order = in_order(values.store_order, order.elements);
  if (layout.passes.back().line_order) {
    for (std::uint32_t& element : store_order) --element;
  }
  convolution.store_order = append(store_order, layout.tables.indices);
}

void add_root_tables(const Stage& stage, StageLayout& layout) {
  if (!stage.twiddle) return;
  const std::uint64_t modulus = stage.twiddle->modulus;
  const std::uint64_t fine = fine_entries(modulus);
  layout.roots.fine_count = static_cast<std::uint32_t>(fine);
  layout.roots.fine = static_cast<std::uint32_t>(layout.tables.constants.size());
  for (std::uint64_t i = 0; i < fine; ++i) layout.tables.constants.push_back(root(stage.direction, i, modulus));
  layout.roots.coarse = static_cast<std::uint32_t>(layout.tables.constants.size());
  const std::complex<long double> turned = stage.twiddle->times_i ? std::conj(root(stage.direction, 1, 4)) : 1;
  for (std::uint64_t i = 0; i * fine < modulus; ++i)
    layout.tables.constants.push_back(turned * root(stage.direction, i * fine, modulus));
}

}  // namespace

void add_tables(const Stage& stage, std::uint64_t line, StageLayout& layout) {
  add_pass_tables(stage, layout);
  if (stage.convolution) {
    layout.convolution.emplace();
    const bool single = stage.precision == Precision::float32;
    single ? add_convolution<double>(stage, layout) : add_convolution<long double>(stage, layout);
  }
  add_root_tables(stage, layout);
  if (stage.direct || plan::is_summed(stage, stage.shape)) {
    layout.direct = static_cast<std::uint32_t>(layout.tables.constants.size());
    for (std::uint64_t k = 0; k < line; ++k) layout.tables.constants.push_back(root(stage.direction, k, line));
    layout.line = static_cast<std::uint32_t>(line);
  }
  if (stage.load_factor) layout.load_factor = lay_out_factor(*stage.load_factor, stage.precision, layout.tables);
  if (stage.store_factor) layout.store_factor = lay_out_factor(*stage.store_factor, stage.precision, layout.tables);
  if (stage.load_map) layout.load_map = lay_out_map(*stage.load_map, stage.precision, layout.tables);
  if (stage.store_map) layout.store_map = lay_out_map(*stage.store_map, stage.precision, layout.tables);
  if (layout.tables.constants.empty()) layout.tables.constants.emplace_back(1.0L, 0.0L);
}

}  // namespace twiddle::kernel
