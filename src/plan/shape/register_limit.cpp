// A limit that nothing spills for.
#include "plan/shape/register_limit.hpp"

#include <algorithm>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/recipe/few_lines.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/measured_device.hpp"

namespace twiddle::plan {
namespace {

constexpr std::uint64_t usual = 128;
constexpr std::uint64_t least = 96;  // that two groups side by side have
constexpr std::uint64_t beside_data = 40;

struct Line {
  std::uint64_t length;
  LineUse use;
  Precision precision;
};

// Those that take 1.04 to 1.17 of the time with a limit.
const std::vector<Line>& unlimited() {
  constexpr auto f32 = Precision::float32;
  static const std::vector<Line> table{{100, LineUse::rows, f32},
                                       {2048, LineUse::mapped_rows, f32},
                                       {1080, LineUse::columns, f32},
                                       {210, LineUse::rows, Precision::float64}};
  return table;
}

bool may_be_limited(const Stage& stage, const KernelShape& shape, LineUse use) {
  if (stage.radices.empty() || stage.bank || stage.direct || stage.load_hook || stage.store_hook || stage.repair) {
    return false;
  }
  const bool rows = shape.load == KernelShape::Lanes::elements && shape.store == KernelShape::Lanes::elements;
  const bool mapped = stage.load_map || stage.store_map;
  if (rows && !mapped && stage.radices.size() == 1 && !stage.convolution) return false;
  return std::ranges::none_of(unlimited(), [&](const Line& line) {
    return line.length == stage.length && line.use == use && line.precision == stage.precision;
  });
}

}  // namespace

std::uint32_t register_limit(const Stage& stage, const KernelShape& shape, LineUse use, const DeviceLimits& limits) {
  const bool measured = is_like_measured_through_opencl(limits) && tuned_choice(stage.length, use, limits) == nullptr;
  if (shape.registers != 0 || !measured || !may_be_limited(stage, shape, use)) return shape.registers;
  const std::uint64_t sub_group = limits.sub_group_size;
  const std::uint64_t items = (group_items(shape) + sub_group - 1) / sub_group * sub_group;
  const std::uint64_t alone = registers_of_item(items, sub_group);
  const std::uint64_t beside = std::min(usual, group_registers / (2 * items) / 8 * 8);  // another group
  const std::uint64_t held = held_elements(stage.radices, chip_points(stage), shape.items_per_transform) * shape.vector;
  const std::uint64_t needed = held * 2 * scalar_bytes(stage.precision) / sizeof(float) + beside_data;
  if (beside >= std::max(least, needed)) return static_cast<std::uint32_t>(beside);
  // Such a group stands alone, and gains nothing from a limit.
  const bool between = items > 256 && items <= group_registers / usual;
  return between ? 0 : static_cast<std::uint32_t>(alone);
}

}  // namespace twiddle::plan
