// Lines that the groups of a cluster share: who does which butterflies, and how elements get from one group to another.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "kernel/stage_exchange.hpp"
#include "kernel/stage_layout.hpp"
#include "plan/shape/cluster.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {

using plan::KernelShape;
using plan::Stage;
using Lanes = KernelShape::Lanes;

// A line that groups share is a matrix whose columns each group has its share of until the last of their passes, and
// whose rows from there on. Elements b and b + n of a pass are of one column where n is a multiple of the columns times
// `before`, of one row where it is one of the rows: butterflies of a group come in runs.
void share_passes(const Stage& stage, StageLayout& layout) {
  const std::uint32_t groups = stage.shape.groups_per_transform;
  if (groups == 1) return;
  layout.rows = plan::column_passes(stage.radices, groups);
  const bool plain = !stage.convolution && !stage.bank && !stage.store_map && layout.rows != 0;
  const KernelShape& shape = stage.shape;
  if (!plain || shape.transforms_per_group != 1 || shape.exchange != KernelShape::Exchange::complex ||
      shape.exchange_rounds != 1 || shape.stage_through_local || shape.load != Lanes::elements ||
      shape.store != Lanes::elements) {
    throw Unsupported(
        fmt::format("{} work-groups cannot share lines in stage '{}'; expected plain passes over rows, one line "
                    "for all of them, and a division into columns and rows that both are multiples of {}",
                    groups, plan::to_string(stage), groups));
  }
  const std::uint32_t rows = layout.passes[layout.rows].before;
  const auto columns = static_cast<std::uint32_t>(stage.length) / rows;
  for (std::size_t i = 0; i < layout.passes.size(); ++i) {
    Pass& pass = layout.passes[i];
    pass.run = (i < layout.rows ? pass.before * columns : rows) / groups;
  }
  if (shape.vector > 1) layout.passes[layout.rows - 1].vector = shape.vector;
  const auto& passes = layout.passes;
  const auto whole_runs = [&](const Pass& pass) { return shape.items_per_transform % pass.run == 0; };
  const bool padded = shape.padding == 0 || (rows / groups) % shape.padding == 0;
  const bool idle = std::any_of(passes.begin(), passes.end(), std::mem_fn(&Pass::partial));
  if (whole_runs(passes.front()) && whole_runs(passes.back()) && padded && !idle) return;
  throw Unsupported(
      fmt::format("{} work-items of a group do not take whole runs of {} columns and {} rows in stage '{}'",
                  shape.items_per_transform, columns / groups, rows / groups, plan::to_string(stage)));
}

Pass within_group(Pass pass, std::uint32_t groups) {
  if (pass.run == 0) return pass;
  pass.butterflies /= groups;
  // Rows are the innermost digit of the positions: with a share of them, all else moves together.
  if (pass.before > pass.run) pass.before /= groups;
  pass.run = 0;
  return pass;
}

void StageExchange::columns_read() { text_.line("TW_CLUSTER_ARRIVE();"); }

// Each group keeps its rows as a shorter line: the elements of a column next to each other, one column after the other.
void StageExchange::pass_across(const Pass& from, const Pass& to) {
  const Pass own = within_group(from, shape_.groups_per_transform);
  const Pass next = within_group(to, shape_.groups_per_transform);
  text_.line("");
  text_.line("// exchange with the other groups");
  text_.line("TW_CLUSTER_WAIT();");
  memory_.open_writes(own, true, own.vector);
  text_.line("const TW_UINT column = part * {} + b / {};", from.run / from.before, own.before);
  text_.loop("j", 0, from.radix);
  text_.line("const TW_UINT row = b % {0} + j * {0};", own.before);
  skipped_ = own.vector;
  const std::string place = padded(fmt::format("row % {0} + column * {0}", next.before));
  text_.line("TW_COMPLEX* there = memory_of_group(exchange, row / {}) + ({});", next.before, place);
  if (own.vector > 1) {
    text_.line("TW_STORE_VECTOR(there, v[m * {0} + j], v[(m + 1) * {0} + j]);", from.radix);
  } else {
    text_.line("*there = v[m * {} + j];", from.radix);
  }
  text_.close();
  memory_.close_writes(own);
  text_.line("TW_CLUSTER_ARRIVE();");
  text_.line("TW_CLUSTER_WAIT();");
  receive(next, "", 0, "v");
  skipped_ = 1;
  exchanged_ = true;
}

}  // namespace twiddle::kernel
