// The table of measured shapes.
#include "plan/measured_choices.hpp"

#include <array>

namespace twiddle::plan {
namespace {

struct Row {
  std::uint64_t length;
  bool strided;
  MeasuredChoice choice;
};

// NVIDIA H200 through OpenCL (48 KiB of local memory for a group, 255 registers for an item), driver 580, 2026-11-21:
// the fastest of 5 to 60 shapes each, data of 512 MiB.
const std::array<Row, 21>& rows() {
  static const std::array<Row, 21> table{{
      {64, false, {{8, 8}, 8, 8}},
      {128, false, {{16, 8}, 16, 8}},
      {500, false, {{25, 4, 5}, 20, 8, 96}},
      {512, false, {{8, 8, 8}, 64, 2}},
      {720, false, {{9, 10, 8}, 90, 1}},
      {1000, false, {{20, 10, 5}, 50, 2}},
      {1024, false, {{16, 16, 4}, 64, 1}},
      {1080, false, {{18, 6, 10}, 60, 2}},
      {1080, true, {{15, 8, 9}, 72, 0}},
      {1200, false, {{16, 15, 5}, 80, 3, 64}},
      {1920, false, {{10, 8, 24}, 96, 1}},
      {2000, false, {{10, 20, 10}, 100, 1}},
      {2048, false, {{16, 16, 8}, 128, 1}},
      {2187, false, {{9, 9, 27}, 96, 1}},
      {3000, false, {{15, 8, 25}, 208, 1, 96}},
      {3600, false, {{15, 8, 30}, 128, 1}},
      {5000, false, {{10, 20, 25}, 256, 1}},
      {6000, false, {{25, 8, 30}, 250, 1, 80}},
      {8192, false, {{32, 16, 16}, 256, 1}},
      {10000, false, {{5, 10, 10, 20}, 500, 1}},
      {16384, false, {{32, 16, 32}, 512, 1}},
  }};
  return table;
}

}  // namespace

std::optional<MeasuredChoice> measured_choice(std::uint64_t length, bool strided, const DeviceLimits& limits) {
  if (limits.shape != DeviceLimits::Shape::on_chip || limits.registers_per_item < 255 || limits.max_group_size < 512 ||
      limits.local_memory < 49152) {
    return std::nullopt;
  }
  for (const Row& row : rows()) {
    if (row.length == length && row.strided == strided) return row.choice;
  }
  return std::nullopt;
}

}  // namespace twiddle::plan
