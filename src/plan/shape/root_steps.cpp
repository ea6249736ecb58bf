// Which lines read fewer roots.
#include "plan/shape/root_steps.hpp"

#include <algorithm>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/shape/measured_device.hpp"

namespace twiddle::plan {
namespace {

struct Line {
  std::uint64_t length;
  LineUse use;
  std::uint32_t step = 4;
};

constexpr std::uint32_t convolutions_step = 4;

// An H200 through CUDA, batches of 512 MiB: those that take 0.98 of the time or less (docs/cuda-shapes.md).
const std::vector<Line>& lines() {
  static const std::vector<Line> table{
      {2187, LineUse::rows},        {2401, LineUse::rows},
      {5000, LineUse::rows},        {6000, LineUse::rows},
      {6561, LineUse::rows},        {8192, LineUse::rows, 8},
      {16807, LineUse::rows},       {19683, LineUse::rows},
      {540, LineUse::mapped_rows},  {1331, LineUse::mapped_rows},
      {1500, LineUse::mapped_rows}, {1800, LineUse::mapped_rows},
      {2048, LineUse::mapped_rows}, {2187, LineUse::mapped_rows},
      {2197, LineUse::mapped_rows}, {2401, LineUse::mapped_rows},
      {3125, LineUse::mapped_rows}, {4096, LineUse::mapped_rows, 8},
      {5000, LineUse::mapped_rows}, {6561, LineUse::mapped_rows},
      {8192, LineUse::mapped_rows}, {19683, LineUse::mapped_rows},
      {1000, LineUse::columns},     {1080, LineUse::columns},
      {2048, LineUse::columns},     {3000, LineUse::columns},
      {4096, LineUse::columns},     {4096, LineUse::twiddled_columns},
  };
  return table;
}

const std::vector<Line>& lines_of_doubles() {
  static const std::vector<Line> table{{2197, LineUse::rows}, {4000, LineUse::rows}, {5000, LineUse::rows},
                                       {6561, LineUse::rows}, {8192, LineUse::rows}, {10000, LineUse::rows}};
  return table;
}

// Lines by convolution on chip, of which those count that take 0.95 of the time or less: of two sorts of points on an
// H100, of 60 on the way to spectra of two reals on an H200, where fewer registers then suffice as well.
bool reads_fewer(const Stage& stage, bool doubles) {
  const std::uint64_t points = chip_points(stage);
  const bool to_spectra = stage.store_map && stage.store_map->rule == LineMap::Rule::two_spectra_store;
  return points == 1024 || (!doubles && (points == 4096 || (points == 60 && to_spectra)));
}

// Columns of lines in two launches.
struct Columns {
  std::uint64_t line;
  std::uint64_t length;
};

// The same card, through CUDA: those that take 0.98 of the time or less (docs/cuda-shapes.md).
const std::vector<Columns>& columns() {
  static const std::vector<Columns> table{{262144, 512},   {524288, 512},   {1000000, 1000}, {1048576, 1024},
                                          {2097152, 1024}, {4194304, 2048}, {8388608, 2048}, {16777216, 4096}};
  return table;
}

const std::vector<Columns>& columns_of_doubles() {
  static const std::vector<Columns> table{{1048576, 1024}, {2097152, 1024}, {4194304, 1024}, {16777216, 4096}};
  return table;
}

}  // namespace

std::uint32_t measured_root_step(const Stage& stage, const KernelShape& shape, LineUse use,
                                 const DeviceLimits& limits) {
  const bool plain = stage.radices.size() > 1 && !stage.bank && !shape.prefetch && shape.groups_per_transform == 1 &&
                     (!stage.twiddle || use == LineUse::twiddled_columns);
  if (!is_recent_gpu(limits) || !plain) return 0;
  if (tuned_choice(chip_points(stage), use, limits) != nullptr) return 0;
  const bool doubles = limits.arithmetic == Precision::float64;
  if (stage.convolution) {
    return use == LineUse::convolved_rows && reads_fewer(stage, doubles) ? convolutions_step : 0;
  }
  const std::vector<Line>& table = doubles ? lines_of_doubles() : lines();
  const auto measured =
      std::ranges::find_if(table, [&](const Line& line) { return line.length == stage.length && line.use == use; });
  return measured == table.end() ? 0 : measured->step;
}

bool prefers_column_roots(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits) {
  if (!is_recent_gpu(limits) || !stage.twiddle || stage.twiddle->on_load || !is_plain_complex(stage)) return false;
  // One butterfly of the last pass for each item, as kernels need it.
  if (shape.vector != 1 || shape.groups_per_transform != 1 ||
      shape.items_per_transform * std::uint64_t{stage.radices.back()} != stage.length) {
    return false;
  }
  const std::vector<Columns>& table = limits.arithmetic == Precision::float64 ? columns_of_doubles() : columns();
  return std::any_of(table.begin(), table.end(), [&](const Columns& each) {
    return each.line == stage.twiddle->modulus && each.length == stage.length;
  });
}

}  // namespace twiddle::plan
